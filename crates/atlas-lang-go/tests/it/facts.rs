//! What one Go file says, fact by fact.

use atlas_lang_go::extract;
use atlas_syntax::{Language, dump};

/// The facts of a file that start with one of these words, in order.
fn facts(source: &str, wanted: &[&str]) -> String {
    let facts = extract(source.as_bytes(), Language::Go).expect("the grammar loads");
    let text = dump(&facts);
    let kept: Vec<&str> = text.lines().filter(|line| wanted.iter().any(|word| line.starts_with(word))).collect();
    kept.join("\n")
}

fn check(source: &str, wanted: &[&str], expected: &str) {
    let found = facts(source, wanted);
    let expected = expected.trim();
    assert!(found == expected, "found:\n{found}\n\nexpected:\n{expected}\n");
}

#[test]
fn definitions_with_spans_documentation_and_arity() {
    check(
        r#"// Package store keeps things.
package store

// MaxSize is a bound.
const MaxSize = 10

const (
	A = iota // not documentation
	b
)

var (
	// Shared is one.
	Shared, other = open(), 3
)

// Handler does.
var Handler = func(w Writer, n int) error { return nil }

// Opener opens.
// Twice documented.
type Opener interface {
	// Open it.
	Open(name string, flags ...int) (*DB, error)
	Close() error
}

type (
	IDs   []int
	Alias = map[string]DB
)

// DB holds.
type DB struct {
	Base
	*pkg.Logger
	name, path string `json:"x"`
	inner      struct{ n int }
}

type Stack[T any] struct{ items []T }

func (s *Stack[T]) Push(
	v T,
) (n int, err error) {
	return
}

func variadic(a, b int, rest ...string) {}

func asm(x int)

func init() {}
"#,
        &["package", "def", "base"],
        r#"
package store
def constant MaxSize 5-5 @5:7 doc=4-4 exported
def constant A 8-8 @8:2 exported
def constant b 9-9 @9:2
def variable Shared 14-14 @14:2 doc=13-13 exported
def variable other 14-14 @14:10 doc=13-13
def function Handler 18-18 @18:5 arity=2..2 ty=error doc=17-17 exported
def interface Opener 22-26 @22:6 doc=20-21 exported
def method Opener.Open 24-24 @24:2 arity=1..* ty=(DB, error) doc=23-23 exported declaration
def method Opener.Close 25-25 @25:2 arity=0..0 ty=error exported declaration
def type_alias IDs 29-29 @29:2 ty=[int] exported distinct
def type_alias Alias 30-30 @30:2 ty=map<string, DB> exported
def struct DB 34-39 @34:6 doc=33-33 exported
def field DB.Base 35-35 @35:2 ty=Base exported
def field DB.Logger 36-36 @36:7 ty=pkg.Logger exported
def field DB.name 37-37 @37:2 ty=string
def field DB.path 37-37 @37:8 ty=string
def field DB.inner 38-38 @38:2
def field DB.inner.n 38-38 @38:21 ty=int
def struct Stack 41-41 @41:6 exported
def field Stack.items 41-41 @41:27 ty=[T]
def method Push 43-47 @43:20 sig=45 owner=Stack<T> arity=1..1 ty=(int, error) exported
def function variadic 49-49 @49:6 arity=2..*
def function asm 51-51 @51:6 arity=1..1 declaration
def function init 53-53 @53:6 arity=0..0
base DB Include Base 35:2
base DB Include pkg.Logger 36:3
"#,
    );
}

#[test]
fn references_of_every_kind() {
    check(
        r#"package p

import "ex.org/lib"

func use(d *DB, in chan int) {
	plain(1, 2)
	d.method("x")
	lib.Func(d.field, callback, rest...)
	lib.Value.Call()
	a := &Conf{Level: lib.Debug, On: handle}
	b := []lib.Item{{Name: "x"}}
	global = 3
	d.field++
	table["k"] = a
	lib.Setting += 1
	go run(func() { inner() })
	new(DB).method(<-in)
	(*DB)(nil).method("y")
	string(b)
	len(b)
	f := func() {}
	f()
	generic[int](1)
	generic2[int, DB](1)
	var e error = MyErr(3)
	_ = e.(lib.Err)
	return
}
"#,
        &["call", "construct", "read", "write", "type"],
        r#"
type 5:13 DB in use
call 6:2 plain/2 in use
call 7:4 d#1.method/1 "x" in use
call 8:6 lib.Func/* in use
read 8:13 d#1.field in use
read 8:20 callback in use
read 8:30 rest in use
call 9:12 lib.Value.Call/0 in use
read 9:6 lib.Value in use
construct 10:8 Conf in use
write 10:13 new Conf.Level in use
write 10:31 new Conf.On in use
read 10:24 lib.Debug in use
read 10:35 handle in use
type 11:13 lib.Item in use
write 11:19 new lib.Item.Name in use
write 12:2 global in use
write 13:4 d#1.field in use
write 14:2 table in use
write 15:6 lib.Setting in use
call 16:5 run/1 in use
call 16:18 inner/0 in use
call 17:10 new DB.method/1 in use
construct 17:6 DB in use
call 18:13 DB(<Null>).method/1 "y" in use
type 18:4 DB in use
call 23:2 generic/1 in use
call 24:2 generic2/1 in use
type 24:16 DB in use
call 25:16 MyErr/1 in use
type 26:13 lib.Err in use
"#,
    );
}

#[test]
fn bindings_are_exact_by_block() {
    check(
        r#"package p

func use(x T, _ int) (n int, err error) {
	y, err := open(x)
	if y := y.next(); y != nil {
		z, ok := m[y]
	} else if v, ok := y.(*V); ok {
	}
	for i, item := range y.items {
	}
	for k := range m {
	}
	switch t := x.(type) {
	case A:
	case B, C:
	}
	select {
	case msg := <-ch:
	}
	func(x *U) {}(nil)
	var a, b = 1, "s"
	var c []D
	const d = 3
	p, q := two()
	y = nil
}

func (r *Recv) m(ch chan<- Job) {}
"#,
        &["bind"],
        r#"
bind Param(0) "x#1" in use line=3: T
bind Param(1) "" in use line=3: int
bind Local "n#1" in use line=3: int
bind Local "err#1" in use line=3: error
bind Local "y#1" in use line=4 = open(x#1)#0
bind Local "y#2" in use line=5 = y#1.next()
bind Local "z#1" in use line=6 = m[]
bind Local "ok#1" in use line=6
bind Local "v#1" in use line=7 = as V
bind Local "ok#2" in use line=7
bind Local "i#1" in use line=9 = y#1.items.#first()
bind Local "item#1" in use line=9 = each y#1.items
bind Local "k#1" in use line=11 = m.#first()
bind Local "t#1" in use line=14: A
bind Local "t#2" in use line=15 = x#1
bind Local "msg#1" in use line=18 = each ch
bind Local "x#2" in use line=20: U
bind Local "a#1" in use line=21 = <Number>
bind Local "b#1" in use line=21 = <String>
bind Local "c#1" in use line=22: [D]
bind Local "d#1" in use line=23 = <Number>
bind Local "p#1" in use line=24 = two()#0
bind Local "q#1" in use line=24 = two()#1
bind Local "r#1" in m line=28: Recv
bind Param(0) "ch#1" in m line=28: chan<Job>
"#,
    );
}

#[test]
fn imports_of_every_form() {
    check(
        r#"package p

import "fmt"

import (
	"net/http"
	alias "ex.org/a/b"
	. "ex.org/dot"
	_ "ex.org/side"
	"ex.org/mod/v2"
	"gopkg.in/yaml.v3"
	"github.com/x/go-y"
)
"#,
        &["import"],
        r#"
import Module fmt as fmt line=3
import Module net/http as http line=6
import Module ex.org/a/b level=1 as alias line=7
import Wildcard ex.org/dot level=1 line=8
import Effect ex.org/side level=1 line=9
import Module ex.org/mod/v2 as mod line=10
import Module gopkg.in/yaml.v3 as yaml line=11
import Module github.com/x/go-y as y line=12
"#,
    );
}

#[test]
fn routes_of_the_standard_library_and_gorilla() {
    check(
        r#"package main

import (
	"net/http"

	"github.com/gorilla/mux"
)

func main() {
	http.HandleFunc("/plain", plain)
	http.Handle("GET /typed/{id}", http.HandlerFunc(s.typed))
	r := mux.NewRouter()
	r.HandleFunc("/users", list).Methods("GET", http.MethodPost)
	api := r.PathPrefix("/api").Subrouter()
	api.HandleFunc("/v1", func(w http.ResponseWriter, r *http.Request) {})
	cache.Handle("key", value)
	m.Get("/x")
}
"#,
        &["root"],
        r#"
root cli main line=9 def=main by go main function
root http_route plain line=10 "ANY" "/plain" handler=plain by net/http route
root http_route typed line=11 "GET" "/typed/{id}" handler=s.typed by net/http route
root http_route list line=13 "GET,POST" "/users" handler=list by gorilla mux route
root http_route ANY /api/v1 line=15 "ANY" "/api/v1" def=main by gorilla mux route
"#,
    );
}

#[test]
fn routes_of_gin_with_groups() {
    check(
        r#"package web

import "github.com/gin-gonic/gin"

func Register(r *gin.Engine) {
	r.GET("/ping", ping)
	v1 := r.Group("/v1")
	{
		users := v1.Group("/users", auth)
		users.POST("", auth, create)
		users.DELETE("/:id", h.remove)
	}
	r.Any("/any", wrap(anyHandler))
	r.Handle("PUT", "/h", put)
}
"#,
        &["root"],
        r#"
root http_route ping line=6 "GET" "/ping" handler=ping by gin route
root http_route create line=10 "POST" "/v1/users" handler=create by gin route
root http_route remove line=11 "DELETE" "/v1/users/:id" handler=h.remove by gin route
root http_route anyHandler line=13 "ANY" "/any" handler=anyHandler by gin route
root http_route put line=14 "PUT" "/h" handler=put by gin route
"#,
    );
}

#[test]
fn routes_of_echo_and_chi() {
    check(
        r#"package web

import (
	"github.com/go-chi/chi/v5"
)

func Register(r chi.Router) {
	r.Get("/", index)
	r.Route("/articles", func(r chi.Router) {
		r.With(paginate).Get("/", list)
		r.Post("/", create)
		r.Route("/{id}", func(r chi.Router) {
			r.Put("/", update)
		})
	})
	r.Method("GET", "/m", handler)
	m.Get("key", fallback)
}
"#,
        &["root"],
        r#"
root http_route index line=8 "GET" "/" handler=index by chi route
root http_route list line=10 "GET" "/articles/" handler=list by chi route
root http_route create line=11 "POST" "/articles/" handler=create by chi route
root http_route update line=13 "PUT" "/articles/{id}/" handler=update by chi route
root http_route handler line=16 "GET" "/m" handler=handler by chi route
"#,
    );
}

#[test]
fn commands_tests_and_workers() {
    check(
        r#"package main

import (
	"testing"

	"github.com/robfig/cron/v3"
	"github.com/spf13/cobra"
)

var rootCmd = &cobra.Command{Use: "app [flags]", RunE: run}

func serve() *cobra.Command {
	return &cobra.Command{
		Use: "serve",
		Run: func(cmd *cobra.Command, args []string) { listen() },
	}
}

func main() { c := cron.New(); c.AddFunc("@hourly", sweep) }

func TestRun(t *testing.T) {}
func Testing(t *testing.T) {}
func BenchmarkRun(b *testing.B) {}
func FuzzRun(f *testing.F) {}
func ExampleRun() {}
func TestNot(x int) {}
"#,
        &["root"],
        r#"
root cli app line=10 handler=run by cobra command
root cli serve line=13 def=serve by cobra command
root cli main line=19 def=main by go main function
root worker sweep line=19 "@hourly" handler=sweep by cron job
root test TestRun line=21 def=TestRun by go test function
root test BenchmarkRun line=23 def=BenchmarkRun by go benchmark
root test FuzzRun line=24 def=FuzzRun by go fuzz test
root test ExampleRun line=25 def=ExampleRun by go example
"#,
    );
}

#[test]
fn tables_of_gorm_and_sql() {
    check(
        r#"package store

import "gorm.io/gorm"

type User struct {
	gorm.Model
	Name string
}

type BlogPost struct {
	ID int `gorm:"primaryKey"`
}

func (BlogPost) TableName() string { return "posts" }

func use(db *gorm.DB, raw *sql.DB, u *User) {
	db.Create(u)
	db.Where("name = ?", "x").First(&u)
	db.Model(&BlogPost{}).Where("x").Update("title", "y")
	db.Table("audit_log").Count(&n)
	db.Delete(&User{}, 1)
	raw.Query("SELECT id FROM orders WHERE x = $1", 1)
	raw.Exec("INSERT INTO " + "events (a) VALUES (?)", 1)
	raw.Exec(`UPDATE accounts
		SET x = 1`)
	log("select a file from the list")
}
"#,
        &["table", "reads", "writes"],
        r#"
table users line=5 model=User by gorm model
table blog_posts line=10 model=BlogPost by gorm model
table posts line=14 model=BlogPost by gorm TableName method
writes model u#1 17:2 in use by gorm create
reads model u#1 18:2 in use by gorm first
writes model new BlogPost 19:2 in use by gorm update
reads audit_log 20:2 in use by gorm query
writes model new User 21:2 in use by gorm delete
reads orders 22:12 in use by sql literal
writes events 23:11 in use by sql literal
writes accounts 24:11 in use by sql literal
"#,
    );
}
