//! No page and no source leads to a page that is not there: the relative links of every page, headings included, and
//! every mention of a file of `docs/`, of a rule's function, of a path or a target of `make`.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The folders that are built, installed or fetched.
const NOT_OURS: [&str; 5] = ["target", "node_modules", "corpus", "artifacts", "coverage"];

#[test]
fn relative_links_of_pages_lead_somewhere() {
    let pages = files(Path::new(ROOT), &["md"]);
    assert!(pages.iter().any(|page| page.ends_with("docs/uci.md")), "{pages:?}");
    let faults: Vec<_> = pages.iter().flat_map(|page| dead_links(page, &fs::read_to_string(page).unwrap())).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn mentioned_documents_exist() {
    let mut found = 0;
    let mut faults = Vec::new();
    let mut sources = files(Path::new(ROOT), &["rs", "py", "mjs", "js", "ts", "toml", "yml", "md"]);
    sources.push(Path::new(ROOT).join("Makefile"));
    for source in sources.iter().filter(|source| !source.ends_with(file!())) {
        for document in mentions(&fs::read_to_string(source).unwrap()) {
            found += 1;
            if !Path::new(ROOT).join(&document).exists() {
                faults.push(format!("{} names {document}", source.display()));
            }
        }
    }
    assert!(found > 20, "only {found} mentions");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// All pages but the notes, which tell of the version that they name.
fn manual() -> Vec<PathBuf> {
    let pages = files(Path::new(ROOT), &["md"]);
    pages.into_iter().filter(|page| !page.starts_with(Path::new(ROOT).join("docs/notes"))).collect()
}

/// Each path from the root that the manual names is there, and so is each target of `make`.
#[test]
fn paths_and_targets_of_the_manual_exist() {
    let makefile = fs::read_to_string(Path::new(ROOT).join("Makefile")).unwrap();
    let mut faults = Vec::new();
    for page in manual() {
        let text = fs::read_to_string(&page).unwrap();
        let missing = paths(&text).into_iter().filter(|path| !Path::new(ROOT).join(path).exists());
        faults.extend(missing.map(|path| format!("{} names {path}", page.display())));
        let unknown = targets(&text).into_iter().filter(|target| !is_target(target, &makefile));
        faults.extend(unknown.map(|target| format!("{} names `make {target}`", page.display())));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The page on the search names, for each rule, a function or type of the sources.
#[test]
fn rules_of_the_search_are_where_its_page_says() {
    let page = fs::read_to_string(Path::new(ROOT).join("docs/search.md")).unwrap();
    let sources = files(&Path::new(ROOT).join("src"), &["rs"]);
    let sources: String = sources.iter().map(|source| fs::read_to_string(source).unwrap()).collect();
    let rows = page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| rule |"));
    let names = rows.flat_map(|row| row.split('|').nth(3).unwrap().split(", "));
    let names: Vec<_> = names.map(|name| name.trim().trim_matches('`')).collect();
    assert!(names.len() > 30, "{names:?}");
    for name in names {
        let is_defined = |keyword| {
            let definition = format!("{keyword} {name}");
            sources
                .match_indices(&definition)
                .any(|(at, _)| sources[at + definition.len()..].starts_with(|c: char| !c.is_alphanumeric() && c != '_'))
        };
        assert!(is_defined("fn") || is_defined("struct"), "docs/search.md names `{name}`");
    }
}

/// The files below a folder that have one of these extensions, hidden folders left out.
fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let (path, name) = (entry.path(), entry.file_name().into_string().unwrap());
        if entry.file_type().unwrap().is_dir() {
            if !name.starts_with('.') && !NOT_OURS.contains(&&*name) {
                found.extend(files(&path, extensions));
            }
        } else if path.extension().is_some_and(|own| extensions.iter().any(|&extension| own == extension)) {
            found.push(path);
        }
    }
    found
}

/// One line for each relative link of a page to a file or a heading that does not exist.
fn dead_links(page: &Path, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for link in links(text) {
        let (file, heading) = link.split_once('#').map_or((link, None), |(file, heading)| (file, Some(heading)));
        let target = if file.is_empty() { page.to_owned() } else { page.with_file_name(file) };
        let is_alive = match heading {
            Some(heading) => fs::read_to_string(&target).is_ok_and(|text| headings(&text).contains(heading)),
            None => target.exists(),
        };
        if !is_alive {
            faults.push(format!("{} leads to {link}", page.display()));
        }
    }
    faults
}

/// The lines of a page outside its blocks of code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// The targets of a page's links and images that are not addresses.
fn links(text: &str) -> Vec<&str> {
    let targets = prose(text).flat_map(|line| line.split("](").skip(1)).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.contains(':')).collect()
}

/// The anchors of a page's headings, as GitHub makes them.
fn headings(text: &str) -> BTreeSet<String> {
    let titles = prose(text).filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    titles
        .map(|title| {
            let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect::<String>().to_lowercase()
        })
        .collect()
}

/// The files of `docs/` that a source names, by their paths from the root.
fn mentions(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    let paths = text.split("docs/").skip(1).map(|rest| rest.split(|c| !is_part(c)).next().unwrap_or_default());
    let documents = paths.map(|path| path.trim_end_matches('.'));
    let is_file = |path: &&str| [".md", ".svg", ".png", ".json"].iter().any(|extension| path.ends_with(extension));
    documents.filter(is_file).map(|path| format!("docs/{path}")).collect()
}

/// The code on a page: each span between backticks, and each line of a block.
fn code(text: &str) -> Vec<&str> {
    let mut is_block = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_block = !is_block;
        } else if is_block {
            found.push(line);
        } else {
            found.extend(line.split('`').skip(1).step_by(2));
        }
    }
    found
}

/// The paths from the root that a page names in spans of code, of files and folders that are in the repository.
fn paths(text: &str) -> Vec<&str> {
    let folders = ["src/", "lab/", "tests/", "benches/", "docs/", "dist/", "networks/", "fuzz/", ".github/", ".ci/"];
    let words = code(text).into_iter().flat_map(|span| span.split([' ', ',', '"', '\'', '=', '(', ')']));
    words
        .map(|word| word.trim_start_matches("./"))
        .filter(|word| folders.iter().any(|folder| word.starts_with(folder)) && !word.contains('*'))
        .collect()
}

/// The targets of `make` that a page names.
fn targets(text: &str) -> Vec<&str> {
    let lines = code(text).into_iter().map(|line| line.split('#').next().unwrap_or_default());
    let commands = lines.flat_map(|line| line.split("&&")).map(|command| command.trim().trim_start_matches("sudo "));
    let arguments = commands.filter_map(|command| command.strip_prefix("make ")).flat_map(|rest| rest.split(' '));
    arguments.filter(|word| is_goal(word)).collect()
}

/// True for a goal, false for an option, a variable and what belongs to one.
fn is_goal(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_lowercase()) && word.chars().all(|c| c.is_ascii_lowercase() || c == '-')
}

fn is_target(name: &str, makefile: &str) -> bool {
    makefile.lines().any(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(':')))
}

#[test]
fn planted_paths_and_targets_are_found() {
    let page =
        "Run `sudo make install` or `make EXE=x portable`, see `src/main.rs`.\n```sh\nmake && make none # and all\n```";
    assert_eq!(targets(page), ["install", "portable", "none"]);
    assert_eq!(paths("`./src/a.rs` src/b.rs `tests/c.py d` `x.rs`"), ["src/a.rs", "tests/c.py"]);
    assert!(is_target("none", "none: all ##") && !is_target("none", "nonesuch:"));
}

#[test]
fn planted_dead_links_are_found() {
    let page = Path::new(ROOT).join("docs/uci.md");
    let dead = "# A heading\n[a](none.md) [b](#no-heading) and ![c](setup/none.png)\n[d](setup.md#none)";
    assert_eq!(dead_links(&page, dead).len(), 4);
    let alive =
        "[a](setup.md) [b](uci.md#at-a-terminal) [c](https://example.org) [d](../README.md)\n```\n[e](none)\n```";
    assert_eq!(dead_links(&page, alive), Vec::<String>::new());
    assert_eq!(
        mentions("// see docs/none.md, \"It\".\n\"../docs/uci.md\" docs/*.* docs/"),
        ["docs/none.md", "docs/uci.md"]
    );
    assert!(headings("## The `go` command, again\n```sh\n# no heading\n```").contains("the-go-command-again"));
    assert_eq!(headings("```\n# none\n```").len(), 0);
}
