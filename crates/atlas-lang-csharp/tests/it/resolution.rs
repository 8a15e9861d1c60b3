//! C#: which definition each name means.

use super::{ask, check};

#[test]
fn types_resolve_by_namespaces_from_the_inside_out_then_by_using() {
    check(
        r#"
=== a/Store.cs
namespace App.A;
public class Store {
    public static Store Open() => new Store();
    public void Put(string key) { }
}
=== b/Store.cs
namespace App.B;
public class Store { public void Put(string key) { } }
=== c/Use.cs
using App.B;
namespace App.A.Inner
{
    class User
    {
        void Go(Store near, App.B.Store full, Missing none)
                ^^^^^ ~ read a/Store.cs:Store EXTRACTED
        {
            near.Put("x");
                 ^^^ ~ call a/Store.cs:Store.Put EXTRACTED
            full.Put("y");
                 ^^^ ~ call b/Store.cs:Store.Put EXTRACTED
            none.Put("z");
                 ^^^ ~ call none
            Store.Open()?.Put("w");
                          ^^^ ~ call a/Store.cs:Store.Put EXTRACTED
                  ^^^^ ~ call a/Store.cs:Store.Open EXTRACTED
        }
    }
}
=== d/Use.cs
using App.B;
using Alias = App.A.Store;
using static App.A.Store;
class Other {
    Store s = new();
              ^^^^^ ~ construct b/Store.cs:Store EXTRACTED
    void Go(Alias a) {
        s.Put("x");
          ^^^ ~ call b/Store.cs:Store.Put EXTRACTED
        a.Put("y");
          ^^^ ~ call a/Store.cs:Store.Put EXTRACTED
        Open();
        ^^^^ ~ call a/Store.cs:Store.Open EXTRACTED
    }
}
"#,
    );
}

#[test]
fn global_usings_hold_in_their_project_alone() {
    check(
        r#"
=== lib/lib.csproj
<Project/>
=== lib/Thing.cs
namespace Lib; public class Thing { public void Do() { } }
=== one/one.csproj
<Project/>
=== one/Usings.cs
global using Lib;
=== one/Use.cs
class One { void Go(Thing t) { t.Do(); } }
                                 ^^ ~ call lib/Thing.cs:Thing.Do EXTRACTED
=== two/two.csproj
<Project/>
=== two/Use.cs
class Two { void Go(Thing t) { t.Do(); } }
                                 ^^ ~ call none
"#,
    );
}

#[test]
fn types_that_share_a_name_go_by_their_number_of_parameters() {
    check(
        r#"
=== a.cs
namespace N;
class Box { public void Plain() { } }
class Box<T> { public void Generic() { } public T Value; }
class Item { public void Go() { } }
class Use {
    void Run(Box a, Box<Item> b) {
        a.Plain();
          ^^^^^ ~ call a.cs:Box.Plain EXTRACTED
        b.Generic();
          ^^^^^^^ ~ call a.cs:Box.Generic EXTRACTED
        b.Value.Go();
                ^^ ~ call a.cs:Item.Go EXTRACTED
    }
}
"#,
    );
}

#[test]
fn partial_types_share_their_members() {
    check(
        r#"
=== a.cs
namespace N;
public partial class Form : Base { private Helper _h; void A() { B(); Shown(); } }
                                                                      ^^^^^ ~ call base.cs:Base.Shown EXTRACTED
                                                                 ^ ~ call b.cs:Form.B EXTRACTED
=== b.cs
namespace N;
partial class Form { void B() { _h.Help(); A(); Shown(); } }
                                                ^^^^^ ~ call base.cs:Base.Shown EXTRACTED
                                           ^ ~ call a.cs:Form.A EXTRACTED
                                   ^^^^ ~ call base.cs:Helper.Help EXTRACTED
=== base.cs
namespace N;
class Base { protected void Shown() { } }
class Helper { public void Help() { } }
"#,
    );
}

#[test]
fn extension_methods_go_by_the_type_of_their_receiver() {
    check(
        r#"
=== a.cs
namespace N;
interface ILog { void Write(string s); }
class Log : ILog { public void Write(string s) { } }
class Other { }
static class Ext {
    public static void Info(this ILog log, string s) { log.Write(s); }
                                                           ^^^^^ ~ call a.cs:ILog.Write EXTRACTED
    public static void Info(this Other other, string s) { }
    public static bool Blank(this string s) => true;
    public static void Only<T>(this T log) where T : ILog { }
}
class Use {
    void Go(Log log, Other other, string s) {
        log.Info("x");
            ^^^^ ~ call a.cs:Ext.Info EXTRACTED
        log.Only();
            ^^^^ ~ call a.cs:Ext.Only EXTRACTED
        s.Blank();
          ^^^^^ ~ call a.cs:Ext.Blank EXTRACTED
        other.Only();
              ^^^^ ~ call none
    }
}
"#,
    );
}

#[test]
fn constructors_initializers_and_inheritance() {
    check(
        r#"
=== a.cs
namespace N;
abstract class Base {
    protected Base(int n) { }
    public virtual void Run() { }
}
class Kid : Base, IRun {
            ^^^^ ~ inherit a.cs:Base EXTRACTED
                  ^^^^ ~ implement a.cs:IRun EXTRACTED
    public string Name { get; set; }
    public Kid() : this(1) { }
                   ^^^^ ~ call a.cs:Kid.Kid EXTRACTED
    public Kid(int n) : base(n) { }
                        ^^^^ ~ call a.cs:Base.Base EXTRACTED
    public override void Run() { base.Run(); }
                                      ^^^ ~ call a.cs:Base.Run EXTRACTED
}
interface IRun { void Run(); }
class Use {
    void Go(IRun r) {
        var kid = new Kid(2) { Name = "x" };
                               ^^^^ ~ write a.cs:Kid.Name EXTRACTED
                      ^^^ ~ construct a.cs:Kid EXTRACTED
                      ^^^ ~ call a.cs:Kid.Kid EXTRACTED
        kid.Run();
            ^^^ ~ call a.cs:Kid.Run EXTRACTED
        r.Run();
          ^^^ ~ call a.cs:IRun.Run EXTRACTED
    }
}
"#,
    );
}

#[test]
fn overloads_go_by_number_and_type_of_arguments() {
    let text = r#"
=== a.cs
class A {
    void Put(string s) { }
    void Put(int n) { }
    void Put(string s, int n) { }
    void Put(A a, params object[] rest) { }
    void Go(A a) {
        Put("x");
        Put(1);
        Put("x", 1);
        Put(a, 1, 2);
    }
}
"#;
    let fixture = atlas_testkit::Fixture::new(text);
    let graph = super::harness::graph(&fixture.files, atlas_lang_csharp::extract, &atlas_lang_csharp::CSharpSemantics);
    let lines: Vec<u32> = graph
        .edges()
        .iter()
        .filter(|edge| edge.relation.as_str() == "call" && edge.targets.len() == 1)
        .filter_map(|edge| graph.program.def(edge.targets[0]).map(|def| def.start))
        .collect();
    assert_eq!(
        lines,
        [3, 2, 4, 5].map(|line: u32| if line == 3 {
            2
        } else if line == 2 {
            3
        } else {
            line
        })
    );
}

#[test]
fn receivers_are_typed_by_patterns_loops_tasks_and_lambdas() {
    check(
        r#"
=== a.cs
using System.Collections.Generic;
using System.Threading.Tasks;
class Item { public void Go() { } public int Size; }
class Repo {
    public Task<Item> Load() => null;
    public List<Item> All() => null;
    public Dictionary<string, Item> Map;
}
class Use {
    async Task Run(Repo repo, object o, int n) {
        (await repo.Load()).Go();
                            ^^ ~ call a.cs:Item.Go EXTRACTED
        foreach (var one in repo.All()) { one.Go(); }
                                              ^^ ~ call a.cs:Item.Go EXTRACTED
        if (o is Item item && item.Size > 1) { item.Go(); }
                                                    ^^ ~ call a.cs:Item.Go EXTRACTED
        repo.All().ForEach(x => x.Go());
                                  ^^ ~ call a.cs:Item.Go EXTRACTED
        if (repo.Map.TryGetValue("k", out var found)) { found.Go(); }
                                                              ^^ ~ call a.cs:Item.Go EXTRACTED
        (o as Item)?.Go();
                     ^^ ~ call a.cs:Item.Go EXTRACTED
        ((Item)o).Go();
                  ^^ ~ call a.cs:Item.Go EXTRACTED
        n.Go();
          ^^ ~ call none
        var first = repo.All()[0];
        first.Go();
              ^^ ~ call a.cs:Item.Go EXTRACTED
        var query = from q in repo.All() select q.Size;
                                                  ^^^^ ~ read a.cs:Item.Size EXTRACTED
    }
}
"#,
    );
}

#[test]
fn a_property_may_bear_the_name_of_another_type() {
    check(
        r#"
=== a.cs
class Level { public void Up() { } }
class Text { public void Up() { } }
class Use {
    public Text Level { get; set; }
    void Go(Level level) {
            ^^^^^ ~ read a.cs:Level EXTRACTED
        level.Up();
              ^^ ~ call a.cs:Level.Up EXTRACTED
        Level.Up();
              ^^ ~ call a.cs:Text.Up EXTRACTED
    }
}
"#,
    );
}

#[test]
fn attributes_may_leave_out_the_end_of_their_name() {
    let text = r#"
=== a.cs
class MarkAttribute : System.Attribute { public MarkAttribute(int n) { } }
[Mark(1)]
class A { [MarkAttribute(2)] void F() { } }
"#;
    assert_eq!(ask(text, "callers_of: MarkAttribute"), ["a.cs:2", "a.cs:3"]);
}
