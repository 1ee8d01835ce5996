// Flyway and Liquibase at their defaults, on Microsoft's JDBC driver.

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.*;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.flywaydb.core.Flyway;

class migrations_calls {
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

    public static void main(String[] args) throws Exception {
        Logger.getLogger("").setLevel(Level.OFF);
        flyway();
        liquibase();
        System.exit(0);
    }

    static void flyway() throws Exception {
        Path dir = Files.createTempDirectory("flyway");
        Files.writeString(dir.resolve("V1__first.sql"), "CREATE TABLE dbo.F (Id int PRIMARY KEY);\nGO\nINSERT INTO dbo.F (Id) VALUES (1);\n");
        Files.writeString(dir.resolve("V2__second.sql"), "CREATE PROCEDURE dbo.FP AS SELECT 1;\nGO\nALTER TABLE dbo.F ADD Name nvarchar(20) "
            + "NULL;\nGO\nUPDATE dbo.F SET Name = N'ü';\n");
        Files.writeString(dir.resolve("R__view.sql"), "CREATE OR ALTER VIEW dbo.FV AS SELECT Id FROM dbo.F;\n");
        var fl = Flyway.configure().dataSource(URL, env("USER"), env("PASSWORD")).locations("filesystem:"
            + dir).baselineOnMigrate(true).baselineVersion("0").cleanDisabled(false).load();
        try (var c = DriverManager.getConnection(URL, env("USER"), env("PASSWORD"))) { // so that there is something to baseline
            c.createStatement().execute("CREATE TABLE dbo.Before (Id int)");
        }
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

