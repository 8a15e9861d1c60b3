use super::*;
use proptest::prelude::*;

/// `r:` reads, `w:` writes.
fn uses(text: &str) -> String {
    let list: Vec<String> =
        tables(text).into_iter().map(|t| format!("{}:{}", if t.write { 'w' } else { 'r' }, t.name)).collect();
    list.join(" ")
}

#[test]
fn selects_read_every_table_of_from_and_join() {
    assert_eq!(uses("SELECT * FROM audit_log"), "r:audit_log");
    assert_eq!(uses("select id, name from users u where u.id = ?"), "r:users");
    assert_eq!(uses("SELECT a FROM t1, t2 AS b, t3 c WHERE t1.x = b.x"), "r:t1 r:t2 r:t3");
    assert_eq!(uses("SELECT 1 FROM a LEFT OUTER JOIN b ON a.i=b.i CROSS JOIN c NATURAL JOIN d"), "r:a r:b r:c r:d");
    assert_eq!(uses("SELECT x FROM (a JOIN b USING (id)), c"), "r:a r:b r:c");
    assert_eq!(uses("SELECT x FROM a WHERE id IN (SELECT a_id FROM b WHERE EXISTS (SELECT 1 FROM c))"), "r:a r:b r:c");
    assert_eq!(uses("SELECT (SELECT max(x) FROM m) FROM n"), "r:m r:n");
    assert_eq!(uses("SELECT a FROM x UNION ALL SELECT a FROM y"), "r:x r:y");
    assert_eq!(uses("(SELECT a FROM x) UNION (SELECT a FROM y)"), "r:x r:y");
    assert_eq!(uses("SELECT * FROM ONLY parents"), "r:parents");
    assert_eq!(uses("EXPLAIN ANALYZE SELECT * FROM t"), "r:t");
    assert_eq!(uses("SELECT u FROM User u WHERE u.name = :name"), "r:User");
    assert_eq!(uses("SELECT o FROM Order o ORDER BY o.id"), "r:Order");
    assert_eq!(uses("SELECT a FROM t FOR UPDATE"), "r:t");
}

#[test]
fn from_inside_functions_and_comparisons_names_no_table() {
    assert_eq!(uses("SELECT EXTRACT(year FROM made_at) FROM votes"), "r:votes");
    assert_eq!(uses("SELECT trim(both ' ' FROM name), substring(x FROM 2) FROM people"), "r:people");
    assert_eq!(uses("SELECT 1 FROM a WHERE x IS NOT DISTINCT FROM y AND z IS DISTINCT FROM w"), "r:a");
    assert_eq!(uses("SELECT n FROM generate_series(1, 9) AS n, t"), "r:t");
    assert_eq!(uses("SELECT sysdate FROM dual"), "");
    assert_eq!(uses("SELECT t.x FROM a, LATERAL (SELECT * FROM b) t"), "r:a r:b");
    assert_eq!(uses("SELECT * FROM a CROSS APPLY f(a.x) JOIN b ON 1=1"), "r:a r:b");
}

#[test]
fn quoted_and_qualified_names_of_every_dialect() {
    assert_eq!(uses("SELECT * FROM \"public\".\"Audit Log\""), "r:public.Audit Log");
    assert_eq!(uses("SELECT `a`.`b` FROM `db`.`user-table`"), "r:db.user-table");
    assert_eq!(uses("SELECT [x] FROM [dbo].[Orders] o WHERE o.a[1] = 2"), "r:dbo.Orders");
    assert_eq!(uses("INSERT INTO main.events VALUES (1)"), "w:main.events");
    assert_eq!(uses("SELECT \\\"id\\\" FROM \\\"users\\\"\\n WHERE 1 = 1"), "r:users");
}

#[test]
fn writes_of_every_verb() {
    assert_eq!(uses("INSERT INTO audit_log (event) VALUES (%s)"), "w:audit_log");
    assert_eq!(uses("insert or ignore into seen (k) values (?)"), "w:seen");
    assert_eq!(uses("INSERT INTO a (x) SELECT x FROM b"), "w:a r:b");
    assert_eq!(uses("INSERT INTO a VALUES (1) ON CONFLICT (id) DO UPDATE SET x = 1"), "w:a");
    assert_eq!(uses("INSERT INTO a VALUES (1) ON DUPLICATE KEY UPDATE x = 1"), "w:a");
    assert_eq!(uses("REPLACE INTO kv (k, v) VALUES ($1, $2)"), "w:kv");
    assert_eq!(uses("UPDATE users SET name = 'x' WHERE id = 1"), "w:users");
    assert_eq!(uses("update users u set name = t.n from temp_names t where t.id = u.id"), "w:users r:temp_names");
    assert_eq!(uses("UPDATE u SET u.a = 1 FROM users u"), "w:users r:users");
    assert_eq!(uses("UPDATE a JOIN b ON a.i = b.i SET a.x = b.x"), "w:a r:b");
    assert_eq!(uses("UPDATE users SET "), "w:users");
    assert_eq!(uses("DELETE FROM sessions"), "w:sessions");
    assert_eq!(uses("delete from sessions where id = ?"), "w:sessions");
    assert_eq!(uses("DELETE FROM a USING b WHERE a.i = b.i"), "w:a r:b");
    assert_eq!(uses("DELETE u FROM users u JOIN old o ON o.id = u.id"), "w:users r:users r:old");
    assert_eq!(
        uses(
            "MERGE INTO t USING s ON (t.i = s.i) WHEN MATCHED THEN UPDATE SET x = 1 WHEN NOT MATCHED THEN INSERT (i) VALUES (1)"
        ),
        "w:t r:s"
    );
    assert_eq!(uses("MERGE INTO t AS d USING (SELECT * FROM s) AS q ON d.i=q.i WHEN MATCHED THEN DELETE"), "w:t r:s");
    assert_eq!(uses("TRUNCATE TABLE audit_log"), "w:audit_log");
    assert_eq!(uses("TRUNCATE audit_log CASCADE"), "w:audit_log");
    assert_eq!(uses("INSERT OVERWRITE TABLE daily SELECT * FROM raw"), "w:daily r:raw");
}

#[test]
fn definitions_write_what_they_define() {
    assert_eq!(uses("CREATE TABLE IF NOT EXISTS app.users (id int, name text NOT NULL)"), "w:app.users");
    assert_eq!(uses("create table copies as select * from originals"), "w:copies r:originals");
    assert_eq!(uses("CREATE OR REPLACE VIEW v AS SELECT a FROM t"), "w:v r:t");
    assert_eq!(uses("CREATE MATERIALIZED VIEW mv AS SELECT a FROM t"), "w:mv r:t");
    assert_eq!(uses("ALTER TABLE users ADD COLUMN age int"), "w:users");
    assert_eq!(uses("DROP TABLE IF EXISTS users"), "w:users");
    assert_eq!(uses("CREATE UNIQUE INDEX i ON users (name)"), "");
    assert_eq!(uses("CREATE TABLE a (b_id int REFERENCES b (id) ON DELETE CASCADE ON UPDATE SET NULL)"), "w:a");
    assert_eq!(
        uses(
            "CREATE FUNCTION f() RETURNS trigger AS $$ BEGIN INSERT INTO log VALUES (1); DELETE FROM q; END $$ LANGUAGE plpgsql"
        ),
        "w:log w:q"
    );
    assert_eq!(
        uses("CREATE TRIGGER tr AFTER INSERT OR UPDATE ON t FOR EACH ROW INSERT INTO log (x) VALUES (1)"),
        "w:log"
    );
}

#[test]
fn common_table_expressions_are_no_tables() {
    assert_eq!(uses("WITH recent AS (SELECT * FROM votes) SELECT * FROM recent JOIN users ON 1=1"), "r:votes r:users");
    assert_eq!(uses("WITH RECURSIVE t(n) AS (SELECT 1 UNION SELECT n+1 FROM t) SELECT n FROM t"), "");
    assert_eq!(
        uses("with a as (select 1), b (x) as not materialized (select * from a) insert into c select * from b"),
        "w:c"
    );
    // Not recursive: inside its own body the name is the table's.
    assert_eq!(uses("WITH users AS (SELECT * FROM users WHERE a = 1) SELECT * FROM users"), "r:users");
    assert_eq!(uses("WITH gone AS (DELETE FROM a RETURNING *) INSERT INTO b SELECT * FROM gone"), "w:a w:b");
}

#[test]
fn comments_strings_and_several_statements() {
    assert_eq!(uses("-- FROM ghosts\nSELECT /* FROM ghosts */ 'FROM ghosts', 'it''s' FROM t # FROM ghosts"), "r:t");
    assert_eq!(uses("SELECT 'a\\'b FROM ghosts' FROM t"), "r:t");
    assert_eq!(uses("SELECT a FROM t WHERE a LIKE '%\\' ESCAPE '\\' AND b IN (SELECT b FROM u)"), "r:t r:u");
    assert_eq!(uses("BEGIN; INSERT INTO a VALUES (1); UPDATE b SET x = 1; COMMIT;"), "w:a w:b");
    assert_eq!(uses("USE shop; SELECT a FROM t"), "r:t");
    assert_eq!(uses("\n   SELECT a\n   FROM t\n   ;\n"), "r:t");
    assert_eq!(uses("SELECT * FROM t; SELECT * FROM t; DELETE FROM t"), "r:t w:t");
}

#[test]
fn holes_are_followed_and_never_guessed() {
    assert_eq!(uses("SELECT * FROM {table} WHERE id = %s"), "");
    assert_eq!(uses("SELECT * FROM %s JOIN users ON 1=1"), "r:users");
    assert_eq!(uses("SELECT {cols} FROM users_{year}"), "");
    assert_eq!(uses("SELECT {cols} FROM {schema}.users WHERE a = ${b} AND c = #{d}"), "r:users");
    assert_eq!(uses("INSERT INTO ${name} SELECT %(a)s FROM b"), "r:b");
    assert_eq!(uses("SELECT a::text, :b FROM t WHERE c = @p1 AND d = $2"), "r:t");
    assert_eq!(uses("SELECT * FROM #tmp"), "");
}

#[test]
fn english_is_refused() {
    for text in [
        "select the best from our menu",
        "Select the best from our menu",
        "Select an item from the list",
        "select item from list",
        "Select items from catalog",
        "select one or more files from this folder",
        "SELECT THE BEST FROM OUR MENU",
        "Select %s from the list",
        "Select file(s) from folder",
        "Select your country from the drop-down (required)",
        "Update your settings to match the server",
        "update the record set by the user",
        "Update %s set",
        "Delete from the list",
        "Delete from cart",
        "delete the file from disk",
        "insert coin into slot",
        "Insert into the slot",
        "insert into slot",
        "create a new table for two",
        "create table of contents",
        "create table for two",
        "drop the table",
        "truncate text",
        "truncate the string after ten characters",
        "merge into master",
        "replace into",
        "with great power comes great responsibility",
        "with users from all over",
        "alter table settings",
        "do not select anything from there",
        "use select to read from tables",
        "Set the value from config",
        "explain the select from above",
        "from users",
        "selection from users",
        "",
        ";",
        "(",
        "SELECT",
        "SELECT FROM",
        "INSERT INTO",
        "UPDATE",
        "DELETE FROM",
        "WITH x AS (",
        "CREATE TABLE",
    ] {
        assert_eq!(uses(text), "", "{text}");
    }
}

#[test]
fn hostile_texts_cost_linear_time_and_never_panic() {
    for unit in
        ["(", ")", "{", "'", "\"", "[a", "x AS (", ") AS (", "%(", "$$", "/*", "WITH a AS (SELECT ", "-", "\\", "é"]
    {
        let text = format!("SELECT a FROM t {}", unit.repeat(20_000));
        let _ = tables(&text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn never_panics(text in "(SELECT|INSERT INTO|UPDATE|WITH a AS|DELETE|FROM|SET|[(),;.'\"\\[\\]{}%?]|[a-zé]{1,3}| ){0,40}") {
        let _ = tables(&text);
    }

    #[test]
    fn a_table_is_found_under_any_layout(name in "[a-z]{3,8}_[a-z]{2,4}", gap in "[ \\n\\t]{1,3}", upper in any::<bool>()) {
        let text = format!("select{gap}*{gap}from{gap}{name}{gap}where{gap}id = ?");
        let text = if upper { text.to_uppercase() } else { text };
        let expected = if upper { name.to_uppercase() } else { name };
        prop_assert_eq!(tables(&text), vec![SqlTable { name: expected, write: false }]);
    }
}
