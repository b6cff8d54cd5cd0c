//! The layers of docs/architecture.md, in both packages: a module imports only from modules of a lower layer, and
//! inside a module no files import each other in a circle. This test reads every path in the sources, in `use` trees
//! and inline.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The layer of each top-level module. Modules of one layer do not know each other.
type Layers = BTreeMap<String, u8>;

/// The heads of the tables in docs/architecture.md.
const ENGINE: &str = "| layer | module |";
const LAB: &str = "| layer | module in `lab/src/` |";

/// A path from the crate's root, such as `search`, `picker`, `MovePicker`; also names a module.
type ItemPath = Vec<String>;

/// A package.
struct Package {
    /// What its binary calls its library.
    name: &'static str,
    layers: Layers,
    /// The text of each source file, by its module.
    sources: BTreeMap<ItemPath, String>,
}

#[test]
fn modules_import_only_from_lower_layers() {
    let faults: Vec<String> = packages().iter().flat_map(|package| package.faults(upward_imports)).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn every_module_of_the_table_exists() {
    for package in packages() {
        let modules: BTreeSet<&String> = package.sources.keys().map(|module| &module[0]).collect();
        assert_eq!(package.layers.keys().collect::<BTreeSet<_>>(), modules, "{}", package.name);
    }
}

#[test]
fn files_of_a_module_do_not_import_each_other() {
    let faults: Vec<String> = packages().iter().flat_map(circles).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// No build compiles the imports of all systems.
#[test]
fn imported_modules_exist() {
    let faults: Vec<String> = packages().iter().flat_map(|package| package.faults(unknown_modules)).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// A reader finds what a file is for at its top, and every credit by the same search. `rustfmt` leaves long comments
/// alone.
#[test]
fn files_have_a_header_and_comments_one_form() {
    for (module, text) in packages().iter().flat_map(|package| &package.sources) {
        assert!(text.starts_with("//! "), "{module:?} begins without a header");
        let mut credits = text.lines().map(str::trim_start).filter(|line| line.contains("CITE:"));
        assert!(credits.all(|line| line.starts_with("// CITE: ")), "{module:?} has a credit in another form");
        let wide = text.lines().find(|line| line.trim_start().starts_with("//") && line.chars().count() > 120);
        assert!(wide.is_none(), "{module:?} has a comment of more than 120 columns: {wide:?}");
    }
}

/// As CONTRIBUTING.md says.
#[test]
fn files_have_at_most_500_lines() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["src", "tests", "benches", "lab/src", "lab/tests"] {
        let mut sources = BTreeMap::new();
        read(&root.join(folder), &[], &mut sources);
        assert!(!sources.is_empty(), "{folder}");
        for (module, text) in sources {
            let lines = text.lines().count();
            assert!(lines <= 500, "{folder}: {module:?} has {lines} lines");
        }
    }
}

fn packages() -> [Package; 2] {
    [("sleight", "src", ENGINE), ("sleight_lab", "lab/src", LAB)].map(|(name, folder, table)| {
        let mut sources = BTreeMap::new();
        read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &[], &mut sources);
        // It only lists the modules.
        sources.remove(["lib"].map(str::to_owned).as_slice()).unwrap();
        Package { name, layers: layers(table), sources }
    })
}

/// The layers in the table of docs/architecture.md with this head.
fn layers(head: &str) -> Layers {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.md")).unwrap();
    let mut layers = Layers::new();
    for row in text.lines().skip_while(|line| !line.starts_with(head)).skip(2).take_while(|line| line.starts_with('|'))
    {
        let [_, layer, modules, ..] = row.split('|').map(str::trim).collect::<Vec<_>>()[..] else { panic!("{row}") };
        // Folders and files, in backticks.
        for path in modules.split('`').skip(1).step_by(2) {
            layers.insert(path.trim_end_matches('/').trim_end_matches(".rs").to_owned(), layer.parse().unwrap());
        }
    }
    layers
}

impl Package {
    fn faults(&self, of_module: impl Fn(&ItemPath, &Self) -> Vec<String>) -> Vec<String> {
        self.sources.keys().flat_map(|module| of_module(module, self)).collect()
    }

    fn layer(&self, module: &str) -> Option<u8> {
        self.layers.get(module).copied()
    }
}

fn read(folder: &Path, module: &[String], sources: &mut BTreeMap<ItemPath, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let mut module = module.to_vec();
        let name = path.file_stem().unwrap().to_str().unwrap();
        if name != "mod" {
            module.push(name.to_owned());
        }
        if path.is_dir() {
            read(&path, &module, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sources.insert(module, fs::read_to_string(&path).unwrap());
        }
    }
}

/// One line for each import by `module` that the layers forbid.
fn upward_imports(module: &ItemPath, package: &Package) -> Vec<String> {
    let (name, own) = (module.join("::"), &module[0]);
    let Some(own_layer) = package.layer(own) else {
        return vec![format!("{own} has no layer in docs/architecture.md")];
    };
    let targets: BTreeSet<String> = imports(module, package).into_iter().map(|import| import.path[0].clone()).collect();
    let fault = |target: &String| match package.layer(target) {
        _ if target == own => None,
        Some(other) if other < own_layer => None,
        Some(other) => Some(format!("{name} (layer {own_layer}) uses {target} ({other})")),
        None => Some(format!("{name} uses {target}, which has no layer")),
    };
    targets.iter().filter_map(fault).collect()
}

/// One line for each path in `module` through a module that is no file, and that its parent does not mention, as it
/// would an inline or a re-exported one.
fn unknown_modules(module: &ItemPath, package: &Package) -> Vec<String> {
    let sources = &package.sources;
    let fault = |import: Import| {
        let path = &import.path;
        let parent = (1..path.len()).rev().map(|len| &path[..len]).find(|file| sources.contains_key(*file))?;
        // Modules are in lower case, types are not.
        let name = path[parent.len()..path.len() - 1].first().filter(|name| name.starts_with(char::is_lowercase))?;
        let mut tokens = Vec::new();
        flatten(sources[parent].parse().unwrap(), &mut tokens);
        (!tokens.contains(name)).then(|| format!("{}: no module {}", module.join("::"), path.join("::")))
    };
    imports(module, package).into_iter().filter_map(fault).collect()
}

/// One line for each pair of files of a top-level module of which each imports the other, maybe through further files.
///
/// A module and the ones inside it are no pair: it is made of them, and they see its private items. Unit tests may use
/// anything that builds what they test.
fn circles(package: &Package) -> Vec<String> {
    let sources = &package.sources;
    let mut reachable: BTreeSet<(&ItemPath, &ItemPath)> = BTreeSet::new();
    for module in sources.keys() {
        for import in imports(module, package).into_iter().filter(|import| !import.in_tests) {
            if let Some(file) = file_of(&import.path, package)
                && file[0] == module[0]
                && !file.starts_with(module)
                && !module.starts_with(file)
            {
                reachable.insert((module, file));
            }
        }
    }
    // Warshall's transitive closure.
    for via in sources.keys() {
        let to_via: Vec<_> = reachable.iter().filter(|(_, to)| *to == via).map(|&(from, _)| from).collect();
        let from_via: Vec<_> = reachable.iter().filter(|(from, _)| *from == via).map(|&(_, to)| to).collect();
        reachable.extend(to_via.iter().flat_map(|from| from_via.iter().map(move |to| (*from, *to))));
    }
    let both = reachable.iter().filter(|&&(a, b)| a < b && reachable.contains(&(b, a)));
    both.map(|(a, b)| format!("{} and {} import each other", a.join("::"), b.join("::"))).collect()
}

/// The file that defines what `path` leads to, behind the re-exports of modules.
fn file_of<'a>(path: &[String], package: &'a Package) -> Option<&'a ItemPath> {
    let (file, _) = (1..=path.len()).rev().find_map(|len| package.sources.get_key_value(&path[..len]))?;
    let Some(name) = path.get(file.len()) else { return Some(file) };
    let behind = imports(file, package).into_iter().find(|import| import.re_exports && import.name == *name);
    behind.map_or(Some(file), |import| file_of(&import.path, package))
}

/// A path in a source file that leads to an item of this crate.
struct Import {
    path: ItemPath,
    /// What the file calls it.
    name: String,
    /// True for `pub use` and the like.
    re_exports: bool,
    /// True inside `mod tests`.
    in_tests: bool,
}

fn imports(module: &ItemPath, package: &Package) -> Vec<Import> {
    let sources = &package.sources;
    let mut tokens = Vec::new();
    flatten(sources[module].parse().unwrap(), &mut tokens);
    let mut found = Vec::new();
    // Inline modules, with the brace depth inside each.
    let mut inline: Vec<(usize, String)> = Vec::new();
    let (mut depth, mut re_exports, mut at) = (0, false, 0);
    while at < tokens.len() {
        let next = |distance: usize| tokens.get(at + distance).map(String::as_str);
        let scope = || module.iter().chain(inline.iter().map(|(_, name)| name)).cloned();
        let starts = at == 0 || tokens[at - 1] != "::";
        let base: Option<ItemPath> = match tokens[at].as_str() {
            // The binary names its own library.
            word if (word == "crate" || word == package.name) && starts && next(1) == Some("::") => Some(Vec::new()),
            "super" if starts => Some(scope().take(module.len() + inline.len() - 1).collect()),
            "self" if starts && next(1) == Some("::") => Some(scope().collect()),
            word if starts && next(1) == Some("::") => {
                Some(scope().chain([word.to_owned()]).collect()).filter(|child| sources.contains_key(child))
            }
            _ => None,
        };
        match tokens[at].as_str() {
            "{" => depth += 1,
            "}" => {
                inline.retain(|&(inside, _)| inside != depth);
                depth -= 1;
            }
            "mod" if next(2) == Some("{") => inline.push((depth + 1, tokens[at + 1].clone())),
            "use" => re_exports = at > 0 && ["pub", ")"].contains(&tokens[at - 1].as_str()),
            ";" => re_exports = false,
            _ => {}
        }
        at += 1;
        if let Some(base) = base {
            let in_tests = inline.iter().any(|(_, name)| name == "tests");
            at = expand(&tokens, at, base, &mut |path, name| found.push(Import { path, name, re_exports, in_tests }));
        }
    }
    found
}

/// Follows a path, and the tree that it may end in, from the token after `path` on. Returns where it ends.
fn expand(tokens: &[String], mut at: usize, mut path: ItemPath, found: &mut impl FnMut(ItemPath, String)) -> usize {
    let token = |at: usize| tokens.get(at).map_or("", String::as_str);
    while token(at) == "::" {
        at += 2;
        match token(at - 1) {
            "{" => {
                while token(at) != "}" {
                    let branch = match token(at) {
                        "self" => path.clone(),
                        "super" => path[..path.len().saturating_sub(1)].to_vec(),
                        name => [&path[..], &[name.to_owned()]].concat(),
                    };
                    at = expand(tokens, at + 1, branch, found);
                    at += usize::from(token(at) == ",");
                }
                return at + 1;
            }
            "super" => drop(path.pop()),
            "*" | "<" => break,
            name => path.push(name.to_owned()),
        }
    }
    let name = if token(at) == "as" { token(at + 1) } else { path.last().map_or("", String::as_str) };
    found(path.clone(), name.to_owned());
    at
}

/// Words and signs, without comments. Braces are needed to follow scopes and trees, and round brackets are the end of a
/// visibility: square ones are kept apart, since attributes, documentation among them, stand before an import as well.
fn flatten(stream: TokenStream, tokens: &mut Vec<String>) {
    for tree in stream {
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    _ => ("(", ")"),
                };
                tokens.push(open.to_owned());
                flatten(group.stream(), tokens);
                tokens.push(close.to_owned());
            }
            TokenTree::Punct(sign) if sign.as_char() == ':' && tokens.last().is_some_and(|last| last == ":") => {
                tokens.pop();
                tokens.push("::".to_owned());
            }
            other => tokens.push(other.to_string()),
        }
    }
}

/// Sources as the tests below plant them: the path of each module, and its text.
fn planted(files: &[(&str, &str)]) -> Package {
    let source = |&(module, text): &(&str, &str)| (module.split("::").map(str::to_owned).collect(), text.to_owned());
    Package { name: "sleight", layers: layers(ENGINE), sources: files.iter().map(source).collect() }
}

/// The checker itself must be able to fail.
#[test]
fn planted_upward_imports_are_found() {
    for (module, text) in [
        ("types::moves", "use crate::position::Position;"),
        ("tt", "use crate::{types::Key, util::{Rng, prefetch}, search};"),
        ("position::fen", "fn f() -> usize { crate::movegen::count() }"),
        ("position::fen", "use super::super::movegen;"),
        ("tt", "use super::{history::Histories, types::Score};"),
        ("search::node", "mod tests { use super::super::super::engine::Engine; }"),
        ("search", "fn f() { crate::search::g(); crate::uci::run(); }"),
        ("engine", "use crate::openings;"),
        ("uci", "pub(in crate::cli) fn f() {}"),
        ("notation", "use crate::unheard_of::Thing;"),
        ("search", "fn f() { let x = '\"'; assert!(crate::engine::g()) } // \""),
    ] {
        assert_eq!(planted(&[(module, text)]).faults(upward_imports).len(), 1, "{module}: {text}");
    }
}

#[test]
fn planted_circles_are_found() {
    let faults = |files: &[(&str, &str)]| circles(&planted(files));
    let ring = [("a::b", "use super::c::C;"), ("a::c", "fn f() { super::d::g() }"), ("a::d", "use crate::a::{b::B};")];
    assert_eq!(faults(&ring).len(), 3);
    assert_eq!(faults(&ring[..2]), [""; 0]);
    assert_eq!(faults(&[("a", "use b::f; struct A;"), ("a::b", "use super::A;")]), [""; 0]);
    let back = ("a::c", "use super::b::B as _;");
    assert_eq!(faults(&[("a::b", "mod d { use super::super::c; }"), back]), ["a::b and a::c import each other"]);
    assert_eq!(faults(&[("a::b", "mod tests { use super::super::c; }"), back]), [""; 0]);
    // What a module re-exports belongs to the file behind.
    let behind = [("a", "mod b; pub use b::B as A;"), ("a::b", "use super::c;"), ("a::c", "use super::{A};")];
    assert_eq!(faults(&behind), ["a::b and a::c import each other"]);
    assert_eq!(faults(&[("a", "mod b; pub use b::B;"), ("a::b", "pub struct B;"), ("a::c", "use super::B;")]), [""; 0]);
    // A file may pass on what is another's, and then needs that other all the same.
    assert_eq!(faults(&[("a::b", "pub(super) use super::c::C;"), back]), ["a::b and a::c import each other"]);
    // An attribute imports, too.
    let attribute = ("a::b", "#[arg(default_value_t = super::c::C)] struct B;");
    assert_eq!(faults(&[attribute, back]), ["a::b and a::c import each other"]);
    // What stands before an import, its file's documentation too, does not hide it.
    for before in [
        "//! Words.\n",
        "/// Words.\n",
        "#![deny(missing_docs)]",
        "#[cfg(loom)]",
        "//! W.\n\n#[cfg(unix)] #[rustfmt::skip]",
    ] {
        let documented = format!("{before} use super::c::C;");
        assert_eq!(faults(&[("a::b", &documented), back]), ["a::b and a::c import each other"], "{documented}");
        let documented = format!("{before} pub(crate) use c::C;");
        assert_eq!(faults(&[("a", &documented), ("a::c", "use super::b;"), ("a::b", "use super::C;")]).len(), 1);
    }
}

#[test]
fn planted_unknown_modules_are_found() {
    let faults =
        |text: &str| planted(&[("a", "mod b; mod d { } pub use b::e;"), ("a::b", text)]).faults(unknown_modules);
    assert_eq!(faults("use super::{c::f, d::f};"), ["a::b: no module a::c::f"]);
    assert_eq!(faults("fn f() { crate::a::c::g() }").len(), 1);
    assert_eq!(faults("use super::{c, d::f, e::f}; use crate::a::{B::C, b::f};"), [""; 0]);
}

#[test]
fn innocent_sources_pass() {
    for (module, text) in [
        ("search::node", "use crate::{eval, types::{Move, Score}}; use super::picker; use std::fmt;"),
        ("search::node", "mod tests { use super::super::picker; use super::*; }"),
        ("types", "// crate::search\n/* crate::uci /* nested */ crate::cli */ const A: &str = \"crate::search\";"),
        ("types", "/// See [`Position`](crate::position::Position).\nconst R: &str = r#\"crate::uci \" \"#;"),
        ("uci", "pub(crate) fn f<'a>(x: &'a str) { self::g(x); super::bench::run() }"),
        ("main", "fn main() { sleight::cli::run() }"),
    ] {
        assert_eq!(planted(&[(module, text)]).faults(upward_imports), [""; 0], "{text}");
    }
}
