//! The sidecar of the report: what it is, byte for byte, and what may be done with it unseen (contract §13).

use atlas_artifact::{Envelope, Mission};
use atlas_tree::sha256;

/// The version of the sidecar's form.
const VERSION: u32 = 2;

/// The envelope of `scout-report.md` with exactly these bytes. It is self-attested and lets a program
/// route the report, nothing else. `created` is the mission's.
#[must_use]
pub fn envelope(mission: &Mission, report: &[u8]) -> Envelope {
    let mut route_to = vec![mission.handoff_recipients.primary.clone()];
    if mission.handoff_recipients.fallback != route_to[0] {
        route_to.push(mission.handoff_recipients.fallback.clone());
    }
    Envelope {
        envelope_version: VERSION,
        mission_id: mission.mission_id.clone(),
        artifact: "scout-report.md".to_owned(),
        media_type: "text/markdown; charset=utf-8".to_owned(),
        sha256: sha256(report).to_string(),
        size: report.len() as u64,
        attestation: "self-attested".to_owned(),
        permitted: vec!["auto-route".to_owned()],
        route_to,
        created: mission.created.clone(),
    }
}

/// Whether the envelope is that of these bytes.
#[must_use]
pub fn envelope_holds(envelope: &Envelope, report: &[u8]) -> bool {
    envelope.size == report.len() as u64 && envelope.sha256 == sha256(report).to_string()
}
