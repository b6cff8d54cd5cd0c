//! What stands on the screen: a prompt, or lines that are written over as a search goes on.

use super::{
    super::print::put,
    paint::{Paint, size},
};

/// The end of the screen, where we write.
pub(super) struct Screen {
    pub(super) paint: Paint,
    /// The cursor stands behind a prompt.
    prompted: bool,
    block: Option<Block>,
}

/// Rows with a footer behind which the cursor stands.
struct Block {
    rows: usize,
    /// Lines that the person has ended since, each of which took the cursor down by one.
    typed: usize,
    /// The width of the window: when it changes, so may the number of rows.
    width: usize,
}

impl Block {
    /// Back to the start of the first row; where that is not known, to the start of a line with nothing of ours on it.
    fn home(&self) -> String {
        let up = self.rows + self.typed;
        match (self.width == size().1, self.typed) {
            (true, _) if up > 0 => format!("\r\x1b[{up}A"),
            (true, _) => "\r".to_owned(),
            (false, 0) => "\n".to_owned(),
            (false, _) => String::new(),
        }
    }
}

impl Screen {
    pub(super) fn new(paint: Paint) -> Self {
        Self { paint, prompted: false, block: None }
    }

    /// The person has ended a line.
    pub(super) fn typed(&mut self) {
        self.prompted = false;
        if let Some(block) = &mut self.block {
            block.typed += 1;
        }
    }

    /// Writes lines where there is nothing yet; what has been updated so far stays above them.
    pub(super) fn say(&mut self, text: &str) {
        put(&[self.free_line(), text, "\n"]);
    }

    /// What takes the cursor to the start of an empty line.
    pub(super) fn free_line(&mut self) -> &'static str {
        let prompted = std::mem::take(&mut self.prompted);
        let in_footer = self.block.take().is_some_and(|block| block.typed == 0);
        match (prompted || in_footer, self.paint.moves) {
            (false, _) => "",
            (true, true) => "\r\x1b[K",
            (true, false) => "\n",
        }
    }

    pub(super) fn prompt(&mut self, text: &str) {
        if !self.prompted {
            put(&[self.free_line(), text]);
            self.prompted = true;
        }
    }

    /// The person has ended the input, which leaves the cursor where it is: behind the prompt.
    pub(super) fn part(&mut self) {
        if self.prompted {
            put(&["\n"]);
        }
        self.prompted = false;
    }

    /// Shows rows in place of those that were shown last. Each fits the window's width.
    pub(super) fn update(&mut self, rows: &[String], footer: &str) {
        let width = size().1;
        let same = |block: &Block| block.width == width && block.typed == 0 && block.rows == rows.len();
        if self.block.as_ref().is_some_and(same) {
            // The cursor goes back to where it was: the person may be typing there.
            let rows: String = rows.iter().map(|row| format!("{row}\x1b[K\n")).collect();
            let home = self.block.as_ref().map_or_else(String::new, Block::home);
            put(&["\x1b7", &home, &rows, "\x1b8"]);
            return;
        }
        self.clear();
        put(&[self.free_line(), &rows.join("\n"), "\n", footer]);
        self.block = Some(Block { rows: rows.len(), typed: 0, width });
    }

    /// Takes the rows away.
    pub(super) fn clear(&mut self) {
        if let Some(block) = self.block.take() {
            put(&[&block.home(), "\x1b[J"]);
        }
    }
}
