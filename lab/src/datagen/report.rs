//! The display of a survey, with histograms.

use std::fmt;

use indicatif::{HumanBytes, HumanCount};

use super::survey::{Bin, PIECE_COUNT_BINS, SCORE_BINS, Survey};

/// The length of the longest bar, in characters.
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
        writeln!(f, "{:>13}  positions, {mean:.1} per game", count(self.positions))?;
        writeln!(f, "{:>13}  further plies without a score", count(self.without_score))?;
        writeln!(f, "{:>13}  plies in the longest game", count(self.longest))?;
        writeln!(f, "{:>11.1} %  in check", of_positions(self.in_check))?;
        writeln!(f, "{:>11.1} %  with a noisy best move", of_positions(self.noisy))?;
        writeln!(f, "{:>11.1} %  quiet: with neither, and without a mate score", of_positions(self.quiet))?;
        writeln!(f, "{:>11.1} %  duplicates", 100.0 * self.duplicate_share())?;
        writeln!(f, "{:>13}  duplicate games", count(self.same_games))?;
        if self.positions > 0 {
            self.write_scores(f)?;
            self.write_piece_counts(f)?;
        }
        if let Some(model) = self.wins.fit() {
            let (half_won, steepness) = (model.half_won, model.steepness);
            writeln!(
                f,
                "\n{half_won:>13.0}  internal units win half of the games; steepness {steepness:.0} (src/eval/wdl.rs)"
            )?;
        }
        self.write_errors(f)
    }
}

impl Survey {
    fn write_scores(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n    score of the side ahead, in internal units; its points; share of positions")?;
        for (index, bin) in self.scores.iter().enumerate() {
            let name = match (SCORE_BINS.get(index), SCORE_BINS.get(index + 1)) {
                (Some(from), Some(next)) => format!("{from}-{}", next - 1),
                (Some(from), None) => format!("{from}-"),
                _ => "mate".to_owned(),
            };
            self.write_bin(f, &name, bin)?;
        }
        Ok(())
    }

    fn write_piece_counts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n   pieces on the board; points of the side ahead; share of positions")?;
        let size = 32 / PIECE_COUNT_BINS;
        for (index, bin) in self.piece_counts.iter().enumerate() {
            self.write_bin(f, &format!("{}-{}", index * size + 1, (index + 1) * size), bin)?;
        }
        Ok(())
    }

    fn write_bin(&self, f: &mut fmt::Formatter<'_>, name: &str, bin: &Bin) -> fmt::Result {
        let share = percent(bin.positions, self.positions);
        let points = bin.points / bin.positions.max(1) as f64;
        let bar = "#".repeat((share / 100.0 * BAR).round() as usize);
        let line = format!("{name:>13}  {points:.2}  {share:>5.1} %  {bar}");
        writeln!(f, "{}", line.trim_end())
    }

    fn write_errors(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.truncated > 0 {
            writeln!(f, "\nfiles that end within a game, as while they are written: {}", self.truncated)?;
        }
        if self.error_count > 0 {
            writeln!(f, "\nerrors: {}", self.error_count)?;
        }
        for error in &self.errors {
            writeln!(f, "  {error}")?;
        }
        Ok(())
    }
}

/// Digits in groups of three, as a string that can be aligned.
fn count(number: u64) -> String {
    HumanCount(number).to_string()
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}
