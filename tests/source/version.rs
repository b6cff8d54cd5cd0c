//! `build.rs` names each build: a release by its version, any other with the commit, and asks git only when it must.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use tempfile::TempDir;

/// A folder with the sources of a package of version 1.2.3, and the build script to try there.
struct Package {
    _folder: TempDir,
    root: PathBuf,
    script: PathBuf,
}

impl Package {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (root, script) = (folder.path().join("package"), folder.path().join("build-script"));
        fs::create_dir_all(root.join("src")).unwrap();
        fs::write(root.join("src/lib.rs"), "").unwrap();
        let rustc =
            env::var_os("CARGO").map_or_else(|| "rustc".into(), |cargo| Path::new(&cargo).with_file_name("rustc"));
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/build.rs");
        let compiled = Command::new(rustc).args(["--edition", "2024", source, "-o"]).arg(&script).status().unwrap();
        assert!(compiled.success());
        Self { _folder: folder, root, script }
    }

    /// Runs the script as cargo would, and returns what it sets `SLEIGHT_VERSION` and `SLEIGHT_BUILD` to.
    fn build(&self, variables: &[(&str, &str)]) -> (String, String) {
        let mut command = Command::new(&self.script);
        command.env("CARGO_MANIFEST_DIR", &self.root).env("CARGO_PKG_VERSION", "1.2.3").env("TARGET", "here");
        command.env_remove("SLEIGHT_COMMIT").env_remove("EVALFILE");
        let output = command.envs(variables.iter().copied()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        let value = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).unwrap().to_owned();
        // Cargo would build anew at every command for a path that is not there. The network is, outside this test.
        let watched = text.lines().filter_map(|line| line.strip_prefix("cargo:rerun-if-changed="));
        let missing: Vec<&str> = watched.filter(|path| !Path::new(path).exists() && !path.ends_with(".nnue")).collect();
        assert_eq!(missing, [""; 0], "{text}");
        (value("cargo:rustc-env=SLEIGHT_VERSION="), value("cargo:rustc-env=SLEIGHT_BUILD="))
    }

    fn is_watched(&self, path: &Path) -> bool {
        let output = Command::new(&self.script).env("CARGO_MANIFEST_DIR", &self.root).output().unwrap();
        let line = |path: &Path| format!("cargo:rerun-if-changed={}", path.display());
        String::from_utf8(output.stdout).unwrap().lines().any(|found| found == line(path))
    }

    fn commit(&self) -> String {
        git(&self.root, &["add", "."]);
        git(&self.root, &["commit", "--quiet", "--allow-empty", "--message=A change"]);
        git(&self.root, &["rev-parse", "--short=7", "HEAD"])
    }
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(["-c", "user.name=Nobody", "-c", "user.email=nobody@example.org"]);
    let output = command.args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn dev(commit: &str) -> (String, String) {
    (format!("1.2.3-dev-{commit}"), format!("here, commit {commit}"))
}

#[test]
fn a_source_archive_is_a_release_wherever_it_is_unpacked() {
    let package = Package::new();
    let release = ("1.2.3".to_owned(), "here".to_owned());
    assert_eq!(package.build(&[]), release);
    // The repository around it is another program's.
    let around = package.root.parent().unwrap();
    git(around, &["init", "--quiet"]);
    git(around, &["commit", "--quiet", "--allow-empty", "--message=Another program"]);
    assert_eq!(package.build(&[]), release);
}

#[test]
fn only_the_tag_of_its_version_makes_a_commit_a_release() {
    let package = Package::new();
    git(&package.root, &["init", "--quiet"]);
    assert_eq!(package.build(&[]).0, "1.2.3-dev", "no commit");
    let first = package.commit();
    assert_eq!(package.build(&[]), dev(&first));
    git(&package.root, &["tag", "v1.2.2"]);
    git(&package.root, &["tag", "1.2.3"]);
    assert_eq!(package.build(&[]), dev(&first));
    git(&package.root, &["tag", "--annotate", "--message=Release", "v1.2.3"]);
    assert_eq!(package.build(&[]), ("1.2.3".to_owned(), format!("here, commit {first}")));
    // What does not go into the build does not count.
    fs::write(package.root.join("notes"), "").unwrap();
    assert_eq!(package.build(&[]).0, "1.2.3");
    fs::write(package.root.join("src/lib.rs"), "// Changed.").unwrap();
    assert_eq!(package.build(&[]), dev(&format!("{first}-dirty")));
    let second = package.commit();
    assert_eq!(package.build(&[]), dev(&second));
    // Without commits of its own, a worktree has the log and the HEAD of its own.
    let mut other = Package::new();
    other.root = other.root.parent().unwrap().join("worktree");
    git(&package.root, &["worktree", "add", "--quiet", "--detach", other.root.to_str().unwrap(), &first]);
    assert_eq!(other.build(&[]).0, "1.2.3");
    let third = other.commit();
    assert_eq!((other.build(&[]), package.build(&[])), (dev(&third), dev(&second)));
}

/// Each way to another commit touches a file that cargo watches.
#[test]
fn commits_checkouts_and_tags_are_noticed() {
    let package = Package::new();
    git(&package.root, &["init", "--quiet"]);
    package.commit();
    git(&package.root, &["pack-refs", "--all"]);
    for watched in ["HEAD", "logs/HEAD", "refs/tags"] {
        assert!(package.is_watched(&package.root.join(".git").join(watched)), "{watched}");
    }
    assert!(package.is_watched(&package.root.join("src")), "changes since the commit");
    let log = package.root.join(".git/logs/HEAD");
    for step in [&["commit", "--quiet", "--allow-empty", "--message=Next"][..], &["checkout", "--quiet", "HEAD~1"]] {
        let before = fs::read(&log).unwrap();
        git(&package.root, step);
        assert_ne!(fs::read(&log).unwrap(), before, "{step:?}");
    }
}

#[test]
fn git_may_be_absent_and_be_replaced() {
    let package = Package::new();
    git(&package.root, &["init", "--quiet"]);
    let commit = package.commit();
    assert_eq!(package.build(&[("PATH", "")]), ("1.2.3-dev".to_owned(), "here".to_owned()));
    assert_eq!(package.build(&[("SLEIGHT_COMMIT", "given")]), dev("given"));
    // As in a hook of another repository.
    assert_eq!(package.build(&[("GIT_DIR", "/nowhere"), ("SLEIGHT_COMMIT", "")]), dev(&commit));
}

/// The binary goes by the name that the script gave it.
#[test]
fn the_engine_and_its_version_have_the_same_name() {
    let output = |argument: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_sleight")).arg(argument).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let (uci, version, short) = (output("uci"), output("--version"), output("-V"));
    let name = uci.lines().next().unwrap().strip_prefix("id name Sleight ").unwrap();
    assert_eq!(version.lines().next().unwrap(), format!("sleight {name}"));
    assert_eq!(short.trim_end(), format!("sleight {name}"));
    let rest = name.strip_prefix(env!("CARGO_PKG_VERSION")).unwrap();
    if let Some(commit) = rest.strip_prefix("-dev-") {
        assert!(version.ends_with(&format!(", commit {commit}\n")), "{version}");
    } else {
        assert!(["", "-dev"].contains(&rest), "{name}");
    }
}
