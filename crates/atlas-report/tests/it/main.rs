mod fold;
mod mission;
mod report;
mod support;
