//! The subcommand `data`: a summary of files of games.

use std::{error::Error, path::PathBuf};

use clap::Args;

use super::print;
use crate::datagen::Survey;

#[derive(Args, Debug)]
pub(super) struct Data {
    /// Files of training data, as `sleight-lab datagen` writes them
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

impl Data {
    /// Prints a summary of the files.
    ///
    /// # Errors
    /// When a part of a file cannot be read.
    pub(super) fn run(&self) -> Result<(), Box<dyn Error>> {
        let survey = Survey::of(&self.files);
        print(survey.to_string().trim_end());
        match survey.error_count {
            0 => Ok(()),
            1 => Err("an error in the files".into()),
            errors => Err(format!("{errors} errors in the files").into()),
        }
    }
}
