//! What a receiver is: locals, patterns, wrappers, iterators, fields, results.

use super::check;

const HEAD: &str = r#"
=== Cargo.toml
[package]
name = "app"
=== src/lib.rs
mod u;
pub struct Conn { peer: Option<Box<Conn>>, log: Logger, tags: Vec<Tag> }
#[derive(Clone, Debug, Default)]
pub struct Logger;
pub struct Tag(pub Logger, u8);
pub enum Msg { Quit, Text(Logger), Move { by: Tag } }
pub const MAIN: Logger = Logger;
pub static LOG: Logger = Logger;

impl Conn {
    pub fn ping(&self) -> bool { true }
    pub fn peer(&self) -> Option<&Conn> { None }
    pub fn all() -> Vec<Conn> { vec![] }
    pub async fn dial(s: &str) -> Result<Conn, Logger> { todo!() }
}
impl Logger { pub fn info(&self, s: &str) {} pub fn child(&self) -> Self { Logger } }
impl Tag { pub fn show(&self) {} }
impl Msg { pub fn kind(&self) -> Logger { Logger } }
pub fn pair() -> (Conn, Logger) { todo!() }
"#;

fn with_head(body: &str) {
    check(&format!("{HEAD}=== src/u.rs\nuse super::*;\nuse std::sync::{{Arc, Mutex}};\n{body}"));
}

#[test]
fn let_bindings_and_shadowing() {
    with_head(
        r#"
fn go(x: Logger) {
    x.info("a");
      ^^^^ ~ call src/lib.rs:Logger.info EXTRACTED
    let x = Tag(x, 1);
            ^^^ ~ construct src/lib.rs:Tag EXTRACTED
    x.show();
      ^^^^ ~ call src/lib.rs:Tag.show EXTRACTED
    let x = x.0;
    x.info("b");
      ^^^^ ~ call src/lib.rs:Logger.info EXTRACTED
    {
        let x = Conn::all();
        x[0].ping();
             ^^^^ ~ call src/lib.rs:Conn.ping EXTRACTED
    }
    x.child().info("c");
      ^^^^^ ~ call src/lib.rs:Logger.child EXTRACTED
              ^^^^ ~ call src/lib.rs:Logger.info EXTRACTED
    let (conn, mut log) = pair();
    conn.ping();
         ^^^^ ~ call src/lib.rs:Conn.ping EXTRACTED
    log.info("d");
        ^^^^ ~ call src/lib.rs:Logger.info EXTRACTED
    let (a, b): (Tag, Conn) = todo!();
    a.show();
      ^^^^ ~ call src/lib.rs:Tag.show EXTRACTED
    let c = if true { Logger } else { x.child() };
    c.info("e");
      ^^^^ ~ call src/lib.rs:Logger.info EXTRACTED
    let d = { let inner = Tag(c, 1); inner };
    d.show();
      ^^^^ ~ call src/lib.rs:Tag.show EXTRACTED
    MAIN.info("f");
         ^^^^ ~ call src/lib.rs:Logger.info EXTRACTED
    crate::LOG.info("g");
               ^^^^ ~ call src/lib.rs:Logger.info EXTRACTED
    let e = x.clone();
    e.info("h");
      ^^^^ ~ call src/lib.rs:Logger.info EXTRACTED
    let f = Logger::default();
    f.info("i");
      ^^^^ ~ call src/lib.rs:Logger.info EXTRACTED
    let g = (Logger, 1);
    g.0.info("j");
        ^^^^ ~ call src/lib.rs:Logger.info EXTRACTED
}
"#,
    );
}

#[test]
fn patterns_of_the_trees_enums_and_structs() {
    with_head(
        r#"
fn go(m: Msg, t: Tag) {
    match m {
        Msg::Text(l) => l.info("a"),
                          ^^^^ ~ call src/lib.rs:Logger.info EXTRACTED
        Msg::Move { by } if by.show() == () => by.0.info("b"),
                               ^^^^ ~ call src/lib.rs:Tag.show EXTRACTED
                                                    ^^^^ ~ call src/lib.rs:Logger.info EXTRACTED
        Msg::Quit => {}
             ^^^^ ~ read src/lib.rs:Msg.Quit EXTRACTED
    }
    let Tag(log, _) = t;
    log.info("c");
        ^^^^ ~ call src/lib.rs:Logger.info EXTRACTED
    let Conn { log, tags: ref all, .. } = todo!();
    log.info("d");
        ^^^^ ~ call src/lib.rs:Logger.info EXTRACTED
    all[0].show();
           ^^^^ ~ call src/lib.rs:Tag.show EXTRACTED
    Msg::Text(Logger).kind().info("e");
         ^^^^ ~ construct src/lib.rs:Msg.Text EXTRACTED
                      ^^^^ ~ call src/lib.rs:Msg.kind EXTRACTED
                             ^^^^ ~ call src/lib.rs:Logger.info EXTRACTED
    let q = Msg::Quit;
    q.kind();
      ^^^^ ~ call src/lib.rs:Msg.kind EXTRACTED
    Msg::Move { by: t }.kind();
         ^^^^ ~ construct src/lib.rs:Msg.Move EXTRACTED
                        ^^^^ ~ call src/lib.rs:Msg.kind EXTRACTED
}
"#,
    );
}

#[test]
fn wrappers_options_results_and_await() {
    with_head(
        r#"
struct Shared { inner: Arc<Mutex<Conn>>, opt: Option<Logger>, res: Result<Conn, Tag> }

async fn go(s: &Shared, b: Box<Conn>, arc: Arc<std::sync::RwLock<Logger>>) -> Result<(), Tag> {
    s.inner.lock().unwrap().ping();
                            ^^^^ ~ call src/lib.rs:Conn.ping EXTRACTED
    let guard = s.inner.lock().expect("x");
    guard.ping();
          ^^^^ ~ call src/lib.rs:Conn.ping EXTRACTED
    b.ping();
      ^^^^ ~ call src/lib.rs:Conn.ping EXTRACTED
    arc.read().unwrap().info("a");
                        ^^^^ ~ call src/lib.rs:Logger.info EXTRACTED
    if let Some(l) = &s.opt { l.info("b"); }
                                ^^^^ ~ call src/lib.rs:Logger.info EXTRACTED
    let Some(l) = s.opt.as_ref() else { return Ok(()) };
    l.info("c");
      ^^^^ ~ call src/lib.rs:Logger.info EXTRACTED
    s.opt.clone().unwrap_or_default().info("d");
                                      ^^^^ ~ call src/lib.rs:Logger.info EXTRACTED
    match s.res { Ok(ref c) => { c.ping(); } Err(ref t) => t.show() }
                                   ^^^^ ~ call src/lib.rs:Conn.ping EXTRACTED
                                                             ^^^^ ~ call src/lib.rs:Tag.show EXTRACTED
    let c = Conn::dial("x").await?;
                  ^^^^ ~ call src/lib.rs:Conn.dial EXTRACTED
    c.ping();
      ^^^^ ~ call src/lib.rs:Conn.ping EXTRACTED
    c.peer().unwrap().ping();
                      ^^^^ ~ call src/lib.rs:Conn.ping EXTRACTED
    while let Some(p) = c.peer() { p.ping(); }
                                     ^^^^ ~ call src/lib.rs:Conn.ping EXTRACTED
    s.opt.as_ref().map(|l| l.info("e"));
                             ^^^^ ~ call src/lib.rs:Logger.info EXTRACTED
    s.res.as_ref().map_err(|t| t.show());
                                 ^^^^ ~ call src/lib.rs:Tag.show EXTRACTED
    let m = Mutex::new(Tag(Logger, 1));
    m.lock().unwrap().show();
                      ^^^^ ~ call src/lib.rs:Tag.show EXTRACTED
    let o = Some(Logger);
    o.unwrap().info("f");
               ^^^^ ~ call src/lib.rs:Logger.info EXTRACTED
    Arc::new(Logger).info("g");
                     ^^^^ ~ call src/lib.rs:Logger.info EXTRACTED
    Ok(())
}
"#,
    );
}

#[test]
fn iterators_and_collections() {
    with_head(
        r#"
use std::collections::HashMap;

fn go(c: &Conn, map: HashMap<u8, Tag>, list: &[Conn]) {
    for tag in &c.tags { tag.show(); }
                             ^^^^ ~ call src/lib.rs:Tag.show EXTRACTED
    for (n, tag) in c.tags.iter().enumerate() { tag.show(); }
                                                    ^^^^ ~ call src/lib.rs:Tag.show EXTRACTED
    for (_, tag) in &map { tag.show(); }
                               ^^^^ ~ call src/lib.rs:Tag.show EXTRACTED
    map.values().for_each(|tag| tag.show());
                                    ^^^^ ~ call src/lib.rs:Tag.show EXTRACTED
    map.iter().map(|(_, tag)| tag.0.child()).next();
                                    ^^^^^ ~ call src/lib.rs:Logger.child EXTRACTED
    list.iter().rev().find(|c| c.ping()).unwrap().ping();
                                 ^^^^ ~ call src/lib.rs:Conn.ping EXTRACTED
                                                  ^^^^ ~ call src/lib.rs:Conn.ping EXTRACTED
    list.first().unwrap().ping();
                          ^^^^ ~ call src/lib.rs:Conn.ping EXTRACTED
    let all = c.tags.iter().filter(|t| true).collect::<Vec<Tag>>();
    all[0].show();
           ^^^^ ~ call src/lib.rs:Tag.show EXTRACTED
    let made = vec![Tag(Logger, 1)];
    made.iter().any(|t| { t.show(); true });
                            ^^^^ ~ call src/lib.rs:Tag.show EXTRACTED
    [Logger, Logger].iter().fold(0, |n, l| { l.info("x"); n });
                                               ^^^^ ~ call src/lib.rs:Logger.info EXTRACTED
    let mut sorted = Conn::all();
    sorted.sort_by(|a, b| a.ping().cmp(&b.ping()));
                            ^^^^ ~ call src/lib.rs:Conn.ping EXTRACTED
                                          ^^^^ ~ call src/lib.rs:Conn.ping EXTRACTED
    if let [one, ..] = list { one.ping(); }
                                  ^^^^ ~ call src/lib.rs:Conn.ping EXTRACTED
}
"#,
    );
}

#[test]
fn closures_functions_as_values_and_nested_functions() {
    with_head(
        r#"
struct Hooks { on: fn(u8) -> Logger, boxed: Box<dyn Fn() -> Tag> }

fn make(n: u8) -> Logger { Logger }
fn apply(f: impl Fn(u8) -> Logger) { f(1).info("a"); }
                                          ^^^^ ~ call src/lib.rs:Logger.info EXTRACTED

fn go(h: Hooks, c: Conn) {
    apply(make);
          ^^^^ ~ read src/u.rs:make EXTRACTED
    let f = make;
    f(1).info("b");
    ^ ~ call src/u.rs:make EXTRACTED
         ^^^^ ~ call src/lib.rs:Logger.info EXTRACTED
    let g = |n| n + 1;
    g(2);
    ^ ~ call none
    fn inner(l: Logger) { l.info("c"); outer_only(); }
                            ^^^^ ~ call src/lib.rs:Logger.info EXTRACTED
    inner(Logger);
    ^^^^^ ~ call src/u.rs:go.inner EXTRACTED
    let run = move || c.ping();
                        ^^^^ ~ call src/lib.rs:Conn.ping EXTRACTED
    let typed = |l: Logger| l.info("d");
                              ^^^^ ~ call src/lib.rs:Logger.info EXTRACTED
    [1u8].iter().map(|n| make(*n));
                         ^^^^ ~ call src/u.rs:make EXTRACTED
}
"#,
    );
}

#[test]
fn macro_arguments() {
    with_head(
        r#"
fn make() -> Tag { todo!() }

fn go(c: &Conn, sender: Logger) {
    println!("{} {}", c.ping(), make().0.child());
                        ^^^^ ~ call src/lib.rs:Conn.ping EXTRACTED
                                ^^^^ ~ call src/u.rs:make EXTRACTED
                                         ^^^^^ ~ call src/lib.rs:Logger.child EXTRACTED
    assert!(matches!(c.peer(), Some(_)) && super::pair().0.ping());
                       ^^^^ ~ call src/lib.rs:Conn.peer EXTRACTED
                                                  ^^^^ ~ call src/lib.rs:pair EXTRACTED
    let v = vec![Tag(Logger, 1), make()];
                 ^^^ ~ construct src/lib.rs:Tag EXTRACTED
                                 ^^^^ ~ call src/u.rs:make EXTRACTED
    tokio::select! {
        x = c.ping() => { let t = make(); t.show(); }
              ^^^^ ~ call src/lib.rs:Conn.ping EXTRACTED
                                            ^^^^ ~ call src/lib.rs:Tag.show EXTRACTED
        _ = Tag::show(&v[0]) => {}
                 ^^^^ ~ call src/lib.rs:Tag.show EXTRACTED
    }
    debug!(target: "x", user = sender.child(), ?c);
                                      ^^^^^ ~ call src/lib.rs:Logger.child EXTRACTED
    run_all![make, c];
             ^^^^ ~ read src/u.rs:make EXTRACTED
}
"#,
    );
}
