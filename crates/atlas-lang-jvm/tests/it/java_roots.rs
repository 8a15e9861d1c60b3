//! Entry points and tables of Java files.

use super::roots_and_tables;
use insta::assert_snapshot;

#[test]
fn spring_routes_join_the_prefix_of_their_class() {
    let source = r#"package web;
import org.springframework.web.bind.annotation.*;
@RestController
@RequestMapping({"/a", "/b/"})
class Api {
    static final String ITEM = "/item";
    @GetMapping("/list") void list() { }
    @PostMapping(path = {"x", "/y"}) void both() { }
    @RequestMapping(value = ITEM, method = RequestMethod.PUT) void put() { }
    @DeleteMapping void all() { }
}
"#;
    assert_snapshot!(roots_and_tables(source, "java"), @r#"
    root http_route list line=7 "GET" "/a/list" def=Api.list by spring request mapping
    root http_route list line=7 "GET" "/b/list" def=Api.list by spring request mapping
    root http_route both line=8 "POST" "/a/x" def=Api.both by spring request mapping
    root http_route both line=8 "POST" "/a/y" def=Api.both by spring request mapping
    root http_route both line=8 "POST" "/b/x" def=Api.both by spring request mapping
    root http_route both line=8 "POST" "/b/y" def=Api.both by spring request mapping
    root http_route put line=9 "PUT" "/a/item" def=Api.put by spring request mapping
    root http_route put line=9 "PUT" "/b/item" def=Api.put by spring request mapping
    root http_route all line=10 "DELETE" "/a" def=Api.all by spring request mapping
    root http_route all line=10 "DELETE" "/b" def=Api.all by spring request mapping
    "#);
}

#[test]
fn annotations_without_their_import_are_no_roots() {
    let source = r#"import my.own.GetMapping;
class Api {
    @GetMapping("/list") void list() { }
    @Test void check() { }
    @Scheduled void tick() { }
}
"#;
    assert_snapshot!(roots_and_tables(source, "java"), @r#"

    "#);
}

#[test]
fn jax_rs_resources_and_servlets() {
    let source = r#"import jakarta.ws.rs.*;
import jakarta.servlet.http.HttpServlet;
@Path("/users")
class Users {
    @GET @Path("{id}") Object one() { return null; }
    @POST Object add() { return null; }
}
@WebServlet("/old")
class Old extends HttpServlet {
    protected void doGet(Object a, Object b) { }
}
"#;
    assert_snapshot!(roots_and_tables(source, "java"), @r#"
    root http_route one line=5 "GET" "/users/{id}" def=Users.one by jax-rs resource method
    root http_route add line=6 "POST" "/users" def=Users.add by jax-rs resource method
    root http_route doGet line=10 "GET" "/old" def=Old.doGet by servlet method
    "#);
}

#[test]
fn workers_listeners_and_events() {
    let source = r#"import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.context.event.EventListener;
class Jobs {
    @Scheduled(cron = "0 * * * *") void tick() { }
    @KafkaListener(topics = {"in", "late"}) void take(String m) { }
    @EventListener void on(OrderPlaced event) { }
}
"#;
    assert_snapshot!(roots_and_tables(source, "java"), @r#"
    root worker tick line=5 "0 * * * *" def=Jobs.tick by spring scheduled method
    root event_handler take line=6 "in" def=Jobs.take by spring kafka listener
    root event_handler take line=6 "late" def=Jobs.take by spring kafka listener
    root event_handler on line=7 "OrderPlaced" def=Jobs.on by spring event listener
    "#);
}

#[test]
fn mains_and_tests_of_each_framework() {
    let source = r#"import org.junit.jupiter.api.*;
import junit.framework.TestCase;
class AppTest {
    @BeforeEach void prepare() { }
    @Test void works() { }
    @ParameterizedTest void each(int n) { }
    void helper() { }
    public static void main(String[] args) { }
}
class OldTest extends TestCase {
    public void testOld() { }
    public void setUp() { }
}
"#;
    assert_snapshot!(roots_and_tables(source, "java"), @r#"
    root test works line=5 def=AppTest.works by junit test
    root test each line=6 def=AppTest.each by junit test
    root cli main line=8 def=AppTest.main by java main method
    root test testOld line=11 def=OldTest.testOld by junit 3 test case
    "#);
}

#[test]
fn entities_repositories_and_entity_managers() {
    let source = r#"import jakarta.persistence.*;
import org.springframework.data.jpa.repository.*;
@Entity @Table(name = "orders")
class Order { }
@Entity
class OrderLine { }
interface OrderRepository extends JpaRepository<Order, Long> {
    @Query("select o from Order o where o.open = true") java.util.List<Order> open();
    @Query(value = "delete from audit_log where id = 1", nativeQuery = true) void purge();
}
class Service {
    OrderRepository orders;
    EntityManager em;
    void go(Order order) {
        orders.save(order);
        orders.findByName("x");
        orders.touch();
        em.persist(order);
        em.find(Order.class, 1);
    }
}
"#;
    assert_snapshot!(roots_and_tables(source, "java"), @r#"
    table orders line=4 model=Order by jpa entity
    table order_line line=6 model=OrderLine by jpa entity
    reads model Order 8:12 in OrderRepository.open by jpql literal
    writes audit_log 9:20 in OrderRepository.purge by sql literal
    writes model orders.<entity> 15:16 in Service.go by spring data repository
    reads model orders.<entity> 16:16 in Service.go by spring data repository
    writes model order 18:12 in Service.go by jpa entity manager
    reads model Order 19:12 in Service.go by jpa entity manager
    "#);
}

#[test]
fn sql_in_literals_and_their_sums() {
    let source = r#"class Dao {
    static final String FROM = " FROM users";
    void go(Object jdbc, String table) {
        jdbc.query("SELECT id" + FROM + " WHERE id = 1");
        jdbc.update("INSERT INTO audit_log (id) VALUES (?)");
        jdbc.update("UPDATE " + table + " SET x = 1");
        jdbc.log("Select a row from the list");
        String block = """
            DELETE FROM sessions
            WHERE old
            """;
    }
}
"#;
    assert_snapshot!(roots_and_tables(source, "java"), @r#"
    reads model jdbc.<entity> 4:14 in Dao.go by spring data repository
    reads users 4:20 in Dao.go by sql literal
    writes model jdbc.<entity> 5:14 in Dao.go by spring data repository
    writes audit_log 5:21 in Dao.go by sql literal
    writes model jdbc.<entity> 6:14 in Dao.go by spring data repository
    writes sessions 8:24 in Dao.go by sql literal
    "#);
}
