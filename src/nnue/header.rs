//! The layout of a network file's header, which the build script reads, too.

pub(super) const MAGIC: &[u8; 8] = b"SLEIGHT\n";
pub(super) const VERSION: u32 = 2;
/// Bytes of the header: the magic number, then the fields at the offsets below, little-endian.
pub(super) const HEADER: usize = 128;
pub(super) const VERSION_AT: usize = 8;
pub(super) const SCALE_AT: usize = 12;
pub(super) const ARCHITECTURE_AT: usize = 16;
/// Hidden neurons and king buckets, 4 bytes each, from which the build script sets the architecture.
pub(super) const HIDDEN_AT: usize = 24;
pub(super) const INPUT_BUCKETS_AT: usize = 28;
/// The name of the architecture, for a reader of a hex dump.
pub(super) const NAME_AT: usize = 32;
pub(super) const NAME_BYTES: usize = 40;
/// The checksum of all other bytes of the file.
pub(super) const CHECKSUM_AT: usize = 120;
