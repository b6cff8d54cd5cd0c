//! Environment variables.

/// The value of an environment variable in lower case, with replacement characters for invalid Unicode; none if it is
/// unset or empty.
pub(crate) fn environment(name: &str) -> Option<String> {
    let value = std::env::var_os(name).filter(|value| !value.is_empty())?;
    Some(value.to_string_lossy().to_lowercase())
}
