// Hibernate, Flyway and Liquibase at their defaults, on Microsoft's JDBC driver.

import jakarta.persistence.*;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.*;
import java.util.*;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.flywaydb.core.Flyway;
import org.hibernate.ScrollMode;
import org.hibernate.SessionFactory;
import org.hibernate.boot.registry.BootstrapServiceRegistryBuilder;
import org.hibernate.cfg.Configuration;

class frameworks_calls {
    static final String URL = "jdbc:sqlserver://" + env("HOST") + ":" + env("PORT") + ";databaseName=" + env("DATABASE") + ";trustServerCertificate=true";

    interface Call { void run() throws Exception; }

    static String env(String name) { return System.getenv(name); }

    static void call(String name, Call run) {
        try {
            run.run();
            System.out.println("ok " + name);
        } catch (Throwable e) {
            String text = "";
            boolean refused = false;
            for (Throwable c = e; c != null; c = c.getCause()) {
                text += " " + c.getClass().getSimpleName() + " " + c.getMessage();
                refused |= c instanceof SQLException s && s.getErrorCode() == 49999;
            }
            System.out.println((refused ? "refused " : "FAIL ") + name + ":" + text.replaceAll("\\s+", " "));
        }
    }

    static void same(Object want, Object got) {
        if (!Objects.equals(want, got)) throw new AssertionError(got + " instead of " + want);
    }

    public enum Kind { SMALL, LARGE }
    @Embeddable
    public static class Address {
        String street, city;
    }

    @Entity(name = "Customer") @Table(name = "customers", indexes = @Index(name = "ix_cust", columnList = "name, credit"),
        uniqueConstraints = @UniqueConstraint(name = "uq_mail", columnNames = "mail"))
    public static class Customer {
        @Id @GeneratedValue(strategy = GenerationType.IDENTITY) Long id;
        @Version int version;
        @Column(nullable = false, length = 50) String name;
        String mail;
        @Column(precision = 12, scale = 4) BigDecimal credit;
        @Enumerated(EnumType.STRING) Kind kind;
        LocalDate born; LocalDateTime at; OffsetDateTime moment; Instant instant; LocalTime clock; Duration took;
        @Lob String text; @Lob byte[] data; UUID ukey; boolean active; Double weight; Float f; Short s; Byte b; Character ch;
        @Embedded Address address;
        @ElementCollection List<String> tags = new ArrayList<>();
        @OneToMany(mappedBy = "customer", cascade = CascadeType.ALL, orphanRemoval = true) List<Order> orders = new ArrayList<>();
    }
    @Entity(name = "Orders") @Table(name = "orders_h")
    public static class Order {
        @Id @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "os") @SequenceGenerator(name = "os", sequenceName = "order_seq",
            allocationSize = 10) Long id;
        @ManyToOne(fetch = FetchType.LAZY) Customer customer;
        BigDecimal price;
        @ManyToMany Set<Product> products = new HashSet<>();
    }
    @Entity(name = "Product") @Inheritance(strategy = InheritanceType.JOINED)
    public static class Product { @Id @GeneratedValue(strategy = GenerationType.UUID) UUID id; String title; }
    @Entity(name = "Book") public static class Book extends Product { int pages; }
    @Entity(name = "Tab") public static class Tab { @Id @GeneratedValue(strategy = GenerationType.TABLE) Long id; String v; }

    static SessionFactory factory(String auto) {
        var bootstrap = new BootstrapServiceRegistryBuilder().applyClassLoader(frameworks_calls.class.getClassLoader()).build();
        var config = new Configuration(bootstrap).setProperty("hibernate.jdbc.batch_size", "10").setProperty("hibernate.hbm2ddl.auto", auto);
        for (var entity : List.of(Customer.class, Order.class, Product.class, Book.class, Tab.class)) config.addAnnotatedClass(entity);
        return config.setProperty("hibernate.connection.url", URL).setProperty("hibernate.connection.username", env("USER"))
            .setProperty("hibernate.connection.password", env("PASSWORD")).buildSessionFactory();
    }

    static SessionFactory f;

    public static void main(String[] args) throws Exception {
        Logger.getLogger("").setLevel(Level.OFF);
        hibernate();
        flyway();
        liquibase();
        System.exit(0);
    }

    static void hibernate() {
        call("Hibernate: create", () -> factory("create").close());
        call("Hibernate: validate", () -> factory("validate").close());
        call("Hibernate: update", () -> f = factory("update"));
        call("Hibernate: persist", () -> f.inTransaction(s -> {
            for (int i = 0; i < 25; i++) {
                var c = new Customer();
                c.name = "n" + i;
                c.mail = "m" + i;
                c.credit = new BigDecimal("12.5").add(BigDecimal.valueOf(i));
                c.kind = i % 2 == 0 ? Kind.SMALL : Kind.LARGE;
                c.born = LocalDate.of(2000, 1, 31);
                c.at = LocalDateTime.of(2026, 1, 31, 23, 59, 59, 123456000);
                c.moment = OffsetDateTime.of(2026, 1, 31, 12, 0, 0, 0, ZoneOffset.ofHours(2));
                c.instant = Instant.parse("2026-01-31T12:00:00.123Z");
                c.clock = LocalTime.of(23, 59, 59);
                c.took = Duration.ofSeconds(5);
                c.text = "ü".repeat(10000);
                c.data = new byte[] {1, 2, 3};
                c.ukey = new UUID(1, 2);
                c.active = true;
                c.weight = 0.1;
                c.f = 0.5f;
                c.s = 7;
                c.b = 8;
                c.ch = 'ä';
                c.address = new Address();
                c.address.city = "Köln";
                c.tags.add("t" + i);
                s.persist(c);
                for (int j = 0; j < 3; j++) {
                    var o = new Order();
                    o.customer = c;
                    o.price = BigDecimal.valueOf(j);
                    c.orders.add(o);
                    s.persist(o);
                }
            }
            var b = new Book();
            b.title = "B";
            b.pages = 5;
            s.persist(b);
            s.persist(new Tab());
        }));
        call("Hibernate: all types back", () -> f.inTransaction(s -> {
            var c = s.find(Customer.class, 1L);
            same("n0 12.5000 SMALL 2000-01-31 2026-01-31T23:59:59.123456 2026-01-31T10:00Z 2026-01-31T12:00:00.123Z 23:59:59 PT5S 10000 3 " + new UUID(1,
                2) + " true 0.1 0.5 7 8 ä Köln [t0]", c.name + " " + c.credit + " " + c.kind + " " + c.born + " " + c.at + " "
                + c.moment.withOffsetSameInstant(ZoneOffset.UTC) + " " + c.instant + " " + c.clock + " " + c.took + " " + c.text.length() + " "
                + c.data.length + " " + c.ukey + " " + c.active + " " + c.weight + " " + c.f + " " + c.s + " " + c.b + " " + c.ch + " " + c.address.city
                + " " + c.tags);
        }));
        call("Hibernate: query by name", () -> f.inTransaction(s -> same(1, s.createSelectionQuery("from Customer c where c.name = :n",
            Customer.class).setParameter("n", "n3").list().size())));
        call("Hibernate: join fetch", () -> f.inTransaction(s -> same(3, s.createSelectionQuery("from Customer c join fetch c.orders where c.id = 1",
            Customer.class).getSingleResult().orders.size())));
        call("Hibernate: pages", () -> f.inTransaction(s -> same(List.of("n10", "n11"), s.createSelectionQuery("select c.name from Customer c where c.name "
            + "like 'n1%' order by c.id", String.class).setFirstResult(1).setMaxResults(2).list())));
        call("Hibernate: limit without order", () -> f.inTransaction(s -> same(2, s.createSelectionQuery("from Customer",
            Customer.class).setMaxResults(2).list().size())));
        call("Hibernate: offset without order", () -> f.inTransaction(s -> same(2, s.createSelectionQuery("from Customer",
            Customer.class).setFirstResult(1).setMaxResults(2).list().size())));
        call("Hibernate: aggregate", () -> f.inTransaction(s -> {
            Object[] r = s.createSelectionQuery("select count(c), sum(c.credit), avg(c.credit), min(c.born), max(c.at) from Customer c",
                Object[].class).getSingleResult();
            same(25L, r[0]);
            same(new BigDecimal("612.5000"), r[1]);
            same(24.5, ((Number) r[2]).doubleValue());
        }));
        call("Hibernate: group by, having", () -> f.inTransaction(s -> same(2, s.createSelectionQuery("select c.kind, count(*) from Customer c group by "
            + "c.kind having count(*) > 1 order by c.kind", Object[].class).list().size())));
        call("Hibernate: subquery", () -> f.inTransaction(s -> same(25L, s.createSelectionQuery("select count(c) from Customer c where exists (select 1 "
            + "from Orders o where o.customer = c and o.price > 1)", Long.class).getSingleResult())));
        call("Hibernate: functions", () -> f.inTransaction(s -> s.createSelectionQuery("select upper(c.name), lower(c.name), length(c.name), "
            + "substring(c.name, 1, 1), concat(c.name, '!'), trim(c.name), coalesce(c.mail, 'x'), abs(c.credit), mod(c.id, 2), year(c.born), month(c.at), "
            + "cast(c.id as string), locate('n', c.name), round(c.credit, 1), nullif(c.mail, 'x') from Customer c where c.id = 1",
            Object[].class).getSingleResult()));
        call("Hibernate: dates in HQL", () -> f.inTransaction(s -> s.createSelectionQuery("select c.id from Customer c where c.at > local datetime - 100000 "
            + "day and c.born = date 2000-01-31 and c.at < datetime 2027-01-01 00:00:00", Long.class).list()));
        call("Hibernate: current time", () -> f.inTransaction(s -> s.createSelectionQuery("select local datetime, current timestamp, local date, instant "
            + "from Customer c where c.id = 1", Object[].class).getSingleResult()));
        call("Hibernate: case", () -> f.inTransaction(s -> s.createSelectionQuery("select case when c.credit > 20 then 'a' else 'b' end from Customer c",
            String.class).list()));
        call("Hibernate: in list", () -> f.inTransaction(s -> same(2, s.createSelectionQuery("from Customer c where c.id in (:l)",
            Customer.class).setParameterList("l", List.of(1L, 2L)).list().size())));
        call("Hibernate: member of", () -> f.inTransaction(s -> same(1, s.createSelectionQuery("from Customer c where 't1' member of c.tags",
            Customer.class).list().size())));
        call("Hibernate: window", () -> f.inTransaction(s -> s.createSelectionQuery("select c.name, row_number() over (partition by c.kind order by c.id) "
            + "from Customer c", Object[].class).list()));
        call("Hibernate: union", () -> f.inTransaction(s -> s.createSelectionQuery("select c.name from Customer c union select p.title from Product p",
            String.class).list()));
        call("Hibernate: criteria", () -> f.inTransaction(s -> {
            var b = s.getCriteriaBuilder();
            var q = b.createQuery(Customer.class);
            var r = q.from(Customer.class);
            q.where(b.and(b.equal(r.get("kind"), Kind.SMALL), b.greaterThan(r.<BigDecimal>get("credit"), BigDecimal.ONE))).orderBy(b.desc(r.get("name")));
            same(13, s.createQuery(q).getResultList().size());
        }));
        call("Hibernate: inheritance", () -> f.inTransaction(s -> same(5, ((Book) s.createSelectionQuery("from Product",
            Product.class).getSingleResult()).pages)));
        call("Hibernate: many to many", () -> f.inTransaction(s -> {
            s.find(Order.class, s.createSelectionQuery("select min(o.id) from Orders o",
                Long.class).getSingleResult()).products.add(s.createSelectionQuery("from Product", Product.class).getSingleResult());
        }));
        call("Hibernate: update by HQL", () -> f.inTransaction(s -> same(25, s.createMutationQuery("update Customer c set c.credit = c.credit * "
            + "2").executeUpdate())));
        call("Hibernate: delete by HQL, joined", () -> f.inTransaction(s -> s.createMutationQuery("delete from Book b where b.pages > 100").executeUpdate()));
        call("Hibernate: insert select", () -> f.inTransaction(s -> s.createMutationQuery("insert into Tab (id, v) select c.id + 1000, c.name from Customer "
            + "c where c.id < 3").executeUpdate()));
        call("Hibernate: upsert", () -> f.inStatelessSession(s -> {
            var t = s.beginTransaction();
            var x = new Tab();
            x.id = 5000L;
            x.v = "u";
            s.upsert(x);
            s.upsert(x);
            t.commit();
        }));
        call("Hibernate: orphan removal", () -> f.inTransaction(s -> s.find(Customer.class, 5L).orders.remove(0)));
        call("Hibernate: cascade delete", () -> f.inTransaction(s -> s.remove(s.find(Customer.class, 6L))));
        call("Hibernate: optimistic lock", () -> {
            try (var a = f.openSession(); var b = f.openSession()) {
                a.beginTransaction();
                var x = a.find(Customer.class, 7L);
                b.beginTransaction();
                b.find(Customer.class, 7L).name = "b";
                b.getTransaction().commit();
                x.name = "a";
                try {
                    a.getTransaction().commit();
                    throw new AssertionError("no error");
                } catch (OptimisticLockException e) {
                }
            }
        });
        for (var m : new LockModeType[] {LockModeType.PESSIMISTIC_WRITE, LockModeType.PESSIMISTIC_READ,
            LockModeType.PESSIMISTIC_FORCE_INCREMENT}) call("Hibernate: lock " + m, () -> f.inTransaction(s -> s.find(Customer.class, 8L, m)));
        call("Hibernate: lock: skip locked", () -> f.inTransaction(s -> s.createQuery("from Customer c where c.id = 9",
            Customer.class).setLockMode(LockModeType.PESSIMISTIC_WRITE).setHint("jakarta.persistence.lock.timeout", -2).getResultList()));
        call("Hibernate: lock: nowait", () -> f.inTransaction(s -> s.createQuery("from Customer c where c.id = 9",
            Customer.class).setLockMode(LockModeType.PESSIMISTIC_WRITE).setHint("jakarta.persistence.lock.timeout", 0).getResultList()));
        call("Hibernate: scroll", () -> f.inTransaction(s -> {
            try (var r = s.createSelectionQuery("from Customer order by id", Customer.class).scroll(ScrollMode.FORWARD_ONLY)) {
                r.next();
                same(1L, r.get().id);
            }
        }));
        call("Hibernate: scroll, default", () -> f.inTransaction(s -> {
            try (var r = s.createSelectionQuery("from Customer order by id", Customer.class).scroll()) {
                r.next();
            }
        }));
        call("Hibernate: stream", () -> f.inTransaction(s -> same(24L, s.createSelectionQuery("from Customer", Customer.class).getResultStream().count())));
        call("Hibernate: native query", () -> f.inTransaction(s -> same(1, s.createNativeQuery("select * from customers where id = :i",
            Customer.class).setParameter("i", 1).list().size())));
        call("Hibernate: stored procedure", () -> f.inTransaction(s -> {
            s.doWork(c -> c.createStatement().execute("CREATE PROCEDURE dbo.HP @a int, @b int OUTPUT AS SET @b = @a + 1"));
            var q = s.createStoredProcedureQuery("dbo.HP").registerStoredProcedureParameter(1, Integer.class,
                ParameterMode.IN).registerStoredProcedureParameter(2, Integer.class, ParameterMode.OUT).setParameter(1, 5);
            q.execute();
            same(6, q.getOutputParameterValue(2));
        }));
        call("Hibernate: refresh", () -> f.inTransaction(s -> { var c = s.find(Customer.class, 1L); s.refresh(c); }));
        call("Hibernate: merge", () -> f.inTransaction(s -> { var c = s.find(Customer.class, 1L); s.detach(c); c.name = "merged"; s.merge(c); }));
        call("Hibernate: query timeout", () -> f.inTransaction(s -> s.createSelectionQuery("from Customer", Customer.class).setTimeout(5).list()));
        call("product: enqueue in Hibernate's transaction", () -> {
            Long[] task = new Long[1];
            try (var s = f.openSession()) {
                var t = s.beginTransaction();
                task[0] = ((Number) s.createNativeQuery("DECLARE @t bigint; EXEC dbsched.ExecAsync @SQL = ?1, @ExecutionOrder = 100, @TaskId = @t OUTPUT; "
                    + "SELECT @t", Object.class)
                    .setParameter(1, "SELECT 1").getSingleResult()).longValue();
                t.rollback();
            }
            f.inTransaction(s -> same(0, s.createNativeQuery("SELECT TaskId FROM dbsched.TaskInfo WHERE TaskId = ?1", Object.class).setParameter(1,
                task[0]).list().size()));
        });
        call("Hibernate: truncate", () -> f.getSchemaManager().truncateMappedObjects());
        call("Hibernate: drop", () -> f.getSchemaManager().dropMappedObjects(false));
        f.close();
    }

    static void flyway() throws Exception {
        Path dir = Files.createTempDirectory("flyway");
        Files.writeString(dir.resolve("V1__first.sql"), "CREATE TABLE dbo.F (Id int PRIMARY KEY);\nGO\nINSERT INTO dbo.F (Id) VALUES (1);\n");
        Files.writeString(dir.resolve("V2__second.sql"), "CREATE PROCEDURE dbo.FP AS SELECT 1;\nGO\nALTER TABLE dbo.F ADD Name nvarchar(20) "
            + "NULL;\nGO\nUPDATE dbo.F SET Name = N'ü';\n");
        Files.writeString(dir.resolve("R__view.sql"), "CREATE OR ALTER VIEW dbo.FV AS SELECT Id FROM dbo.F;\n");
        var fl = Flyway.configure().dataSource(URL, env("USER"), env("PASSWORD")).locations("filesystem:"
            + dir).baselineOnMigrate(true).baselineVersion("0").cleanDisabled(false).load();
        call("Flyway: info", () -> same(0, fl.info().applied().length));
        call("Flyway: migrate", () -> same(3, fl.migrate().migrationsExecuted));
        call("Flyway: again", () -> same(0, fl.migrate().migrationsExecuted));
        call("Flyway: validate", fl::validate);
        call("Flyway: info after", () -> same(4, fl.info().applied().length));
        Files.writeString(dir.resolve("V1__first.sql"), "CREATE TABLE dbo.F (Id int PRIMARY KEY);\nGO\nINSERT INTO dbo.F (Id) VALUES (2);\n");
        call("Flyway: validate fails", () -> {
            try {
                fl.validate();
                throw new AssertionError("no error");
            } catch (org.flywaydb.core.api.exception.FlywayValidateException e) {
            }
        });
        call("Flyway: repair", () -> fl.repair());
        Files.writeString(dir.resolve("V3__bad.sql"), "CREATE TABLE dbo.G (Id int);\nGO\nINSERT INTO dbo.Nothing VALUES (1);\n");
        call("Flyway: a migration that fails", () -> {
            try {
                fl.migrate();
                throw new AssertionError("no error");
            } catch (org.flywaydb.core.api.FlywayException e) {
                if (!e.getMessage().contains("Invalid object name 'dbo.Nothing'")) throw e;
            }
        });
        try (var c = DriverManager.getConnection(URL, env("USER"), env("PASSWORD"))) {
            var r = c.createStatement().executeQuery("SELECT COUNT(OBJECT_ID('dbo.G'))");
            r.next();
            int n = r.getInt(1);
            call("Flyway: rolled back", () -> same(0, n));
        }
        call("Flyway: baseline", () -> Flyway.configure().dataSource(URL, env("USER"), env("PASSWORD")).table("other_history").load().baseline());
        Path other = Files.createTempDirectory("flyway");
        Files.writeString(other.resolve("V1__first.sql"), "CREATE TABLE fly.F (Id int PRIMARY KEY);\n");
        call("Flyway: schema", () -> Flyway.configure().dataSource(URL, env("USER"), env("PASSWORD")).locations("filesystem:"
            + other).schemas("fly").createSchemas(true).load().migrate());
        call("Flyway: clean", () -> Flyway.configure().dataSource(URL, env("USER"), env("PASSWORD")).schemas("fly").cleanDisabled(false).load().clean());
    }

    static void liquibase() throws Exception {
        Path dir = Files.createTempDirectory("liquibase");
        Files.writeString(dir.resolve("log.sql"), "--liquibase formatted sql\n--changeset a:1\nCREATE TABLE dbo.L (Id int PRIMARY KEY);\n--rollback DROP "
            + "TABLE dbo.L;\n");
        Files.writeString(dir.resolve("log.xml"), "<databaseChangeLog xmlns='http://www.liquibase.org/xml/ns/dbchangelog' "
            + "xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' "
            + "xsi:schemaLocation='http://www.liquibase.org/xml/ns/dbchangelog http://www.liquibase.org/xml/ns/dbchangelog/dbchangelog-latest.xsd'>"
            + "<include file='log.sql'/></databaseChangeLog>");
        try (var db = DriverManager.getConnection(URL, env("USER"), env("PASSWORD"));
                var resources = new liquibase.resource.DirectoryResourceAccessor(dir)) {
            var database = liquibase.database.DatabaseFactory.getInstance().findCorrectDatabaseImplementation(new liquibase.database.jvm.JdbcConnection(db));
            var l = new liquibase.Liquibase("log.xml", resources, database);
            java.io.PrintStream out = System.out;
            call("Liquibase: update", () -> l.update(""));
            call("Liquibase: update again", () -> l.update(""));
            call("Liquibase: roll back", () -> l.rollback(1, ""));
        }
    }
}

