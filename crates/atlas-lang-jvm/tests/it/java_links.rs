//! Java: which definition each name means.

use super::check;

#[test]
fn interface_field_gives_the_interface_method() {
    check(
        r#"
=== p/Repo.java
package p;
public interface Repo { void save(String s); }
=== p/SqlRepo.java
package p;
public class SqlRepo implements Repo {
                                ^^^^ ~ implement p/Repo.java:Repo EXTRACTED
  public void save(String s) {}
}
=== p/Svc.java
package p;
public class Svc {
  private final Repo repo;
  Svc(Repo r) { this.repo = r; }
                     ^^^^ ~ write p/Svc.java:Svc.repo EXTRACTED
  void go() {
    repo.save("x");
         ^^^^ ~ call p/Repo.java:Repo.save EXTRACTED
    this.repo.save("y");
              ^^^^ ~ call p/Repo.java:Repo.save EXTRACTED
    new SqlRepo().save("z");
                  ^^^^ ~ call p/SqlRepo.java:SqlRepo.save EXTRACTED
        ^^^^^^^ ~ construct p/SqlRepo.java:SqlRepo EXTRACTED
  }
}
"#,
    );
}

#[test]
fn overloads_go_by_number_and_type_of_arguments() {
    check(
        r#"
=== p/Out.java
package p;
class Out {
  static final int BASE = 1;
  void put(int a) {}
  void put(int a, int b) {}
}
=== p/Log.java
package p;
import java.util.List;
class Log {
  void w(String s) {}
  void w(int n) {}
  void w(Object o) {}
  void w(Out o) {}
  void two(String s, Object... rest) {}
  void two(String s, String t) {}
  void go(Out out, long big, List<String> names, Integer boxed) {
    out.put(1, 2);
        ^^^ ~ call p/Out.java:Out.put EXTRACTED
    w("s");
    ^ ~ call p/Log.java:Log.w EXTRACTED
    w(out);
    ^ ~ call p/Log.java:Log.w EXTRACTED
    two("a", "b");
    ^^^ ~ call p/Log.java:Log.two EXTRACTED
    two("a", 1, 2);
    ^^^ ~ call p/Log.java:Log.two EXTRACTED
    w(names.get(0));
    ^ ~ call p/Log.java:Log.w EXTRACTED
  }
}
"#,
    );
}

#[test]
fn imports_single_static_and_wildcard() {
    check(
        r#"
=== a/b/Util.java
package a.b;
public class Util {
  public static void run() {}
  public static void stop() {}
  public static class Inner { public static void deep() {} }
}
=== a/c/More.java
package a.c;
public class More { public static void more() {} }
=== x/Use.java
package x;
import a.b.Util;
import a.b.Util.Inner;
import static a.b.Util.run;
import static a.b.Util.*;
import a.c.*;
class Use {
  void go() {
    Util.run();
         ^^^ ~ call a/b/Util.java:Util.run EXTRACTED
    ^^^^ ~ read a/b/Util.java:Util EXTRACTED
    run();
    ^^^ ~ call a/b/Util.java:Util.run EXTRACTED
    stop();
    ^^^^ ~ call a/b/Util.java:Util.stop EXTRACTED
    Inner.deep();
          ^^^^ ~ call a/b/Util.java:Util.Inner.deep EXTRACTED
    More.more();
         ^^^^ ~ call a/c/More.java:More.more EXTRACTED
    a.b.Util.run();
             ^^^ ~ call a/b/Util.java:Util.run EXTRACTED
  }
}
"#,
    );
}

#[test]
fn same_name_in_two_packages_follows_the_import() {
    check(
        r#"
=== a/Job.java
package a;
public class Job { public void start() {} }
=== b/Job.java
package b;
public class Job { public void start() {} }
=== c/Run.java
package c;
import b.Job;
class Run { void go(Job job) { job.start(); } }
                                   ^^^^^ ~ call b/Job.java:Job.start EXTRACTED
=== a/Own.java
package a;
class Own { void go(Job job) { job.start(); } }
                                   ^^^^^ ~ call a/Job.java:Job.start EXTRACTED
"#,
    );
}

#[test]
fn inherited_members_and_super() {
    check(
        r#"
=== p/Base.java
package p;
abstract class Base {
  protected int count;
  protected Base(int n) {}
  protected void hook() {}
  static void tool() {}
}
=== p/Sub.java
package p;
class Sub extends Base {
                  ^^^^ ~ inherit p/Base.java:Base EXTRACTED
  Sub() { super(1); }
          ^^^^^ ~ call p/Base.java:Base.Base EXTRACTED
  Sub(int a, int b) { this(); }
                      ^^^^ ~ call p/Sub.java:Sub.Sub EXTRACTED
  @Override protected void hook() {
    super.hook();
          ^^^^ ~ call p/Base.java:Base.hook EXTRACTED
    tool();
    ^^^^ ~ call p/Base.java:Base.tool EXTRACTED
    count = 2;
    ^^^^^ ~ write p/Base.java:Base.count EXTRACTED
    this.count++;
         ^^^^^ ~ write p/Base.java:Base.count EXTRACTED
  }
  void again() { hook(); }
                 ^^^^ ~ call p/Sub.java:Sub.hook EXTRACTED
}
"#,
    );
}

#[test]
fn nested_inner_anonymous_and_local_classes() {
    check(
        r#"
=== p/Outer.java
package p;
class Outer {
  private int total;
  void add() {}
  class Inner {
    void touch() { add(); total = 1; }
                   ^^^ ~ call p/Outer.java:Outer.add EXTRACTED
                          ^^^^^ ~ write p/Outer.java:Outer.total EXTRACTED
    void outer() { Outer.this.add(); }
                              ^^^ ~ call p/Outer.java:Outer.add EXTRACTED
  }
  static class Box { Box(int n) {} void open() {} }
  interface Act { void run(); }
  void go() {
    new Box(1).open();
        ^^^ ~ construct p/Outer.java:Outer.Box EXTRACTED
               ^^^^ ~ call p/Outer.java:Outer.Box.open EXTRACTED
    class Local { void here() { add(); } }
                                ^^^ ~ call p/Outer.java:Outer.add EXTRACTED
    new Local().here();
                ^^^^ ~ call p/Outer.java:Outer.go.Local.here EXTRACTED
    Act act = new Act() {
                  ^^^ ~ implement p/Outer.java:Outer.Act EXTRACTED
      public void run() { add(); }
                          ^^^ ~ call p/Outer.java:Outer.add EXTRACTED
    };
    act.run();
        ^^^ ~ call p/Outer.java:Outer.Act.run EXTRACTED
  }
}
"#,
    );
}

#[test]
fn records_enums_and_interface_defaults() {
    check(
        r#"
=== p/Point.java
package p;
record Point(int x, Side side) {
  Point { check(x); }
          ^^^^^ ~ call p/Point.java:Point.check EXTRACTED
  static void check(int n) {}
  void flip() { side.turn(); }
                     ^^^^ ~ call p/Side.java:Side.turn EXTRACTED
}
=== p/Side.java
package p;
enum Side implements Named {
  LEFT(1) { int rank() { return 1; } },
  ^^^^ ~ call p/Side.java:Side.Side EXTRACTED
  RIGHT(2);
  Side(int n) {}
  int rank() { return 0; }
  void turn() {}
}
=== p/Named.java
package p;
interface Named { default String label() { return hidden(); } private String hidden() { return ""; } }
                                                  ^^^^^^ ~ call p/Named.java:Named.hidden EXTRACTED
=== p/Use.java
package p;
class Use {
  void go(Point p) {
    p.side().turn();
             ^^^^ ~ call p/Side.java:Side.turn EXTRACTED
      ^^^^ ~ call p/Point.java:Point.side EXTRACTED
    Side.LEFT.turn();
              ^^^^ ~ call p/Side.java:Side.turn EXTRACTED
         ^^^^ ~ read p/Side.java:Side.LEFT EXTRACTED
    Side.valueOf("LEFT").label();
                         ^^^^^ ~ call p/Named.java:Named.label EXTRACTED
    for (Side s : Side.values()) s.turn();
                                   ^^^^ ~ call p/Side.java:Side.turn EXTRACTED
    switch (p.side()) { case LEFT: break; default: }
                             ^^^^ ~ read p/Side.java:Side.LEFT EXTRACTED
    new Point(1, Side.RIGHT);
        ^^^^^ ~ construct p/Point.java:Point EXTRACTED
  }
}
"#,
    );
}

#[test]
fn method_references_lambdas_and_streams() {
    check(
        r#"
=== p/Item.java
package p;
class Item {
  Item() {}
  void ship() {}
  boolean ready() { return true; }
  static Item make() { return new Item(); }
}
=== p/Use.java
package p;
import java.util.*;
class Use {
  private List<Item> items;
  private Map<String, Item> byName;
  void local(Item i) {}
  void go() {
    items.forEach(Item::ship);
                        ^^^^ ~ call p/Item.java:Item.ship EXTRACTED
    items.forEach(this::local);
                        ^^^^^ ~ call p/Use.java:Use.local EXTRACTED
    items.stream().filter(i -> i.ready()).forEach(i -> i.ship());
                                 ^^^^^ ~ call p/Item.java:Item.ready EXTRACTED
                                                         ^^^^ ~ call p/Item.java:Item.ship EXTRACTED
    for (Item i : items) i.ship();
                           ^^^^ ~ call p/Item.java:Item.ship EXTRACTED
    for (var i : items) i.ship();
                          ^^^^ ~ call p/Item.java:Item.ship EXTRACTED
    var first = items.get(0);
    first.ship();
          ^^^^ ~ call p/Item.java:Item.ship EXTRACTED
    byName.get("a").ship();
                    ^^^^ ~ call p/Item.java:Item.ship EXTRACTED
    for (Map.Entry<String, Item> e : byName.entrySet()) e.getValue().ship();
                                                                     ^^^^ ~ call p/Item.java:Item.ship EXTRACTED
    byName.forEach((k, v) -> v.ship());
                               ^^^^ ~ call p/Item.java:Item.ship EXTRACTED
    Optional<Item> some = items.stream().findFirst();
    some.ifPresent(x -> x.ship());
                          ^^^^ ~ call p/Item.java:Item.ship EXTRACTED
    items.sort((a, b) -> { a.ship(); b.ready(); return 0; });
                             ^^^^ ~ call p/Item.java:Item.ship EXTRACTED
                                       ^^^^^ ~ call p/Item.java:Item.ready EXTRACTED
    Arrays.asList(1).stream().map(n -> Item.make());
                                            ^^^^ ~ call p/Item.java:Item.make EXTRACTED
    java.util.function.Supplier<Item> s = Item::new;
                                          ^^^^ ~ construct p/Item.java:Item EXTRACTED
    s.get().ship();
            ^^^^ ~ call p/Item.java:Item.ship EXTRACTED
  }
}
"#,
    );
}

#[test]
fn locals_shadow_and_methods_have_names_of_their_own() {
    check(
        r#"
=== p/A.java
package p;
class A {
  int size;
  int size() { return size; }
                      ^^^^ ~ read p/A.java:A.size EXTRACTED
  B one() { return null; }
  void go(B one, Object o) {
    one();
    ^^^ ~ call p/A.java:A.one EXTRACTED
    one.run();
        ^^^ ~ call p/A.java:B.run EXTRACTED
    size = size();
    ^^^^ ~ write p/A.java:A.size EXTRACTED
           ^^^^ ~ call p/A.java:A.size EXTRACTED
    { C one2 = new C(); one2.run(); }
                             ^^^ ~ call p/A.java:C.run EXTRACTED
    if (o instanceof C c && c.ok()) c.run();
                              ^^ ~ call p/A.java:C.ok EXTRACTED
                                      ^^^ ~ call p/A.java:C.run EXTRACTED
    try { one(); } catch (Bad e) { e.tell(); }
                                     ^^^^ ~ call p/A.java:Bad.tell EXTRACTED
    ((C) o).run();
            ^^^ ~ call p/A.java:C.run EXTRACTED
  }
}
class B { void run() {} }
class C { void run() {} boolean ok() { return true; } }
class Bad extends Exception { void tell() {} }
"#,
    );
}

#[test]
fn type_parameters_follow_the_receiver() {
    check(
        r#"
=== p/Box.java
package p;
class Box<T> {
  T value;
  T get() { return value; }
  <R> R read(Class<R> type) { return null; }
}
class Shelf<E extends Item> { E item; void use() { item.ship(); } }
                                                        ^^^^ ~ call p/Box.java:Item.ship EXTRACTED
class Item { void ship() {} }
class ItemBox extends Box<Item> { void use() { get().ship(); } }
                                                     ^^^^ ~ call p/Box.java:Item.ship EXTRACTED
class Use {
  void go(Box<Item> box, ItemBox own) {
    box.get().ship();
              ^^^^ ~ call p/Box.java:Item.ship EXTRACTED
    box.value.ship();
              ^^^^ ~ call p/Box.java:Item.ship EXTRACTED
    own.get().ship();
              ^^^^ ~ call p/Box.java:Item.ship EXTRACTED
    box.read(Item.class).ship();
                         ^^^^ ~ call p/Box.java:Item.ship EXTRACTED
  }
}
"#,
    );
}

#[test]
fn outside_types_take_no_edges_of_ours() {
    check(
        r#"
=== p/Map.java
package p.other;
public class Registry { public Object get(String k) { return null; } public void remove(String k) {} }
=== p/Use.java
package p;
import java.util.HashMap;
import java.util.Map;
import org.lib.Client;
class Use {
  Map<String, String> map = new HashMap<>();
  Client client;
  void go() {
    map.get("a");
        ^^^ ~ call none
    client.remove("x");
           ^^^^^^ ~ call none
    Client.open().get("y");
                  ^^^ ~ call none
    String.valueOf(1).length();
                      ^^^^^^ ~ call none
  }
}
"#,
    );
}

#[test]
fn build_modules_bound_names_without_imports() {
    check(
        r#"
=== web/pom.xml
<project/>
=== web/src/main/java/p/Clock.java
package p;
public class Clock { public void tick() {} }
=== web/src/main/java/p/Web.java
package p;
class Web { void go(Clock c) { c.tick(); } }
                                 ^^^^ ~ call web/src/main/java/p/Clock.java:Clock.tick EXTRACTED
=== job/pom.xml
<project/>
=== job/src/main/java/p/Clock.java
package p;
public class Clock { public void tick() {} }
=== job/src/main/java/p/Job.java
package p;
class Job { void go(Clock c) { c.tick(); } }
                                 ^^^^ ~ call job/src/main/java/p/Clock.java:Clock.tick EXTRACTED
"#,
    );
}

#[test]
fn private_members_of_other_files_are_not_meant() {
    check(
        r#"
=== p/A.java
package p;
class A {
  static void put(Object o) {}
  private static void put(String s) {}
}
=== p/B.java
package p;
class B { void go() { A.put("s"); } }
                        ^^^ ~ call p/A.java:A.put EXTRACTED
"#,
    );
}
