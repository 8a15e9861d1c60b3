//! The `atlas-scatter` skill: how a host drives a mission. The same text as a prompt, and as a file for
//! hosts that read skills from disk.

/// Name of the skill and of the prompt.
pub const SKILL_NAME: &str = "atlas-scatter";

/// One line about it, for lists.
pub const SKILL_DESCRIPTION: &str = "Scout a large repository with several questions at once: plan, one branch for each part, gather checked findings. Read-only.";

/// How it is done.
pub const SKILL_BODY: &str = include_str!("skill.md");

/// The skill as a file with front matter.
#[must_use]
pub fn skill() -> String {
    format!("---\nname: {SKILL_NAME}\ndescription: {SKILL_DESCRIPTION}\n---\n\n{SKILL_BODY}")
}
