//! The plan as people read it.

use crate::world::{Question, World};
use atlas_plan::explain;

#[test]
fn a_scattered_plan_says_who_asks_what_where_and_why() {
    let mut world = World::of_three_islands(vec![
        Question { text: "Which functions write the audit log?", ..Question::in_scope("auth/**") },
        Question { text: "Where is the session cookie signed?", ..Question::in_scope("web/**") },
        Question { text: "For each of those functions, which tests exist?", ..Question::in_scope("auth/a[0-5].py") },
    ]);
    world.mission.sub_questions[2].depends_on.push(atlas_artifact::DtId(1));
    assert_eq!(explain(&world.plan(), &world.mission), include_str!("explained/scatter.md"));
}

#[test]
fn a_serial_plan_says_what_keeps_the_gate_closed() {
    let world = World::new(&["a/x.py", "a/y.py", "README.md"], &[(0, 1, 2)], vec![Question::in_scope("a/**")]);
    assert_eq!(explain(&world.plan(), &world.mission), include_str!("explained/serial.md"));
}
