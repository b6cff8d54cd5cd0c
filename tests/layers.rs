//! The house has floors: a module imports only from modules of a lower rank. This test reads the sources and checks
//! every `crate::…` and `super::…` path, in `use` trees and inline, against the table below.

use std::{fs, path::Path};

/// Every top-level module and its rank. Same rank means "may not know each other".
const RANKS: &[(&str, u8)] = &[
    ("util", 0),
    ("params", 0),
    ("types", 1),
    ("attacks", 2),
    ("tt", 2),
    ("history", 2),
    ("clock", 2),
    ("position", 3),
    ("movegen", 4),
    ("nnue", 4),
    ("perft", 5),
    ("notation", 5),
    ("syzygy", 5),
    ("eval", 5),
    ("search", 6),
    ("engine", 7),
    ("datagen", 7),
    ("bench", 8),
    ("lab", 8),
    ("train", 8),
    ("uci", 9),
    ("cli", 10),
    ("main", 11),
];

fn rank(module: &str) -> Option<u8> {
    RANKS.iter().find(|(name, _)| *name == module).map(|&(_, rank)| rank)
}

#[test]
fn every_module_imports_only_from_lower_ranks() {
    let mut faults = Vec::new();
    let mut files = 0;
    visit(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), &mut Vec::new(), &mut |module, text| {
        files += 1;
        faults.extend(violations(module, text));
    });
    assert!(files > 10, "only {files} source files were found");
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// The checker itself must be able to fail.
#[test]
fn planted_violations_are_found() {
    let planted: &[(&[&str], &str)] = &[
        (&["types", "moves"], "use crate::position::Position;"),
        (&["tt"], "use crate::{types::Key, util::{Rng, prefetch}, search};"),
        (&["position", "fen"], "fn f() -> usize { crate::movegen::count() }"),
        (&["position", "fen"], "use super::super::movegen;"),
        (&["tt"], "use super::{clock::Limits, types::Score};"),
        (&["search", "node"], "mod tests { use super::super::super::engine::Engine; }"),
        (&["search"], "fn f() { crate::search::g(); crate::uci::run(); }"),
        (&["engine"], "use crate::datagen;"),
        (&["uci"], "pub(in crate::cli) fn f() {}"),
        (&["notation"], "use crate::unheard_of::Thing;"),
        (&["types"], "use crate::*;"),
        (&["search"], "fn f() { let x = '\"'; crate::engine::g() } // \""),
    ];
    for (module, source) in planted {
        let module: Vec<String> = module.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(violations(&module, source).len(), 1, "{module:?}: {source}");
    }
}

#[test]
fn innocent_sources_pass() {
    let innocent: &[(&[&str], &str)] = &[
        (&["search", "node"], "use crate::{eval, types::{Move, Score}}; use super::picker; use std::fmt;"),
        (&["search", "node"], "mod tests { use super::super::picker; use super::*; }"),
        (&["types"], "// crate::search\n/* crate::uci /* nested */ crate::cli */ const A: &str = \"crate::search\";"),
        (&["types"], "/// See [`Position`](crate::position::Position).\nconst R: &str = r#\"crate::uci \" \"#;"),
        (&["uci"], "pub(crate) fn f<'a>(x: &'a str) { self::g(x); super::bench::run() }"),
        (&["main"], "fn main() { sleight::cli::run() }"),
    ];
    for (module, source) in innocent {
        let module: Vec<String> = module.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(violations(&module, source), [""; 0], "{source}");
    }
}

/// Calls `check` with the module path and text of every source file but `lib.rs`, which only lists the modules.
fn visit(folder: &Path, module: &mut Vec<String>, check: &mut impl FnMut(&[String], &str)) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            module.push(name);
            visit(&path, module, check);
            module.pop();
        } else if path.extension().is_some_and(|ext| ext == "rs") && !(module.is_empty() && name == "lib") {
            let text = fs::read_to_string(&path).unwrap();
            if name == "mod" {
                check(module, &text);
            } else {
                module.push(name);
                check(module, &text);
                module.pop();
            }
        }
    }
}

/// One line for each import in `text`, the source of `module`, that the table forbids.
fn violations(module: &[String], text: &str) -> Vec<String> {
    let own = module[0].as_str();
    let Some(own_rank) = rank(own) else {
        return vec![format!("`{own}` has no rank in tests/layers.rs")];
    };
    let tokens = tokens(text);
    let mut faults = Vec::new();
    for target in top_level_targets(module, &tokens) {
        if target == own {
            continue;
        }
        match rank(&target) {
            Some(other) if other < own_rank => {}
            Some(other) => faults.push(format!("{} (rank {own_rank}) uses {target} ({other})", module.join("::"))),
            None => faults.push(format!("{} uses {target}, which has no rank", module.join("::"))),
        }
    }
    faults
}

/// The top-level modules that the paths in `tokens` lead to.
fn top_level_targets(module: &[String], tokens: &[String]) -> Vec<String> {
    let mut targets = Vec::new();
    // The brace depth at which each inline module was opened: one more `super` is needed inside.
    let mut inline = Vec::new();
    let mut depth = 0;
    let mut at = 0;
    while at < tokens.len() {
        let starts_path = at == 0 || tokens[at - 1] != "::";
        match tokens[at].as_str() {
            "{" => depth += 1,
            "}" => {
                inline.retain(|&opened| opened != depth);
                depth -= 1;
            }
            "mod" if tokens.get(at + 2).is_some_and(|t| t == "{") => inline.push(depth + 1),
            // The binary names its own library.
            "crate" | "sleight" if starts_path => follow(tokens, at + 1, 0, &mut targets),
            "super" if starts_path => {
                let supers = tokens[at..].iter().step_by(2).take_while(|t| *t == "super").count();
                let level = (module.len() + inline.len()).saturating_sub(supers);
                let end = at + 2 * supers - 1;
                follow(tokens, end, level, &mut targets);
                at = end - 1;
            }
            _ => {}
        }
        at += 1;
    }
    targets
}

/// Adds what follows a path that stands `level` modules below the crate root; `at` is the `::` after it, if any.
fn follow(tokens: &[String], at: usize, level: usize, targets: &mut Vec<String>) {
    if level > 0 || tokens.get(at).is_none_or(|t| t != "::") {
        return;
    }
    match tokens.get(at + 1).map(String::as_str) {
        Some("{") => {
            let mut depth = 1;
            let mut head = true;
            for token in &tokens[at + 2..] {
                match token.as_str() {
                    "{" => depth += 1,
                    "}" => depth -= 1,
                    "," => head = depth == 1,
                    name if head && depth == 1 => {
                        targets.push(name.to_owned());
                        head = false;
                    }
                    _ => {}
                }
                if depth == 0 {
                    break;
                }
            }
        }
        Some(name) => targets.push(name.to_owned()),
        None => {}
    }
}

/// Identifiers, `::` and single signs, without comments, strings and characters.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let skip = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            block_comment(rest)
        } else if let Some(length) = raw_string(rest) {
            length
        } else if first == '"' {
            quoted(rest, '"')
        } else if first == '\'' {
            character_or_lifetime(rest)
        } else if first.is_alphanumeric() || first == '_' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            tokens.push(rest[..end].to_owned());
            end
        } else if rest.starts_with("::") {
            tokens.push("::".to_owned());
            2
        } else {
            if !first.is_whitespace() {
                tokens.push(first.to_string());
            }
            first.len_utf8()
        };
        rest = &rest[skip..];
    }
    tokens
}

fn block_comment(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        let here = &text.as_bytes()[at..];
        if here.starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if here.starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    text.len()
}

/// The length of `r"…"`, `br#"…"#` and the like, if `text` starts with one.
fn raw_string(text: &str) -> Option<usize> {
    let after_r = text.strip_prefix("br").or_else(|| text.strip_prefix('r'))?;
    let body = after_r.trim_start_matches('#');
    let hashes = after_r.len() - body.len();
    let body = body.strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(hashes));
    let start = text.len() - body.len();
    Some(body.find(&close).map_or(text.len(), |end| start + end + close.len()))
}

fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, sign) in text.char_indices().skip(1) {
        match sign {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if sign == quote => return at + sign.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

fn character_or_lifetime(text: &str) -> usize {
    let mut signs = text.chars().skip(1);
    match (signs.next(), signs.next()) {
        (Some('\\'), _) | (_, Some('\'')) => quoted(text, '\''),
        _ => 1,
    }
}
