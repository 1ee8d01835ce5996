// Hibernate, Flyway and Liquibase at their defaults, on Oracle's JDBC driver.

import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Lob;
import jakarta.persistence.LockModeType;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Version;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.flywaydb.core.Flyway;
import org.hibernate.SessionFactory;
import org.hibernate.boot.registry.BootstrapServiceRegistryBuilder;
import org.hibernate.cfg.Configuration;

class frameworks_calls {
    static final String URL = "jdbc:oracle:thin:@//" + env("HOST") + ":" + env("PORT") + "/" + env("DATABASE");

    interface Call { void run() throws Exception; }

    static String env(String name) { return System.getenv(name); }

    static void call(String name, Call run) {
        try {
            run.run();
            System.out.println("ok " + name);
        } catch (Throwable e) {
            if (env("TRACE") != null) e.printStackTrace();
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

    @Entity(name = "Customer")
    public static class Customer {
        @Id @GeneratedValue(strategy = GenerationType.IDENTITY) Long id;
        @Column(unique = true, length = 50, nullable = false) String name;
        BigDecimal credit;
        boolean active;
        LocalDate born;
        LocalDateTime made;
        Instant seen;
        @Lob String note;
        byte[] small;
        @Version int version;
    }

    @Entity(name = "Orders")
    public static class Order {
        @Id @GeneratedValue(strategy = GenerationType.SEQUENCE) Long id;
        @ManyToOne Customer customer;
        @ElementCollection List<String> tags;
    }

    public static void main(String[] args) throws Exception {
        Logger.getLogger("").setLevel(Level.OFF);
        call("Hibernate", frameworks_calls::hibernate);
        call("Flyway", frameworks_calls::flyway);
        call("Liquibase", frameworks_calls::liquibase);
        System.exit(0);
    }

    static SessionFactory factory() {
        return new Configuration(new BootstrapServiceRegistryBuilder().applyClassLoader(frameworks_calls.class.getClassLoader()).build())
            .addAnnotatedClass(Customer.class).addAnnotatedClass(Order.class)
            .setProperty("hibernate.connection.url", URL).setProperty("hibernate.connection.username", env("USER"))
            .setProperty("hibernate.connection.password", env("PASSWORD")).setProperty("hibernate.hbm2ddl.auto", "update").buildSessionFactory();
    }

    static void hibernate() {
        SessionFactory factory = factory();
        var at = LocalDateTime.of(2026, 1, 31, 23, 59, 59, 123456000);
        call("Hibernate: persist", () -> factory.inTransaction(s -> {
            for (int i = 0; i < 20; i++) {
                var c = new Customer();
                c.name = "n" + i;
                c.credit = new BigDecimal("12.50");
                c.active = true;
                c.born = at.toLocalDate();
                c.made = at;
                c.seen = Instant.EPOCH;
                c.note = "ü".repeat(5000);
                c.small = new byte[] {1, 2};
                s.persist(c);
                var o = new Order();
                o.customer = c;
                o.tags = List.of("a", "b");
                s.persist(o);
            }
        }));
        call("Hibernate: find", () -> factory.inTransaction(s -> {
            var c = s.find(Customer.class, 1L);
            same("n0", c.name);
            same(new BigDecimal("12.5"), c.credit);
            same(true, c.active);
            same(at.toLocalDate(), c.born);
            same(at, c.made);
            same(Instant.EPOCH, c.seen);
            same(5000, c.note.length());
            same(2, c.small.length);
        }));
        call("Hibernate: query", () -> factory.inTransaction(s -> same(5,
            s.createSelectionQuery("from Orders o where o.customer.credit > 1 order by o.id", Order.class).setFirstResult(10).setMaxResults(5).list().size())));
        call("Hibernate: collection", () -> factory.inTransaction(s -> same(List.of("a", "b"),
            s.createSelectionQuery("from Orders order by id", Order.class).setMaxResults(1).getSingleResult().tags.stream().sorted().toList())));
        call("Hibernate: group", () -> factory.inTransaction(s -> same(20L,
            s.createSelectionQuery("select count(*) from Customer where upper(name) like 'N%' and extract(year from made) = 2026", Long.class).getSingleResult())));
        call("Hibernate: update", () -> factory.inTransaction(s -> s.find(Customer.class, 2L).name = "other"));
        call("Hibernate: the version", () -> factory.inTransaction(s -> same(1, s.find(Customer.class, 2L).version)));
        call("Hibernate: delete", () -> factory.inTransaction(s -> s.remove(s.createSelectionQuery("from Orders order by id desc", Order.class).setMaxResults(1).getSingleResult())));
        call("Hibernate: update of many", () -> factory.inTransaction(s -> same(20, s.createMutationQuery("update Customer set credit = credit + 1").executeUpdate())));
        call("Hibernate: lock", () -> factory.inTransaction(s -> s.find(Customer.class, 4L, LockModeType.PESSIMISTIC_WRITE)));
        call("Hibernate: roll back", () -> {
            try {
                factory.inTransaction(s -> {
                    var c = new Customer();
                    c.name = "other";
                    s.persist(c);
                });
            } catch (org.hibernate.exception.ConstraintViolationException e) {
                return;
            }
            throw new AssertionError("no error");
        });
        call("Hibernate: update the schema again", () -> factory().close());
        call("product: enqueue in Hibernate's transaction", () -> {
            try (var s = factory.openSession()) {
                var t = s.beginTransaction();
                s.createNativeMutationQuery("BEGIN dbsched.exec_async(in_sql => ?1, in_execution_order => 100); END;").setParameter(1, "begin null; /* Hibernate */ end;").executeUpdate();
                same(1, ((Number) s.createNativeQuery("SELECT COUNT(*) FROM ds_task_info WHERE sql_text LIKE '%Hibernate%'", Object.class).getSingleResult()).intValue());
                t.rollback();
                same(0, ((Number) s.createNativeQuery("SELECT COUNT(*) FROM ds_task_info WHERE sql_text LIKE '%Hibernate%'", Object.class).getSingleResult()).intValue());
            }
        });
        factory.close();
    }

    static void flyway() throws Exception {
        Path dir = Files.createTempDirectory("flyway");
        Files.writeString(dir.resolve("V1__first.sql"), "CREATE TABLE f (id NUMBER PRIMARY KEY);\nINSERT INTO f (id) VALUES (1);\n"
            + "CREATE OR REPLACE PROCEDURE fp AS\nBEGIN\n  NULL;\nEND;\n/\nCOMMENT ON TABLE f IS 'first';\n");
        Flyway flyway = Flyway.configure().dataSource(URL, env("USER"), env("PASSWORD")).locations("filesystem:" + dir).baselineOnMigrate(true).baselineVersion("0").load();
        call("Flyway: migrate", () -> same(1, flyway.migrate().migrationsExecuted));
        call("Flyway: migrate again", () -> same(0, flyway.migrate().migrationsExecuted));
        call("Flyway: info", () -> same(true, flyway.info().applied().length >= 1));
        call("Flyway: validate", flyway::validate);
        Files.writeString(dir.resolve("V2__second.sql"), "ALTER TABLE f ADD (name VARCHAR2(20));\n");
        call("Flyway: migrate once more", () -> same(1, flyway.migrate().migrationsExecuted));
    }

    static void liquibase() throws Exception {
        Path dir = Files.createTempDirectory("liquibase");
        Files.writeString(dir.resolve("log.sql"), "--liquibase formatted sql\n--changeset a:1\nCREATE TABLE l (id NUMBER PRIMARY KEY);\n--rollback DROP TABLE l;\n");
        Files.writeString(dir.resolve("log.xml"), "<databaseChangeLog xmlns='http://www.liquibase.org/xml/ns/dbchangelog' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' "
            + "xsi:schemaLocation='http://www.liquibase.org/xml/ns/dbchangelog http://www.liquibase.org/xml/ns/dbchangelog/dbchangelog-latest.xsd'>"
            + "<changeSet id='0' author='a'><createTable tableName='m'><column name='id' type='bigint'><constraints primaryKey='true'/></column>"
            + "<column name='name' type='varchar(50)'/><column name='made' type='timestamp'/></createTable></changeSet>"
            + "<changeSet id='2' author='a'><addColumn tableName='m'><column name='note' type='clob'/></addColumn>"
            + "<createIndex tableName='m' indexName='m_name'><column name='name'/></createIndex></changeSet>"
            + "<include file='log.sql'/></databaseChangeLog>");
        try (var db = DriverManager.getConnection(URL, env("USER"), env("PASSWORD"));
                var resources = new liquibase.resource.DirectoryResourceAccessor(dir)) {
            var database = liquibase.database.DatabaseFactory.getInstance().findCorrectDatabaseImplementation(new liquibase.database.jvm.JdbcConnection(db));
            var l = new liquibase.Liquibase("log.xml", resources, database);
            call("Liquibase: update", () -> l.update(""));
            call("Liquibase: update again", () -> l.update(""));
            call("Liquibase: roll back", () -> l.rollback(1, ""));
        }
    }
}
