//! Large zeroed arrays on Windows, in large pages where the user may have them: memmap2 maps none there.
#![expect(unsafe_code, reason = "the calls of the operating system, and a mapping that is viewed as a slice")]

use std::{io, ops::Range, ptr};

use bytemuck::Zeroable;
use once_cell::sync::Lazy;
use windows_sys::Win32::{
    Foundation::{CloseHandle, ERROR_SUCCESS, GetLastError, HANDLE},
    Security::{
        AdjustTokenPrivileges, LUID_AND_ATTRIBUTES, LookupPrivilegeValueW, SE_LOCK_MEMORY_NAME, SE_PRIVILEGE_ENABLED,
        TOKEN_ADJUST_PRIVILEGES, TOKEN_PRIVILEGES, TOKEN_QUERY,
    },
    System::{
        Memory::{
            GetLargePageMinimum, MEM_COMMIT, MEM_LARGE_PAGES, MEM_RELEASE, MEM_RESERVE, PAGE_READWRITE, VirtualAlloc,
            VirtualFree,
        },
        Threading::{GetCurrentProcess, OpenProcessToken},
    },
};

/// A page-aligned array whose pages the operating system zeroes.
///
/// Failure of an allocation is an error rather than an abort, as a transposition table of many GiB needs. Uses large
/// pages if the user has the right "Lock pages in memory" and there are enough of them.
#[derive(Debug)]
pub(crate) struct ZeroedPages<T> {
    start: *mut T,
    len: usize,
}

// SAFETY: the memory belongs to the value alone, is only read through shared references, and `T` can be shared.
unsafe impl<T: Sync> Send for ZeroedPages<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for ZeroedPages<T> {}

/// The size of a large page in bytes, if this process may have them.
static LARGE_PAGE: Lazy<Option<usize>> = Lazy::new(|| {
    // SAFETY: the function has no conditions.
    let size = unsafe { GetLargePageMinimum() };
    let page = (size > 0 && lock_memory_privilege()).then_some(size);
    log::debug!("large pages: {page:?}");
    page
});

impl<T: Zeroable + Sync> ZeroedPages<T> {
    /// An array of `len` zeroed elements.
    ///
    /// # Errors
    /// If the system cannot commit that much memory, or the size overflows.
    pub(crate) fn new(len: usize) -> io::Result<Self> {
        const { assert!(align_of::<T>() <= 4096 && size_of::<T>() > 0 && !std::mem::needs_drop::<T>()) };
        let bytes = len
            .max(1)
            .checked_mul(size_of::<T>())
            .filter(|&b| isize::try_from(b).is_ok())
            .ok_or(io::ErrorKind::OutOfMemory)?;
        let large = LARGE_PAGE.filter(|&page| bytes >= page).and_then(|page| bytes.checked_next_multiple_of(page));
        let start = match large.map_or(ptr::null_mut(), |bytes| allocate(bytes, MEM_LARGE_PAGES)) {
            start if start.is_null() => allocate(bytes, 0),
            start => start,
        };
        if start.is_null() { Err(io::Error::last_os_error()) } else { Ok(Self { start: start.cast(), len }) }
    }

    /// Does nothing: the pages have one size.
    pub(crate) fn use_huge_pages(&self, _elements: Range<usize>, _huge: bool) {}

    /// The elements.
    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[T] {
        // SAFETY: the mapping is at least `len * size_of::<T>()` bytes long, page-aligned, lives as long as `self`, and
        // is only ever reached through this method; its bytes start as zeros, which `Zeroable` says is a valid `T`, and
        // change only through `T`'s own interior mutability, which `Sync` makes sound to share.
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }
}

impl<T> Drop for ZeroedPages<T> {
    fn drop(&mut self) {
        // SAFETY: `VirtualAlloc` has returned the address, and nothing refers to the memory any more.
        unsafe { VirtualFree(self.start.cast(), 0, MEM_RELEASE) };
    }
}

/// Zeroed memory, or null.
fn allocate(bytes: usize, flags: u32) -> *mut core::ffi::c_void {
    // SAFETY: without an address, the function only makes new memory.
    unsafe { VirtualAlloc(ptr::null(), bytes, MEM_RESERVE | MEM_COMMIT | flags, PAGE_READWRITE) }
}

/// Enables the right to large pages; false if the user does not have it.
fn lock_memory_privilege() -> bool {
    let mut token: HANDLE = ptr::null_mut();
    // SAFETY: the pseudo handle of the process is valid, and the token is written to a variable.
    if unsafe { OpenProcessToken(GetCurrentProcess(), TOKEN_ADJUST_PRIVILEGES | TOKEN_QUERY, &mut token) } == 0 {
        return false;
    }
    let attributes = LUID_AND_ATTRIBUTES { Attributes: SE_PRIVILEGE_ENABLED, ..Default::default() };
    let mut privileges = TOKEN_PRIVILEGES { PrivilegeCount: 1, Privileges: [attributes] };
    // SAFETY: the name ends with a zero, the token is open, and all other pointers are null or lead to variables.
    unsafe {
        let found = LookupPrivilegeValueW(ptr::null(), SE_LOCK_MEMORY_NAME, &mut privileges.Privileges[0].Luid) != 0;
        let adjusted = AdjustTokenPrivileges(token, 0, &privileges, 0, ptr::null_mut(), ptr::null_mut()) != 0;
        // A right that the user does not have is no failure of the call.
        let granted = found && adjusted && GetLastError() == ERROR_SUCCESS;
        CloseHandle(token);
        granted
    }
}
