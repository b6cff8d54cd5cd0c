//! A run: each file in turn, its chunks in parallel.

use std::{
    collections::BTreeSet,
    fs,
    io::{Seek as _, SeekFrom},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use super::{
    chunk::{Chunk, Chunks},
    display::Display,
    error::LabelError,
    options::LabelOptions,
    output::{OrderedWriter, PartFile, Progress},
    teacher::{Labeller, Teacher},
};
use crate::{
    datagen::note,
    train::{Format, in_parallel},
};
use sleight::util::open_regular;

/// Chunks of each thread that may wait to be written.
const CHUNKS_AHEAD: usize = 2;

/// Labels files.
///
/// # Errors
/// See [`LabelError`]. What is labelled until then is kept.
pub(crate) fn run(options: &LabelOptions) -> Result<(), LabelError> {
    let targets = targets(options)?;
    let teacher = Teacher::open(options)?;
    fs::create_dir_all(&options.out).map_err(LabelError::at(&options.out))?;
    for (source, target) in options.files.iter().zip(&targets) {
        if target.exists() {
            note(&format!("{}: labelled already", target.display()));
        } else {
            label_file(source, target, &teacher, options.threads, teacher.chunk_bytes())?;
        }
    }
    Ok(())
}

/// The outputs, of which none has the name of another or of an input.
fn targets(options: &LabelOptions) -> Result<Vec<PathBuf>, LabelError> {
    let sources: Vec<_> = options.files.iter().filter_map(|file| fs::canonicalize(file).ok()).collect();
    let mut seen = BTreeSet::new();
    let target = |file: &PathBuf| {
        Format::of(file)?;
        let target = options.out.join(file.file_name().unwrap_or_default());
        let replaces_input = fs::canonicalize(&target).is_ok_and(|target| sources.contains(&target));
        if replaces_input || !seen.insert(target.clone()) {
            return Err(LabelError::SameName(target));
        }
        Ok(target)
    };
    options.files.iter().map(target).collect()
}

/// Labels a file in chunks of some `chunk_bytes`, from where an earlier run was interrupted.
pub(super) fn label_file(
    source: &Path,
    target: &Path,
    teacher: &Teacher,
    threads: usize,
    chunk_bytes: usize,
) -> Result<Progress, LabelError> {
    let format = Format::of(source)?;
    let failed = || LabelError::at(source);
    let mut input = open_regular(source).map_err(failed())?;
    let bytes = input.metadata().map_err(failed())?.len();
    let part = PartFile::open(target, format!("{}, {bytes} bytes", teacher.identity()))?;
    let before = part.progress();
    input.seek(SeekFrom::Start(before.input)).map_err(failed())?;
    let mut chunks = Chunks::new(input, format, chunk_bytes, before.input);
    let writer = OrderedWriter::new(part, CHUNKS_AHEAD * threads);
    let display = Mutex::new(Display::new(target, bytes, before));
    let labellers = Mutex::new(Vec::new());
    let next = std::iter::from_fn(|| next_chunk(&mut chunks, &writer, source));
    in_parallel(threads, next, |chunk| {
        let idle = lock(&labellers).pop();
        let result = idle.map_or_else(|| teacher.labeller(), Ok).and_then(|mut labeller: Labeller<'_>| {
            let labelled = chunk.label(format, &mut labeller, source);
            lock(&labellers).push(labeller);
            labelled
        });
        writer.put(&chunk, result);
        lock(&display).show(writer.progress());
    });
    let progress = writer.into_file()?.finish()?;
    lock(&display).finish(progress);
    Ok(progress)
}

/// The next chunk; none at the end of the input or after an error.
fn next_chunk(chunks: &mut Chunks<fs::File>, writer: &OrderedWriter, source: &Path) -> Option<Chunk> {
    if writer.has_failed() {
        return None;
    }
    chunks.next_chunk().unwrap_or_else(|error| {
        writer.fail(LabelError::at(source)(error));
        None
    })
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // Poisoning: the panic of another thread ends everything anyway.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
