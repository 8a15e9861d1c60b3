//! Contract cases, and the same kinds of fault in further forms.

use super::JVM;

#[test]
fn contract_cases_hold() {
    JVM.contract_cases(include_str!("data/contract_cases.json"));
}

const SHAPES: &str = r#"
=== p/Shape.java
package p;
interface Shape { double area(); }
interface Round extends Shape {}
=== p/Square.java
package p;
class Square
    implements Shape {
  public double area() { return 1; }
}
=== p/Disc.java
package p;
class Disc implements Round { public double area() { return 2; } }
record Dot() implements Shape { public double area() { return 0; } }
enum Unit implements Shape { ONE; public double area() { return 1; } }
=== p/Use.java
package p;
class Use {
  Shape none = new Shape() { public double area() { return 0; } };
  double sum(Shape s, Square q) {
    return s.area() + q.area();
  }
}
"#;

#[test]
fn implementers_are_found_by_their_clause_in_every_form() {
    let found = JVM.ask(SHAPES, "implementers_of: Shape");
    assert_eq!(found, ["p/Disc.java:3", "p/Disc.java:4", "p/Square.java:3", "p/Use.java:3"]);
    assert_eq!(JVM.ask(SHAPES, "implementers_of: Round"), ["p/Disc.java:2"]);
    assert_eq!(JVM.ask(SHAPES, "subclasses_of: Shape"), ["p/Shape.java:3"]);
}

#[test]
fn a_call_through_an_interface_is_the_interfaces() {
    assert_eq!(JVM.ask(SHAPES, "callers_of: Shape.area"), ["p/Use.java:5"]);
    assert_eq!(JVM.ask(SHAPES, "callers_of: Square.area"), ["p/Use.java:5"]);
    assert_eq!(JVM.ask(SHAPES, "callers_of: Disc.area"), Vec::<String>::new());
}

const NAMESAKES: &str = r#"
=== a/Cache.java
package a;
public class Cache { public Object get(String key) { return null; } public void clear() {} }
=== b/Cache.java
package b;
public class Cache { public Object get(String key) { return null; } public void clear() {} }
=== c/Use.java
package c;
import a.Cache;
import java.util.Map;
class Use {
  void go(Cache cache, Map<String, String> map) {
    cache.get("k");
    map.get("k");
    unknown().clear();
  }
}
"#;

#[test]
fn members_of_namesakes_and_of_outside_types_stay_apart() {
    assert_eq!(JVM.ask(NAMESAKES, "callers_of: a/Cache.java:Cache.get"), ["c/Use.java:6"]);
    assert_eq!(JVM.ask(NAMESAKES, "callers_of: b/Cache.java:Cache.get"), Vec::<String>::new());
    // Two candidates and nothing known of the receiver: no confident edge.
    assert_eq!(JVM.ask(NAMESAKES, "callers_of: a/Cache.java:Cache.clear"), Vec::<String>::new());
}

#[test]
fn overloads_are_placed_by_line() {
    let text = r#"
=== p/A.java
package p;
class A {
  void put(String s) {}
  void put(int n) {}
  void put(String s, int n) {}
  void go() { put("a"); put(1); put("a", 1); }
}
"#;
    let fixture = atlas_testkit::Fixture::new(text);
    let graph = JVM.graph(&fixture.files);
    let lines: Vec<u32> = graph
        .edges()
        .iter()
        .filter(|edge| edge.relation.as_str() == "call" && edge.targets.len() == 1)
        .filter_map(|edge| graph.program.def(edge.targets[0]).map(|def| def.start))
        .collect();
    assert_eq!(lines, [3, 4, 5]);
}

#[test]
fn writers_and_readers_of_a_table_go_by_its_name_and_its_models() {
    let text = r#"
=== m/Order.java
package m;
import jakarta.persistence.*;
@Entity
@Table(name = "orders")
public class Order { }
=== m/Base.java
package m;
import org.springframework.data.repository.CrudRepository;
public interface Base<T> extends CrudRepository<T, Long> { }
=== m/Orders.java
package m;
public interface Orders extends Base<Order> { }
=== s/Service.java
package s;
import m.*;
class Service {
  private final Orders repository;
  Service(Orders orders) { this.repository = orders; }
  void go(Order order, org.other.Repository other) {
    repository.save(order);
    repository.findById(1L);
    other.save(order);
    jdbc.update("DELETE FROM orders");
  }
}
"#;
    let writers = ["s/Service.java:10", "s/Service.java:7"];
    assert_eq!(JVM.ask(text, "writers_to: orders"), writers);
    assert_eq!(JVM.ask(text, "writers_to: Order"), writers);
    assert_eq!(JVM.ask(text, "readers_of: orders"), ["s/Service.java:8"]);
}
