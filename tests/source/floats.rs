//! Play is the same on every platform: the engine calls no floating-point function whose result the standard library
//! leaves to the platform. The crate `libm` has them all, with the same result everywhere. Self-play is covered, too;
//! the trainer is not, since its networks are the same everywhere once they are trained.

use std::{fs, path::Path};

use proc_macro2::{TokenStream, TokenTree};

/// The methods of `f32` and `f64` that are documented to have an unspecified precision, by name.
const UNSPECIFIED: [&str; 30] = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "cos",
    "cosh",
    "exp",
    "exp2",
    "exp_m1",
    "gamma",
    "hypot",
    "ln",
    "ln_1p",
    "ln_gamma",
    "log",
    "log10",
    "log2",
    "powf",
    "powi",
    "sin",
    "sin_cos",
    "sinh",
    "tan",
    "tanh",
    "to_degrees",
    "to_radians",
];

#[test]
fn no_result_depends_on_the_math_library_of_the_platform() {
    let mut faults = Vec::new();
    for sources in ["src", "lab/src/datagen"] {
        check(&Path::new(env!("CARGO_MANIFEST_DIR")).join(sources), &mut faults);
    }
    assert!(faults.is_empty(), "use the crate libm:\n{}", faults.join("\n"));
}

fn check(path: &Path, faults: &mut Vec<String>) {
    if path.is_dir() {
        fs::read_dir(path).unwrap().for_each(|entry| check(&entry.unwrap().path(), faults));
    } else if path.extension().is_some_and(|extension| extension == "rs") {
        let text = fs::read_to_string(path).unwrap();
        faults.extend(calls(&text).into_iter().map(|name| format!("{}: {name}", path.display())));
    }
}

/// The names in [`UNSPECIFIED`] that follow a dot, or `f32::` or `f64::`.
fn calls(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    visit(source.parse().unwrap(), &mut found);
    found
}

fn visit(stream: TokenStream, found: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let words: Vec<String> = tokens.iter().map(word).collect();
    for (at, token) in tokens.iter().enumerate() {
        let before = |distance: usize| at.checked_sub(distance).map_or("", |at| &words[at]);
        if let TokenTree::Group(group) = token {
            visit(group.stream(), found);
        } else if UNSPECIFIED.contains(&words[at].as_str()) {
            let called = matches!(tokens.get(at + 1), Some(TokenTree::Group(_)));
            let of_floats = before(1) == ":" && ["f32", "f64"].contains(&before(3));
            if of_floats || before(1) == "." && called {
                found.push(words[at].clone());
            }
        }
    }
}

fn word(token: &TokenTree) -> String {
    if let TokenTree::Group(_) = token { String::new() } else { token.to_string() }
}

/// The checker itself must be able to fail.
#[test]
fn planted_calls_are_found() {
    assert_eq!(calls("fn f(x: f32) -> f32 { g(x as f32).ln() + [1.0].map(|y| y.powi(2))[0] }"), ["ln", "powi"]);
    assert_eq!(calls("static LN: [f64; 1] = [2.0_f64].map(f64::ln);"), ["ln"]);
    assert_eq!(calls("vec![x.exp2()]"), ["exp2"]);
    let innocent = "fn f() { log::warn!(\"{}\", libm::exp(x.sqrt()).round()); self.log = n.ilog2(); /* x.ln() */ }";
    assert_eq!(calls(innocent), [""; 0]);
}
