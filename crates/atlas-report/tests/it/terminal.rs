use crate::sample::sample;
use crate::support::{any_findings, hostile};
use atlas_report::{Look, View, report_terminal};
use proptest::prelude::*;

#[test]
fn the_result_reads_well_without_colour() {
    let look = Look { width: 80, colour: false };
    insta::assert_snapshot!(sample().view(|view| report_terminal(view, Some("/home/ada/.local/share/atlas/votes-3f/20260101-001"), look)), @r#"
    DT-1 Which functions write the `audit_log` table, and who calls them?
      [answered]
      H   `AuditLog.record` in src/audit/log.py:13 writes `audit_log` and is called
          by 2 functions in 1 module. (FINDING-001)
          src/audit/log.py:13-19
            13 │     def record(self, actor, action, subject, **detail):
            14 │         row = (datetime.now(timezone.utc), actor.id, action, subje…
            15 │         with connection(self.dsn) as db:
            16 │             db.execute(
            17 │                 "INSERT INTO audit_log (at, actor, action, subject…
            … 2 more lines
          also src/web/routes.py:15, src/web/routes.py:23
      L!  in dispute, no side is taken (FINDING-002)
          -   Only `AuditLog.record` writes `audit_log`. (branch 1, H)
          -   `AuditLog.purge` writes `audit_log`. (branch 2, H)
          src/audit/log.py:21-23
            21 │     def purge(self, before):
            22 │         with connection(self.dsn) as db:
            23 │             db.execute("DELETE FROM audit_log WHERE at < ?", (befo…

    DT-2 Where is the session cookie signed and verified?  [answered]
      H   `sign` in src/auth/session.py:9 signs the cookie with HMAC-SHA-256 of
          `SECRET`. (FINDING-003)
          src/auth/session.py:9-11
             9 │ def sign(value):
            10 │     mac = hmac.new(SECRET, value.encode(), sha256).hexdigest()
            11 │     return f"{value}.{mac}"
      M   `verify` refuses a cookie of which the digest differs, in constant time.
          (FINDING-004)
          src/auth/session.py:14-18
            14 │ def verify(cookie):
            15 │     value, _, mac = cookie.rpartition(".")
            16 │     if not hmac.compare_digest(sign(value), cookie):
            17 │         raise PermissionError("bad session cookie")
            18 │     return value

    DT-3 Is every route that changes a vote guarded by `require_login`?  [answered]
      H   `withdraw_vote` handles DELETE /votes/<key> without `require_login`.
          (FINDING-005)
          src/web/routes.py:19-24
            19 │ @bp.delete("/votes/<key>")
            20 │ def withdraw_vote(key):
            21 │     vote = Vote.get(key)
            22 │     vote.delete()
            23 │     audit.record(session.user, "vote.withdrawn", vote)
            … 1 more line
      L   `cast_vote` likely trusts the form's voter id. (FINDING-006)
          src/web/routes.py:10-16
            10 │ @bp.post("/votes")
            11 │ @require_login
            12 │ def cast_vote():
            13 │     vote = Vote.from_form(request.form)
            14 │     vote.save()
            … 2 more lines
      supported too by FINDING-001

    DT-4 Which job purges old audit entries?  [not answered]
      gap not found by branch 2 (GAP-001)
          tried search_symbol {"name":"purge"}: 1 definition, no caller
          tried graph_query {"query":"callers_of: AuditLog.purge"}: no edge
          tried search_text {"pattern":"purge"}: no match outside its definition

    3 of 4 questions answered · 6 findings · 1 in dispute · 1 gap · 1 rejected
    Tiers: H established, M by one inference, L possible; L! in dispute.
    Scattered to 3 branches: all three flags hold.
    Cut between the clusters: edge weight 23. 2 findings folded into others.
    dedup_count and fan_out_ratio are low: the branches were disjoint
    Everything is in /home/ada/.local/share/atlas/votes-3f/20260101-001
    "#);
}

#[test]
fn colour_only_paints_what_words_say_already() {
    let shown = |colour| sample().view(|view| report_terminal(view, None, Look { width: 60, colour }));
    let painted = shown(true);
    let mut bare = String::new();
    let mut rest = painted.as_str();
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        bare.push_str(before);
        rest = after.split_once('m').unwrap().1;
    }
    bare.push_str(rest);
    assert_eq!(bare, shown(false));
    assert!(painted.contains("\u{1b}[32mH\u{1b}[0m"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn no_stranger_speaks_to_the_terminal_and_no_line_is_too_wide(
        findings in any_findings(6), words in hostile(), width in 0_usize..200,
        bytes in proptest::collection::vec(any::<u8>(), 0..200)
    ) {
        let mut sample = sample();
        sample.findings.findings.extend(findings.findings);
        sample.mission.sub_questions[1].text = words.clone();
        sample.findings.gaps[0].strikes[0].probe = words.clone();
        sample.findings.telemetry.advice.push(words);
        let shown = sample.view(|view| {
            let view = View { excerpt: &|_| Some(bytes.clone()), ..*view };
            report_terminal(&view, None, Look { width, colour: false })
        });
        let controls: Vec<char> = shown.chars().filter(|c| c.is_control() && *c != '\n').collect();
        prop_assert_eq!(controls, Vec::<char>::new());
        let reorders = shown.contains('\u{202e}');
        prop_assert!(!reorders);
        let most = width.clamp(40, 110);
        for line in shown.lines() {
            let narrow = line.chars().filter(char::is_ascii).count();
            prop_assert!(narrow <= most, "{line:?}");
        }
    }
}
