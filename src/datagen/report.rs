//! A survey in words and bars.

use std::fmt;

use indicatif::{HumanBytes, HumanCount};

use super::survey::{MEN_ROWS, Row, SCORE_ROWS, Survey};

/// Errors that are printed; the others are counted.
const SHOWN_ERRORS: usize = 10;
/// The longest bar, in signs.
const BAR: f64 = 40.0;

impl fmt::Display for Survey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of_games = |count: u64| percent(count, self.games);
        let of_positions = |count: u64| percent(count, self.positions);
        let [black, draws, white] = self.outcomes.map(of_games);
        let mean = self.positions as f64 / self.games.max(1) as f64;
        writeln!(f, "{:>13}  files, {}", count(self.files), HumanBytes(self.bytes))?;
        writeln!(
            f,
            "{:>13}  games: White wins {white:.1} %, draws {draws:.1} %, Black wins {black:.1} %",
            count(self.games)
        )?;
        writeln!(f, "{:>13}  positions, {mean:.1} a game, {} in the longest", count(self.positions), self.longest)?;
        writeln!(f, "{:>11.1} %  in check", of_positions(self.in_check))?;
        writeln!(f, "{:>11.1} %  with a noisy move", of_positions(self.noisy))?;
        writeln!(f, "{:>11.1} %  with neither, and no mate in sight", of_positions(self.quiet))?;
        writeln!(f, "{:>11.1} %  seen before", 100.0 * self.duplicate_share())?;
        writeln!(f, "{:>13}  games played before", count(self.same_games))?;
        if self.positions > 0 {
            self.write_scores(f)?;
            self.write_men(f)?;
        }
        if let Some(model) = self.wins.fit() {
            let (half_won, steepness) = (model.half_won, model.steepness);
            writeln!(f, "\n{half_won:>11.0} cp  wins half of the games; steepness {steepness:.0} cp (src/eval.rs)")?;
        }
        self.write_errors(f)
    }
}

impl Survey {
    fn write_scores(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n    score of the side ahead, in centipawns; the points it gets; share of positions")?;
        for (index, row) in self.scores.iter().enumerate() {
            let name = match (SCORE_ROWS.get(index), SCORE_ROWS.get(index + 1)) {
                (Some(from), Some(next)) => format!("{from}-{}", next - 1),
                (Some(from), None) => format!("{from}-"),
                _ => "mate".to_owned(),
            };
            self.write_row(f, &name, row)?;
        }
        Ok(())
    }

    fn write_men(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n      men on the board; points of the side ahead; share of positions")?;
        let size = 32 / MEN_ROWS;
        for (index, row) in self.men.iter().enumerate() {
            self.write_row(f, &format!("{}-{}", index * size + 1, (index + 1) * size), row)?;
        }
        Ok(())
    }

    fn write_row(&self, f: &mut fmt::Formatter<'_>, name: &str, row: &Row) -> fmt::Result {
        let share = percent(row.positions, self.positions);
        let points = row.points / row.positions.max(1) as f64;
        let bar = "#".repeat((share / 100.0 * BAR).round() as usize);
        let line = format!("{name:>13}  {points:.2}  {share:>5.1} %  {bar}");
        writeln!(f, "{}", line.trim_end())
    }

    fn write_errors(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.torn > 0 {
            writeln!(f, "\nfiles that end within a game, as they do while they are written: {}", self.torn)?;
        }
        if !self.errors.is_empty() {
            writeln!(f, "\nerrors: {}", self.errors.len())?;
        }
        for error in self.errors.iter().take(SHOWN_ERRORS) {
            writeln!(f, "  {error}")?;
        }
        Ok(())
    }
}

/// Digits in groups of three. A string, for it is to be aligned.
fn count(number: u64) -> String {
    HumanCount(number).to_string()
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}
