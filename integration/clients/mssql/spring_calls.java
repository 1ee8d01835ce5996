// Spring JDBC at its defaults, on Microsoft's JDBC driver.

import java.math.BigDecimal;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.EmptyResultDataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.core.simple.SimpleJdbcCall;
import org.springframework.jdbc.core.simple.SimpleJdbcInsert;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.jdbc.support.incrementer.SqlServerSequenceMaxValueIncrementer;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

class spring_calls {
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
        var ds = new DriverManagerDataSource(URL, env("USER"), env("PASSWORD"));
        var t = new JdbcTemplate(ds);
        call("execute", () -> t.execute("CREATE TABLE dbo.S (Id int IDENTITY PRIMARY KEY, Name nvarchar(50) NOT NULL UNIQUE, Price decimal(9, 2), At "
            + "datetime2(3) DEFAULT SYSUTCDATETIME())"));
        call("update", () -> same(1, t.update("INSERT INTO dbo.S (Name, Price) VALUES (?, ?)", "a", new BigDecimal("1.5"))));
        call("null", () -> same(1, t.update("INSERT INTO dbo.S (Name, Price) VALUES (?, ?)", "n", null)));
        call("nulls of all kinds", () -> same(1, t.update("INSERT INTO dbo.S (Name, At) VALUES (?, ?)", "m", null)));
        call("query", () -> same("a", t.queryForObject("SELECT Name FROM dbo.S WHERE Id = ?", String.class, 1)));
        call("queryForList", () -> same(3, t.queryForList("SELECT * FROM dbo.S").size()));
        call("queryForMap", () -> same(new BigDecimal("1.50"), t.queryForMap("SELECT Price FROM dbo.S WHERE Id = 1").get("Price")));
        call("empty", () -> {
            try {
                t.queryForObject("SELECT 1 WHERE 1 = 0", Integer.class);
                throw new AssertionError("no error");
            } catch (EmptyResultDataAccessException e) {
            }
        });
        call("batchUpdate", () -> same(3, t.batchUpdate("INSERT INTO dbo.S (Name, Price) VALUES (?, ?)", List.of(new Object[] {"b1", 1},
            new Object[] {"b2", 2}, new Object[] {"b3", null})).length));
        call("duplicate", () -> {
            try {
                t.update("INSERT INTO dbo.S (Name) VALUES ('a')");
                throw new AssertionError("no error");
            } catch (DuplicateKeyException e) {
            }
        });
        call("not null", () -> {
            try {
                t.update("INSERT INTO dbo.S (Price) VALUES (1)");
                throw new AssertionError("no error");
            } catch (DataIntegrityViolationException e) {
            }
        });
        var n = new NamedParameterJdbcTemplate(t);
        call("named", () -> same(2, n.queryForObject("SELECT COUNT(*) FROM dbo.S WHERE Name IN (:names)", Map.of("names", List.of("a", "b1")), Integer.class)));
        call("KeyHolder", () -> {
            var k = new GeneratedKeyHolder();
            n.update("INSERT INTO dbo.S (Name) VALUES (:n)", new MapSqlParameterSource("n", "k"), k);
            same(true, k.getKey().intValue() > 3);
        });
        call("SimpleJdbcInsert", () -> same(true,
            new SimpleJdbcInsert(ds).withSchemaName("dbo").withTableName("S").usingGeneratedKeyColumns("Id").usingColumns("Name",
            "Price").executeAndReturnKey(Map.of("Name", "sji", "Price", 3)).intValue() > 3));
        call("SimpleJdbcCall", () -> {
            t.execute("CREATE PROCEDURE dbo.SP @a int, @b nvarchar(20) OUTPUT AS BEGIN SET NOCOUNT ON; SELECT Id, Name FROM dbo.S WHERE Id <= @a; SET @b = "
                + "CONCAT(@a, N'ü'); RETURN 7; END");
            var r = new SimpleJdbcCall(ds).withSchemaName("dbo").withProcedureName("SP").withReturnValue().execute(Map.of("a", 1));
            same("1ü 7", r.get("b") + " " + r.get("RETURN_VALUE"));
            same(1, ((List<?>) r.get("#result-set-1")).size());
        });
        var tt = new TransactionTemplate(new DataSourceTransactionManager(ds));
        call("transaction", () -> {
            tt.execute(s -> {
                t.update("DELETE FROM dbo.S");
                s.setRollbackOnly();
                return null;
            });
            same(true, t.queryForObject("SELECT COUNT(*) FROM dbo.S", Integer.class) > 3);
        });
        call("nested", () -> tt.execute(s -> {
            var inner = new TransactionTemplate(tt.getTransactionManager());
            inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
            inner.execute(x -> {
                t.update("DELETE FROM dbo.S");
                x.setRollbackOnly();
                return null;
            });
            same(true, t.queryForObject("SELECT COUNT(*) FROM dbo.S", Integer.class) > 3);
            return null;
        }));
        call("queryForStream", () -> {
            try (var st = t.queryForStream("SELECT Id FROM dbo.S", (r, i) -> r.getInt(1))) {
                same(true, st.count() > 3);
            }
        });
        call("LocalDateTime", () -> same(LocalDateTime.of(2026, 1, 31, 12, 0), t.queryForObject("SELECT CAST(? AS datetime2(3))", LocalDateTime.class,
            LocalDateTime.of(2026, 1, 31, 12, 0))));
        call("sequence", () -> {
            t.execute("CREATE SEQUENCE dbo.Seq AS bigint START WITH 1");
            same(1L, new SqlServerSequenceMaxValueIncrementer(ds, "dbo.Seq").nextLongValue());
        });
        call("product: enqueue in Spring's transaction", () -> {
            Long[] task = new Long[1];
            tt.execute(s -> {
                task[0] = t.queryForObject("DECLARE @t bigint; EXEC dbsched.ExecAsync @SQL = ?, @ExecutionOrder = 100, @TaskId = @t OUTPUT; SELECT @t",
                    Long.class, "SELECT 1");
                s.setRollbackOnly();
                return null;
            });
            same(0, t.queryForList("SELECT TaskId FROM dbsched.TaskInfo WHERE TaskId = ?", task[0]).size());
        });
        System.exit(0);
    }
}

