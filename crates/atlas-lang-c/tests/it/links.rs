//! C and C++: which definition each name means.

use super::check;

#[test]
fn static_functions_stay_in_their_file() {
    check(
        r#"
=== a.c
static int init(void) { return 1; }
int a_main(void) { return init(); }
                          ^^^^ ~ call a.c:init EXTRACTED
=== b.c
static int init(void) { return 2; }
int b_main(void) { return init(); }
                          ^^^^ ~ call b.c:init EXTRACTED
"#,
    );
}

#[test]
fn a_call_through_a_header_leads_to_the_definition() {
    check(
        r#"
=== include/store.h
#define LIMIT 3
struct store { int n; };
int store_put(struct store *s, int n);
extern int store_count;
=== src/store.c
#include "store.h"
int store_count = 0;
int store_put(struct store *s, int n) { store_count++; s->n = n; return 0; }
                                        ^^^^^^^^^^^ ~ write src/store.c:store_count EXTRACTED
=== src/main.c
#include "../include/store.h"
int main(void) {
  struct store s;
  store_count = LIMIT;
  ^^^^^^^^^^^ ~ write src/store.c:store_count EXTRACTED
                ^^^^^ ~ read include/store.h:LIMIT EXTRACTED
  return store_put(&s, 1);
         ^^^^^^^^^ ~ call src/store.c:store_put EXTRACTED
}
"#,
    );
}

#[test]
fn macros_are_called_and_call() {
    check(
        r#"
=== a.c
static void log_line(const char *s) {}
#define LOG(x) log_line(x)
               ^^^^^^^^ ~ call a.c:log_line EXTRACTED
void f(void) { LOG("a"); }
               ^^^ ~ call a.c:LOG EXTRACTED
"#,
    );
}

#[test]
fn function_pointers_in_tables_are_reads() {
    check(
        r#"
=== a.c
typedef void (*handler)(int);
static void on_get(int n) {}
static void on_set(int n) {}
struct cmd { const char *name; handler run; };
static struct cmd table[] = { {"get", on_get}, {.name = "set", .run = on_set} };
                                      ^^^^^^ ~ read a.c:on_get EXTRACTED
                                                                      ^^^^^^ ~ read a.c:on_set EXTRACTED
void go(void) { handler h = on_get; h(1); (*h)(2); }
                            ^^^^^^ ~ read a.c:on_get EXTRACTED
"#,
    );
}

#[test]
fn two_programs_with_one_name_follow_their_headers() {
    check(
        r#"
=== one/util.h
int helper(void);
=== one/util.c
#include "util.h"
int helper(void) { return 1; }
=== one/main.c
#include "util.h"
int run(void) { return helper(); }
                       ^^^^^^ ~ call one/util.c:helper EXTRACTED
=== two/util.h
int helper(void);
=== two/util.c
#include "util.h"
int helper(void) { return 2; }
=== two/main.c
#include "util.h"
int walk(void) { return helper(); }
                        ^^^^^^ ~ call two/util.c:helper EXTRACTED
"#,
    );
}

#[test]
fn old_style_definitions_and_alternatives_under_conditions() {
    check(
        r#"
=== a.c
int old(a, b) int a; char *b; { return a; }
#ifdef _WIN32
static int tick(void) { return 1; }
#else
static int tick(void) { return 2; }
#endif
int go(void) { return old(1, "x") + tick(); }
                      ^^^ ~ call a.c:old EXTRACTED
                                    ^^^^ ~ call a.c:tick EXTRACTED
"#,
    );
}

#[test]
fn library_functions_are_no_edges() {
    check(
        r#"
=== a.c
#include <stdio.h>
void f(void) { printf("x"); memcpy(0, 0, 0); }
               ^^^^^^ ~ call none
                            ^^^^^^ ~ call none
"#,
    );
}

#[test]
fn members_in_and_out_of_their_class_are_one() {
    check(
        r#"
=== store.h
namespace db {
class Store {
 public:
  explicit Store(int n);
  ~Store();
  int put(int n);
  static Store* open();
 private:
  int count_ = 0;
};
}
=== store.cc
#include "store.h"
namespace db {
Store::Store(int n) : count_(n) {}
                      ^^^^^^ ~ write store.h:db.Store.count_ EXTRACTED
Store::~Store() {}
int Store::put(int n) { count_ = n; return put(n - 1); }
                                           ^^^ ~ call store.cc:db.Store.put EXTRACTED
                        ^^^^^^ ~ write store.h:db.Store.count_ EXTRACTED
Store* Store::open() { return new Store(1); }
                                  ^^^^^ ~ construct store.h:db.Store EXTRACTED
}
=== use.cc
#include <memory>
#include "store.h"
using namespace db;
void go(Store* s, Store& r) {
  s->put(1);
     ^^^ ~ call store.cc:db.Store.put EXTRACTED
  r.put(2);
    ^^^ ~ call store.cc:db.Store.put EXTRACTED
  db::Store::open()->put(3);
             ^^^^ ~ call store.cc:db.Store.open EXTRACTED
                     ^^^ ~ call store.cc:db.Store.put EXTRACTED
  auto own = std::make_unique<Store>(1);
  own->put(4);
       ^^^ ~ call store.cc:db.Store.put EXTRACTED
  own.get()->put(5);
             ^^^ ~ call store.cc:db.Store.put EXTRACTED
      ^^^ ~ call none
  Store local(3);
  ^^^^^ ~ construct store.h:db.Store EXTRACTED
  local.put(6);
        ^^^ ~ call store.cc:db.Store.put EXTRACTED
  auto* p = new Store(7);
  (*p).put(8);
       ^^^ ~ call store.cc:db.Store.put EXTRACTED
}
"#,
    );
}

#[test]
fn namespaces_nested_inline_unnamed_and_aliased() {
    check(
        r#"
=== a.h
namespace a::b { inline namespace v1 { void f(); } void g(); }
namespace c { void f(); }
=== a.cc
#include "a.h"
namespace a::b { inline namespace v1 { void f() {} } void g() { f(); } }
                                                                ^ ~ call a.cc:a.b.v1.f EXTRACTED
namespace c { void f() {} }
=== use.cc
#include "a.h"
namespace ab = a::b;
namespace { void hidden() {} }
using c::f;
void go() {
  a::b::f();
        ^ ~ call a.cc:a.b.v1.f EXTRACTED
  ab::g();
      ^ ~ call a.cc:a.b.g EXTRACTED
  f();
  ^ ~ call a.cc:c.f EXTRACTED
  hidden();
  ^^^^^^ ~ call use.cc:.hidden EXTRACTED
}
"#,
    );
}

#[test]
fn inheritance_overriding_and_base_calls() {
    check(
        r#"
=== a.cc
struct Base { virtual void run() {} void tool() {} int n; };
struct Sub : public Base {
                    ^^^^ ~ inherit a.cc:Base EXTRACTED
  void run() override { Base::run(); tool(); n = 1; }
                              ^^^ ~ call a.cc:Base.run EXTRACTED
                                     ^^^^ ~ call a.cc:Base.tool EXTRACTED
                                             ^ ~ write a.cc:Base.n EXTRACTED
};
void go(Base* b, Sub& s) {
  b->run();
     ^^^ ~ call a.cc:Base.run EXTRACTED
  s.run();
    ^^^ ~ call a.cc:Sub.run EXTRACTED
  s.tool();
    ^^^^ ~ call a.cc:Base.tool EXTRACTED
}
"#,
    );
}

#[test]
fn containers_smart_pointers_and_casts() {
    check(
        r#"
=== a.cc
#include <map>
#include <memory>
#include <string>
#include <vector>
struct Item { void ship() {} Item* next; };
void go(std::vector<Item>& items, std::map<std::string, Item*>& by, std::vector<std::unique_ptr<Item>> owned, void* raw) {
  for (auto& i : items) i.ship();
                          ^^^^ ~ call a.cc:Item.ship EXTRACTED
  items[0].ship();
           ^^^^ ~ call a.cc:Item.ship EXTRACTED
  items.back().ship();
               ^^^^ ~ call a.cc:Item.ship EXTRACTED
  by["x"]->ship();
           ^^^^ ~ call a.cc:Item.ship EXTRACTED
  for (auto& [key, value] : by) value->ship();
                                       ^^^^ ~ call a.cc:Item.ship EXTRACTED
  owned[0]->ship();
            ^^^^ ~ call a.cc:Item.ship EXTRACTED
  static_cast<Item*>(raw)->ship();
                           ^^^^ ~ call a.cc:Item.ship EXTRACTED
  ((Item*)raw)->next->ship();
                      ^^^^ ~ call a.cc:Item.ship EXTRACTED
  auto f = [&](Item& x) { x.ship(); };
                            ^^^^ ~ call a.cc:Item.ship EXTRACTED
}
"#,
    );
}

#[test]
fn overloads_by_number_and_type() {
    check(
        r#"
=== a.cc
struct Text { };
void put(int n) {}
void put(const char* s) {}
void put(const Text& t) {}
void put(int a, int b) {}
void go(Text t) {
  put(1);
  ^^^ ~ call a.cc:put EXTRACTED
  put("s");
  ^^^ ~ call a.cc:put EXTRACTED
  put(t);
  ^^^ ~ call a.cc:put EXTRACTED
  put(1, 2);
  ^^^ ~ call a.cc:put EXTRACTED
}
"#,
    );
}

#[test]
fn templates_and_their_parameters() {
    check(
        r#"
=== a.cc
struct Item { void ship() {} };
template <typename T> struct Box { T* get() { return p; } T* p; };
template <typename T> void each(T t) { t.ship(); }
                                         ^^^^ ~ call none
void go(Box<Item>& b) { b.get()->ship(); b.p->ship(); each<Item>(Item()); }
                                 ^^^^ ~ call a.cc:Item.ship EXTRACTED
                                              ^^^^ ~ call a.cc:Item.ship EXTRACTED
                                                      ^^^^ ~ call a.cc:each EXTRACTED
"#,
    );
}

#[test]
fn constructions_that_look_like_declarations() {
    check(
        r#"
=== a.cc
struct Lock { Lock(int n) {} };
int pick(int n) { return n; }
void go(int n) {
  Lock l(n);
  ^^^^ ~ construct a.cc:Lock EXTRACTED
  Lock m(pick(n));
  ^^^^ ~ construct a.cc:Lock EXTRACTED
         ^^^^ ~ call a.cc:pick EXTRACTED
}
"#,
    );
}

#[test]
fn enums_typedefs_and_aliases() {
    check(
        r#"
=== a.cc
enum Color { RED, GREEN };
enum class Mode { Fast };
struct Item { void ship() {} };
typedef Item Thing;
using Ref = Item*;
void go(Thing t, Ref r) {
  Color c = RED;
            ^^^ ~ read a.cc:Color.RED EXTRACTED
  Mode m = Mode::Fast;
                 ^^^^ ~ read a.cc:Mode.Fast EXTRACTED
  t.ship();
    ^^^^ ~ call a.cc:Item.ship EXTRACTED
  r->ship();
     ^^^^ ~ call a.cc:Item.ship EXTRACTED
}
"#,
    );
}
