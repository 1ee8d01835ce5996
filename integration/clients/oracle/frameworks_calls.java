// Flyway and Liquibase at their defaults, on Oracle's JDBC driver.

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.flywaydb.core.Flyway;

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

    public static void main(String[] args) throws Exception {
        Logger.getLogger("").setLevel(Level.OFF);
        call("Flyway", frameworks_calls::flyway);
        call("Liquibase", frameworks_calls::liquibase);
        System.exit(0);
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
