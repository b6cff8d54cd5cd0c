//! `make install` puts each file where chess programs and `man` look for it, and `make uninstall` takes it away again; so does
//! the Debian package.

use std::{collections::BTreeSet, fs, os::unix::fs::PermissionsExt, path::Path, process::Command};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn make(goal: &str, destination: &Path, prefix: &str) {
    let mut command = Command::new("make");
    command.args(["-C", ROOT, goal, concat!("EXE=", env!("CARGO_BIN_EXE_sleight"))]);
    command.arg(format!("DESTDIR={}", destination.display())).arg(format!("PREFIX={prefix}"));
    // Of a `make` that runs this test.
    command.env_remove("MAKEFLAGS").env_remove("MAKEOVERRIDES");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

/// The files below a folder, by their paths in it.
fn files(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    found
}

#[test]
fn every_file_is_installed_and_removed_again() {
    let folder = tempfile::tempdir().unwrap();
    // Packages are built in folders with all kinds of names.
    let destination = folder.path().join("a package");
    let root = destination.join("opt/R&D");
    make("install", &destination, "/opt/R&D");
    let mut expected: BTreeSet<String> = [
        "bin/sleight",
        "share/man/man6/sleight.6",
        "share/games/plugins/uci/sleight.eng",
        "share/games/plugins/logos/sleight.png",
        "share/applications/sleight.desktop",
        "share/icons/hicolor/scalable/apps/sleight.svg",
        "share/doc/sleight/README.md",
        "share/doc/sleight/LICENSE",
        "share/doc/sleight/CHANGELOG.md",
        "share/doc/sleight/CONTRIBUTING.md",
        "share/doc/sleight/networks/README.md",
    ]
    .map(str::to_owned)
    .into();
    expected
        .extend(files(&Path::new(ROOT).join("docs")).into_iter().map(|page| format!("share/doc/sleight/docs/{page}")));
    assert_eq!(files(&root), expected);
    for file in &expected {
        let mode = fs::metadata(root.join(file)).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, if file == "bin/sleight" { 0o755 } else { 0o644 }, "{file}");
    }
    for page in expected.iter().filter(|file| file.ends_with(".md")) {
        let text = fs::read_to_string(root.join(page)).unwrap();
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
        for target in targets.filter(|target| !target.is_empty() && !target.contains(':')) {
            assert!(root.join(page).with_file_name(target).exists(), "{page} leads to {target}");
        }
    }

    let plugin = fs::read_to_string(root.join("share/games/plugins/uci/sleight.eng")).unwrap();
    assert_eq!(plugin, "plugin spec 0.0\n/opt/R&D/bin/sleight\nchess,fischerandom\n");
    let output = Command::new(root.join("bin/sleight")).args(["uci", "quit"]).output().unwrap();
    assert!(output.stdout.starts_with(b"id name Sleight "), "{output:?}");
    let page = root.join("share/man/man6/sleight.6");
    let text = fs::read_to_string(&page).unwrap();
    assert!(text.contains("/opt/R&D/share/doc/sleight/docs") && !text.contains("@prefix@"), "{text}");

    fs::write(root.join("bin/other"), "").unwrap();
    make("uninstall", &destination, "/opt/R&D");
    assert_eq!(files(&root), ["bin/other".to_owned()].into());
}

/// The package as `make deb` packs it, unpacked. `lintian` checks more, by hand.
#[test]
#[ignore = "needs dpkg-deb"]
fn the_debian_package_has_everything_in_debian_s_places() {
    let folder = tempfile::tempdir().unwrap();
    let machine = std::env::consts::ARCH;
    let mut command = Command::new(Path::new(ROOT).join("dist/packages.py"));
    command
        .args(["deb", env!("CARGO_BIN_EXE_sleight"), &format!("{machine}-unknown-linux-gnu"), "1.2.3-dev-abc1234"])
        .arg(folder.path());
    command.envs([("DEBFULLNAME", "A Packager"), ("DEBEMAIL", "packager@example.org"), ("SOURCE_DATE_EPOCH", "0")]);
    command.env_remove("MAKEFLAGS").env_remove("MAKEOVERRIDES");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let arch = if machine == "aarch64" { "arm64" } else { "amd64" };
    let package = folder.path().join(format!("sleight_1.2.3~dev.abc1234-1_{arch}.deb"));
    let dpkg = |option: &str, arguments: &[&str]| {
        let output = Command::new("dpkg-deb").arg(option).arg(&package).args(arguments).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let fields = dpkg("--field", &["Version", "Architecture", "Maintainer", "Depends"]);
    let wanted = format!(
        "Version: 1.2.3~dev.abc1234-1\nArchitecture: {arch}\nMaintainer: A Packager <packager@example.org>\nDepends: libc6 (>= 2."
    );
    assert!(fields.starts_with(&wanted), "{fields}");

    let root = folder.path().join("root");
    dpkg("--extract", &[root.to_str().unwrap()]);
    let found = files(&root);
    let mut missing = vec![
        "usr/games/sleight",
        "usr/share/man/man6/sleight.6.gz",
        "usr/share/games/plugins/uci/sleight.eng",
        "usr/share/applications/sleight.desktop",
        "usr/share/doc/sleight/copyright",
        "usr/share/doc/sleight/changelog.gz",
        "usr/share/doc/sleight/changelog.Debian.gz",
        "usr/share/doc/sleight/docs/setup.md",
    ];
    missing.retain(|file| !found.contains(*file));
    assert!(missing.is_empty(), "{missing:?} in {found:?}");
    let outside: Vec<_> = found.iter().filter(|file| !file.starts_with("usr/share/")).collect();
    assert_eq!(outside, ["usr/games/sleight"]);
    let plugin = fs::read_to_string(root.join("usr/share/games/plugins/uci/sleight.eng")).unwrap();
    assert_eq!(plugin.lines().nth(1), Some("/usr/games/sleight"));
    let output = Command::new(root.join("usr/games/sleight")).args(["uci", "quit"]).output().unwrap();
    assert!(output.stdout.starts_with(b"id name Sleight "), "{output:?}");
}

/// `mandoc` knows of mistakes that `man` shows without a word. Which other pages are installed does not matter.
#[test]
#[ignore = "needs mandoc"]
fn the_manual_page_has_no_faults() {
    let page = Path::new(ROOT).join("dist/sleight.6");
    let output = Command::new("mandoc").args(["-Tlint", "-Wstyle"]).arg(page).output().unwrap();
    let report = String::from_utf8_lossy(&output.stdout);
    let faults: Vec<_> = report.lines().filter(|line| !line.contains("referenced manual not found")).collect();
    assert!(faults.is_empty() && output.status.code().is_some_and(|code| code < 5), "{report}");
}

/// Chess programs scale nothing: PNG and BMP have the size that they ask for.
#[test]
fn the_logos_have_the_size_that_chess_programs_take() {
    let read = |name: &str| fs::read(Path::new(ROOT).join("dist").join(name)).unwrap();
    let (png, bmp) = (read("sleight.png"), read("sleight.bmp"));
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    assert_eq!((&png[16..20], &png[20..24]), (&100_u32.to_be_bytes()[..], &50_u32.to_be_bytes()[..]));
    assert!(bmp.starts_with(b"BM"));
    assert_eq!((&bmp[18..22], &bmp[22..26]), (&100_u32.to_le_bytes()[..], &50_u32.to_le_bytes()[..]));
    // 24 bits a pixel, not compressed.
    assert_eq!((&bmp[28..30], &bmp[30..34]), (&24_u16.to_le_bytes()[..], &0_u32.to_le_bytes()[..]));
}
