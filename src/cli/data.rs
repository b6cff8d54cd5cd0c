use std::{error::Error, path::PathBuf};

use clap::Args;

use crate::{datagen::Survey, uci::print};

#[derive(Args, Debug)]
pub(super) struct Data {
    /// Files of games, as `sleight datagen` writes them
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

impl Data {
    /// Prints what is in the files; fails if something in them cannot be read.
    pub(super) fn run(&self) -> Result<(), Box<dyn Error>> {
        let survey = Survey::of(&self.files);
        print(survey.to_string().trim_end());
        match survey.errors.len() {
            0 => Ok(()),
            1 => Err("an error in the files".into()),
            errors => Err(format!("{errors} errors in the files").into()),
        }
    }
}
