//! What the system says: environment variables and free memory.

/// The size of a small page, in bytes, or a part of it.
pub(crate) const PAGE: usize = 4096;

/// The bytes of memory that programs can still take without swapping, as Linux estimates them; none elsewhere.
pub(crate) fn available_memory() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// The value of an environment variable in lower case, with replacement characters for invalid Unicode; none if it is
/// unset or empty.
pub(crate) fn environment(name: &str) -> Option<String> {
    let value = std::env::var_os(name).filter(|value| !value.is_empty())?;
    Some(value.to_string_lossy().to_lowercase())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::available_memory;

    #[test]
    fn some_memory_is_available() {
        assert!(available_memory().is_some_and(|bytes| bytes > 1 << 20));
    }
}
