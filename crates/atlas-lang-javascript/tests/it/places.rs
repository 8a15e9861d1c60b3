//! Routes by a file's place, and scripts of components.

use crate::facts::check;
use atlas_lang_javascript::{complete_roots, extract};
use atlas_syntax::{Language, dump};
use atlas_tree::RepoPath;

fn roots(path: &str, source: &str) -> Vec<String> {
    let path = RepoPath::new(path).unwrap();
    let mut facts = extract(source.as_bytes(), Language::of(&path, b"").unwrap()).unwrap();
    complete_roots(&path, &mut facts);
    dump(&facts).lines().filter(|line| line.starts_with("root")).map(str::to_owned).collect()
}

#[test]
fn files_of_next_are_routes() {
    assert_eq!(
        roots("web/app/(shop)/items/[id]/route.ts", "export async function GET() {}\nexport const POST = () => 1;\n"),
        [
            "root http_route GET line=1 \"GET\" \"/items/:id\" def=GET by next route file",
            "root http_route POST line=2 \"POST\" \"/items/:id\" def=POST by next route file",
        ]
    );
    assert_eq!(
        roots("pages/api/users/[...slug].ts", "export default function handler(req, res) {}\n"),
        ["root http_route handler line=1 \"ANY\" \"/api/users/*slug\" def=handler by next api file"]
    );
    assert_eq!(
        roots("src/pages/api/index.js", "import h from '../h';\nexport default h;\n"),
        ["root http_route ANY /api line=2 \"ANY\" \"/api\" handler=h by next api file"]
    );
    assert_eq!(roots("src/lib/x.ts", "export default function f() {}\n"), [""; 0]);
}

#[test]
fn files_of_sveltekit_and_nitro_are_routes() {
    assert_eq!(
        roots("src/routes/api/+server.ts", "export const GET = () => 1;\n"),
        ["root http_route GET line=1 \"GET\" \"/api\" def=GET by sveltekit server file"]
    );
    assert_eq!(
        roots("server/api/users.post.ts", "export default defineEventHandler(() => 1);\n"),
        ["root http_route POST /api/users line=1 \"POST\" \"/api/users\" def=default by nitro server file"]
    );
}

#[test]
fn scripts_of_a_component_keep_their_lines() {
    let source = "\
<template>
  <p @click=\"save\">{{ x < 1 }}</p>
</template>
<!-- <script>function no() {}</script> -->
<script>
export default { name: 'x' };
</script>
<script setup lang=\"ts\">
import Child from './Child.vue';
const save = (x: number): void => {};
</script>
<style>a > b {}</style>
";
    check(
        Language::Vue,
        source,
        &["def", "import", "error"],
        "
def variable default 6-6 @6:1 owner=? exported default-export
def function save 10-10 @10:7 arity=1..1 file-local
import Default ./Child.vue as Child line=9
",
    );
    check(
        Language::Svelte,
        "<script lang='ts' context=\"module\">\nexport function load(): void {}\n</script>\n<h1>{title}</h1>\n<script type=\"application/json\">{}</script>\n",
        &["def", "error"],
        "def function load 2-2 @2:17 arity=0..0 exported",
    );
    check(Language::Vue, "<script src=\"./x.ts\" />\n<template>x</template>", &["def", "error"], "");
    check(Language::Vue, "<script>\nfunction open() {}", &["def"], "def function open 2-2 @2:10 arity=0..0");
}

#[test]
fn flow_annotations_are_read_as_types() {
    check(
        Language::JavaScript,
        "// @flow\nimport type { A } from './a';\nexport class B {\n  c: A;\n  d(e: A): void {}\n}\n",
        &["def", "error"],
        "
def class B 3-6 @3:14 exported
def field B.c 4-4 @4:3 ty=A
def method B.d 5-5 @5:3 arity=1..1
",
    );
}
