//! Imports: packages, relative names, aliases, re-exports, `__all__`, search paths, stubs.

use super::{ask, check};

const PACKAGE: &str = r#"
=== pkg/__init__.py
from .impl import run, _private
from .more import *
from . import sub
from .sub.deep import deepest as deep_alias
=== pkg/impl.py
from . import helper
from .helper import assist
def run(): return helper.assist()
                         ^^^^^^ ~ call pkg/helper.py:assist EXTRACTED
def _private(): return assist()
                       ^^^^^^ ~ call pkg/helper.py:assist EXTRACTED
=== pkg/helper.py
def assist(): pass
=== pkg/more.py
__all__ = ["public", "from_impl"]
from .impl import run as from_impl
def public(): pass
def unlisted(): pass
=== pkg/sub/__init__.py
=== pkg/sub/deep.py
from ..impl import run
from ... import outside
def deepest(): return run()
                      ^^^ ~ call pkg/impl.py:run EXTRACTED
=== main.py
import pkg
import pkg.sub.deep
import pkg.impl as implementation
from pkg import run, public, unlisted, deep_alias, from_impl
from pkg.sub import deep
def go():
    pkg.run()
        ^^^ ~ call pkg/impl.py:run EXTRACTED
    pkg.sub.deep.deepest()
                 ^^^^^^^ ~ call pkg/sub/deep.py:deepest EXTRACTED
    implementation.run()
                   ^^^ ~ call pkg/impl.py:run EXTRACTED
    run()
    ^^^ ~ call pkg/impl.py:run EXTRACTED
    public()
    ^^^^^^ ~ call pkg/more.py:public EXTRACTED
    unlisted()
    ^^^^^^^^ ~ call none
    deep_alias()
    ^^^^^^^^^^ ~ call pkg/sub/deep.py:deepest EXTRACTED
    from_impl()
    ^^^^^^^^^ ~ call pkg/impl.py:run EXTRACTED
    deep.deepest()
         ^^^^^^^ ~ call pkg/sub/deep.py:deepest EXTRACTED
    pkg._private()
        ^^^^^^^^ ~ call pkg/impl.py:_private EXTRACTED
"#;

#[test]
fn packages_re_exports_and_aliases() {
    check(PACKAGE);
    assert_eq!(ask(PACKAGE, "callers_of: assist"), ["pkg/impl.py:3", "pkg/impl.py:4"]);
    assert_eq!(ask(PACKAGE, "importers_of: pkg/helper.py"), ["pkg/impl.py:1", "pkg/impl.py:2"],);
}

#[test]
fn imports_inside_functions_and_for_type_checkers() {
    check(
        r#"
=== a.py
class Vote:
    def record(self): pass
def late(): pass
=== b.py
from __future__ import annotations
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from a import Vote
def f(vote: Vote, other: "Vote"):
            ^^^^ ~ read a.py:Vote EXTRACTED
    from a import late
    import a as bank
    late()
    ^^^^ ~ call a.py:late EXTRACTED
    bank.late()
         ^^^^ ~ call a.py:late EXTRACTED
    vote.record()
         ^^^^^^ ~ call a.py:Vote.record EXTRACTED
    other.record()
          ^^^^^^ ~ call a.py:Vote.record EXTRACTED
def g():
    late()
    ^^^^ ~ call none
"#,
    );
}

#[test]
fn wildcard_imports_bring_public_names() {
    check(
        r#"
=== a.py
from b import *
def own(): pass
=== b.py
def inner(): pass
def _hidden(): pass
=== main.py
from a import *
def go():
    own()
    ^^^ ~ call a.py:own EXTRACTED
    inner()
    ^^^^^ ~ call b.py:inner EXTRACTED
    _hidden()
    ^^^^^^^ ~ call none
    print(inner)
          ^^^^^ ~ read b.py:inner EXTRACTED
"#,
    );
}

#[test]
fn absolute_names_start_where_a_project_has_its_source() {
    check(
        r#"
=== pyproject.toml
[project]
=== src/app/__init__.py
=== src/app/core.py
def start(): pass
=== tests/__init__.py
=== tests/helpers.py
def make(): pass
=== tests/unit/__init__.py
=== tests/unit/test_core.py
from app.core import start
from tests.helpers import make
def test_start():
    start()
    ^^^^^ ~ call src/app/core.py:start EXTRACTED
    make()
    ^^^^ ~ call tests/helpers.py:make EXTRACTED
=== scripts/run.py
import tool
from app import core
tool.work()
     ^^^^ ~ call scripts/tool.py:work EXTRACTED
core.start()
     ^^^^^ ~ call src/app/core.py:start EXTRACTED
=== scripts/tool.py
def work(): pass
"#,
    );
}

#[test]
fn the_nearest_project_wins_and_the_standard_library_is_not_shadowed_from_afar() {
    check(
        r#"
=== one/app/__init__.py
=== one/app/core.py
def go(): pass
=== one/run.py
from app.core import go
import json
go()
^^ ~ call one/app/core.py:go EXTRACTED
json.dumps(1)
     ^^^^^ ~ call none
=== two/app/__init__.py
=== two/app/core.py
def go(): pass
=== two/tests/test_it.py
from app.core import go
go()
^^ ~ call two/app/core.py:go EXTRACTED
=== json.py
def dumps(x): pass
=== other/x.py
from app.core import go
go()
^^ ~ call none
"#,
    );
}

#[test]
fn namespace_packages_and_modules_beside_folders() {
    check(
        r#"
=== ns/part/mod.py
def f(): pass
=== util.py
def from_module(): pass
=== util/data.py
x = 1
=== main.py
from ns.part.mod import f
from ns.part import mod
import util
f()
^ ~ call ns/part/mod.py:f EXTRACTED
mod.f()
    ^ ~ call ns/part/mod.py:f EXTRACTED
util.from_module()
     ^^^^^^^^^^^ ~ call util.py:from_module EXTRACTED
"#,
    );
}

#[test]
fn a_stub_stands_for_the_source_beside_it() {
    check(
        r#"
=== lib.py
class Box:
    def open(self): return 1
def make(): return Box()
=== lib.pyi
class Box:
    def open(self) -> int: ...
def make() -> Box: ...
=== only.pyi
def declared() -> int: ...
=== main.py
from lib import make, Box
from only import declared
make()
^^^^ ~ call lib.py:make EXTRACTED
Box().open()
      ^^^^ ~ call lib.py:Box.open EXTRACTED
declared()
^^^^^^^^ ~ call only.pyi:declared EXTRACTED
"#,
    );
}

#[test]
fn a_fallback_import_keeps_both() {
    check(
        r#"
=== fast.py
def parse(): pass
=== slow.py
def parse(): pass
=== main.py
try:
    from fast import parse
except ImportError:
    from slow import parse
try:
    from speedups import escape
except ImportError:
    def escape(): pass
def go():
    parse()
    ^^^^^ ~ call fast.py:parse | slow.py:parse AMBIGUOUS
    escape()
    ^^^^^^ ~ call main.py:escape EXTRACTED
"#,
    );
}

#[test]
fn cycles_of_imports_end() {
    check(
        r#"
=== a.py
from b import *
from b import ghost
def f(): g()
         ^ ~ call b.py:g EXTRACTED
=== b.py
from a import *
from a import ghost
def g(): f()
         ^ ~ call a.py:f EXTRACTED
=== c.py
from a import ghost, f
ghost()
^^^^^ ~ call none
f()
^ ~ call a.py:f EXTRACTED
"#,
    );
}

#[test]
fn console_scripts_lead_to_their_functions() {
    let text = r#"
=== setup.py
from setuptools import setup
setup(name="x", entry_points={"console_scripts": ["tool = pkg.cli:main"]})
=== pkg/__init__.py
=== pkg/cli.py
def main(): pass
"#;
    assert_eq!(ask(text, "importers_of: pkg/cli.py"), ["setup.py:2"]);
}
