// Hibernate, Flyway and Liquibase at their defaults, on Microsoft's JDBC driver.

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.flywaydb.core.Flyway;
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

    @Entity
    public static class Customer {
        @Id @GeneratedValue(strategy = GenerationType.IDENTITY) Long id;
        @Column(unique = true, length = 50) String name;
        BigDecimal credit;
    }

    @Entity(name = "Orders")
    public static class Order {
        @Id @GeneratedValue(strategy = GenerationType.SEQUENCE) Long id;
        @ManyToOne Customer customer;
    }

    public static void main(String[] args) throws Exception {
        Logger.getLogger("").setLevel(Level.OFF);
        call("Hibernate", frameworks_calls::hibernate);
        call("Flyway", frameworks_calls::flyway);
        call("Liquibase", frameworks_calls::liquibase);
        System.exit(0);
    }

    static void hibernate() {
        SessionFactory factory = new Configuration(new BootstrapServiceRegistryBuilder().applyClassLoader(frameworks_calls.class.getClassLoader()).build()).addAnnotatedClass(Customer.class).addAnnotatedClass(Order.class)
            .setProperty("hibernate.connection.url", URL).setProperty("hibernate.connection.username", env("USER"))
            .setProperty("hibernate.connection.password", env("PASSWORD")).setProperty("hibernate.hbm2ddl.auto", "update").buildSessionFactory();
        call("Hibernate: persist", () -> factory.inTransaction(s -> {
            for (int i = 0; i < 20; i++) {
                var c = new Customer();
                c.name = "n" + i;
                c.credit = new BigDecimal("12.50");
                s.persist(c);
                var o = new Order();
                o.customer = c;
                s.persist(o);
            }
        }));
        call("Hibernate: find", () -> factory.inTransaction(s -> same("n0", s.find(Customer.class, 1L).name)));
        call("Hibernate: query", () -> factory.inTransaction(s -> same(5,
            s.createSelectionQuery("from Orders o where o.customer.credit > 1 order by o.id", Order.class).setFirstResult(10).setMaxResults(5).list().size())));
        call("Hibernate: update", () -> factory.inTransaction(s -> s.find(Customer.class, 2L).name = "other"));
        call("Hibernate: delete", () -> factory.inTransaction(s -> same(1, s.createMutationQuery("delete from Orders o where o.customer.id = 3").executeUpdate())));
        call("Hibernate: lock", () -> factory.inTransaction(s -> s.find(Customer.class, 4L, jakarta.persistence.LockModeType.PESSIMISTIC_WRITE)));
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
        call("product: enqueue in Hibernate's transaction", () -> {
            Long[] task = new Long[1];
            try (var s = factory.openSession()) {
                var t = s.beginTransaction();
                task[0] = ((Number) s.createNativeQuery("DECLARE @t bigint; EXEC dbsched.ExecAsync @SQL = ?1, @ExecutionOrder = 100, @TaskId = @t OUTPUT; SELECT @t", Object.class)
                    .setParameter(1, "SELECT 1").getSingleResult()).longValue();
                t.rollback();
            }
            factory.inTransaction(s -> same(0, s.createNativeQuery("SELECT TaskId FROM dbsched.TaskInfo WHERE TaskId = ?1", Object.class).setParameter(1, task[0]).list().size()));
        });
        factory.close();
    }

    static void flyway() throws Exception {
        Path dir = Files.createTempDirectory("flyway");
        Files.writeString(dir.resolve("V1__first.sql"), "CREATE TABLE dbo.F (Id int PRIMARY KEY);\nGO\nINSERT INTO dbo.F (Id) VALUES (1);\n");
        Flyway flyway = Flyway.configure().dataSource(URL, env("USER"), env("PASSWORD")).locations("filesystem:" + dir).baselineOnMigrate(true).baselineVersion("0").load();
        call("Flyway: migrate", () -> same(1, flyway.migrate().migrationsExecuted));
        call("Flyway: migrate again", () -> same(0, flyway.migrate().migrationsExecuted));
        call("Flyway: info", () -> same(true, flyway.info().applied().length >= 1));
    }

    static void liquibase() throws Exception {
        Path dir = Files.createTempDirectory("liquibase");
        Files.writeString(dir.resolve("log.sql"), "--liquibase formatted sql\n--changeset a:1\nCREATE TABLE dbo.L (Id int PRIMARY KEY);\n--rollback DROP TABLE dbo.L;\n");
        Files.writeString(dir.resolve("log.xml"), "<databaseChangeLog xmlns='http://www.liquibase.org/xml/ns/dbchangelog' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' "
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
