//! The slider laboratory; with the feature `lab` also self-play.

#[cfg(feature = "lab")]
mod datagen_format;
#[cfg(feature = "lab")]
mod datagen_run;
#[cfg(feature = "lab")]
mod datagen_survey;
mod sliders;
