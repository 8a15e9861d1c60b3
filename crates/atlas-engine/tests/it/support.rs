//! A repository on disk, settings that touch nothing of the user's, a mission.

use atlas_artifact::{Defaults, Mission, MissionId, QuestionOptions, assess, from_questions};
use atlas_engine::{Settings, Silent, Workspace};
use atlas_store::Directories;
use std::ffi::OsString;
use std::path::Path;

/// Settings whose directories lie below `home`.
pub fn settings(home: &Path) -> Settings {
    let var = |name: &str| -> Option<OsString> {
        match name {
            "HOME" | "USERPROFILE" | "LOCALAPPDATA" => Some(home.as_os_str().to_owned()),
            _ => None,
        }
    };
    Settings { use_cache: true, global_excludes: None, directories: Directories::from_env(var) }
}

pub fn open(repo: &Path, home: &Path) -> Workspace {
    Workspace::open(repo, &settings(home), &Silent).unwrap()
}

pub fn mission(questions: &[&str]) -> Mission {
    let id = MissionId::parse("20260101-001").unwrap();
    let draft = from_questions(questions, &QuestionOptions::new(id, "2026-01-01T00:00:00Z"));
    assess(draft, &Defaults::default()).unwrap()
}

/// Two parts of a program that have nothing to do with each other, each in several modules.
pub fn two_concerns() -> Vec<(String, String)> {
    let mut files = vec![
        ("audit/models.py".to_owned(), "from django.db import models\n\n\nclass AuditLog(models.Model):\n    class Meta:\n        db_table = 'audit_log'\n".to_owned()),
        ("audit/writer.py".to_owned(), "from audit.models import AuditLog\n\n\ndef write_entry(event):\n    AuditLog.objects.create(event=event)\n".to_owned()),
        ("session/cookie.py".to_owned(), "import hmac\n\n\ndef sign_cookie(value, key):\n    \"\"\"Sign the session cookie.\"\"\"\n    return value + ':' + hmac.new(key, value).hexdigest()\n\n\ndef verify_cookie(cookie, key):\n    \"\"\"Verify the signature of the session cookie.\"\"\"\n    value, _, _ = cookie.partition(':')\n    return sign_cookie(value, key) == cookie\n".to_owned()),
        ("session/middleware.py".to_owned(), "from session.cookie import sign_cookie, verify_cookie\n\n\ndef process(request, key):\n    if not verify_cookie(request.cookie, key):\n        return None\n    return sign_cookie(request.session, key)\n".to_owned()),
    ];
    for part in ["audit", "session"] {
        for n in 0..14 {
            let uses = if part == "audit" {
                "from audit.writer import write_entry"
            } else {
                "from session.middleware import process"
            };
            let call = if part == "audit" { format!("write_entry('{n}')") } else { format!("process(request, '{n}')") };
            files.push((
                format!("{part}/flows/m{n}/step.py"),
                format!("{uses}\n\n\ndef step_{part}_{n}(request):\n    return {call}\n"),
            ));
        }
    }
    files
}

pub const QUESTIONS: [&str; 2] =
    ["Which functions write the audit log, and who calls them?", "Where is the session cookie signed and verified?"];

pub fn write(dir: &Path, files: &[(String, String)]) {
    for (path, text) in files {
        let path = dir.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}
