//! Rankings and footprints of small repositories.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod footprints;
mod hostile;
mod rankings;

use atlas_graph::Graph;
use atlas_graph::link::{Program, SourceFile, link};
use atlas_lang_python::PythonSemantics;
use atlas_retrieve::{Ranking, RetrievalIndex, analyse, search};
use atlas_syntax::Language;
use atlas_testkit::Fixture;
use atlas_tree::RepoPath;
use std::sync::{Arc, LazyLock};

/// A repository as every test sees it.
struct World {
    graph: Graph,
    index: RetrievalIndex,
}

impl World {
    fn new(fixture: &str) -> Self {
        let files = Fixture::new(fixture)
            .files
            .into_iter()
            .filter_map(|(path, bytes)| {
                let facts = atlas_lang_python::extract(&bytes, Language::Python)?;
                Some(SourceFile { path: RepoPath::new(&path).unwrap(), facts: Arc::new(facts) })
            })
            .collect();
        let graph = link(Arc::new(Program::new(files, Vec::new())), &[&PythonSemantics]);
        let index = RetrievalIndex::build(&graph);
        Self { graph, index }
    }

    fn search(&self, question: &str) -> Ranking {
        search(&self.graph, &self.index, &analyse(question))
    }

    fn files(&self, question: &str) -> Vec<&str> {
        self.search(question).files.iter().map(|file| self.graph.program.path(file.file).as_str()).collect()
    }

    fn symbols(&self, question: &str) -> Vec<String> {
        self.search(question).symbols.iter().map(|symbol| self.graph.qualified_name(symbol.node)).collect()
    }
}

/// The shop, indexed once.
fn shop() -> &'static World {
    static SHOP_WORLD: LazyLock<World> = LazyLock::new(|| World::new(SHOP));
    &SHOP_WORLD
}

/// A web shop in nine files: enough for words to be shared and for rarity to matter.
const SHOP: &str = r#"
=== shop/auth/session.py
"""Sessions that live in a cookie."""
import hmac
from shop.core.signing import sign, verify

class SessionStore:
    """Keeps the session in a signed cookie."""

    def save(self, data):
        return sign(data)

    def load(self, cookie):
        """Reads the session back, or starts an empty one when the cookie was tampered with."""
        return verify(cookie)
=== shop/core/signing.py
class BadSignature(Exception):
    pass

def sign(value):
    """Appends the signature."""
    return value + mac(value)

def verify(value):
    if not compare(value):
        raise BadSignature("signature does not match")
    return value

def mac(value):
    return str(len(value))

def compare(value):
    return True
=== shop/audit/log.py
def write_entry(actor, action):
    """Appends one line to the audit log."""
    with open("audit.log", "a") as log:
        log.write(actor + action)

def read_entries():
    return []
=== shop/orders/models.py
class Order:
    def total(self):
        return sum(line.price for line in self.lines)

    def cancel(self, user):
        from shop.audit.log import write_entry
        write_entry(user, "cancel")
=== shop/orders/views.py
from shop.orders.models import Order

def cancel_order(request):
    order = Order()
    order.cancel(request.user)
=== shop/mail/sender.py
class MailSender:
    def send(self, to, subject, body):
        # Retries three times when the server refuses the connection.
        for attempt in range(3):
            self.connect()

    def connect(self):
        raise ConnectionRefusedError("mail server refused the connection")
=== shop/catalog/search.py
def find_products(words):
    """Full text search over the catalogue."""
    return []
=== tests/test_signing.py
from shop.core.signing import sign, verify, BadSignature

def test_signature_of_a_session_cookie_is_verified():
    """A session cookie that is signed is verified: signature, signing, session, cookie."""
    assert verify(sign("session cookie"))
=== examples/cookie.py
def session_cookie_example():
    """Signs and verifies a session cookie."""
"#;
