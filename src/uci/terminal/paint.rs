//! What the terminal can do: its width, its colors, and whether a line can be written over.

use console::{Style, Term, is_dumb};

/// The terminal behind standard output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Paint {
    pub(super) colors: bool,
    /// Whether the cursor can be moved.
    pub(super) moves: bool,
}

impl Paint {
    /// As the environment has it: `NO_COLOR` takes the colors, and a dumb terminal does nothing but print.
    pub(super) fn detect() -> Self {
        Self { colors: Term::stdout().features().colors_supported(), moves: !is_dumb() }
    }

    pub(super) fn paint(self, style: &Style, text: &str) -> String {
        style.clone().force_styling(self.colors).apply_to(text).to_string()
    }

    pub(super) fn dim(self, text: &str) -> String {
        self.paint(&Style::new().dim(), text)
    }

    pub(super) fn bold(self, text: &str) -> String {
        self.paint(&Style::new().bold(), text)
    }

    pub(super) fn warn(self, text: &str) -> String {
        self.paint(&Style::new().red().bold(), text)
    }
}

/// Whether standard output is a terminal.
pub(in super::super) fn is_present() -> bool {
    Term::stdout().features().is_attended()
}

/// Rows and columns of the window, as they are now.
pub(super) fn size() -> (usize, usize) {
    let (rows, columns) = Term::stdout().size();
    // A window that nobody has given a size is taken for the usual one.
    let given = |size: u16, usual| if size == 0 { usual } else { usize::from(size) };
    (given(rows, 24), given(columns, 80))
}
