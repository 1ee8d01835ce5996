// Microsoft's JDBC driver at its defaults: types, errors, batches, procedures, settings.

import com.microsoft.sqlserver.jdbc.*;
import java.io.*;
import java.math.BigDecimal;
import java.nio.file.*;
import java.sql.*;
import java.time.*;
import java.util.*;

class jdbc_further_calls {
    static final String URL = "jdbc:sqlserver://" + env("HOST") + ":" + env("PORT") + ";databaseName=" + env("DATABASE") + ";trustServerCertificate=true";

    interface Call { void run() throws Exception; }

    static String env(String name) { return System.getenv(name); }

    static void call(String name, Call run) {
        try { run.run(); System.out.println("ok " + name); } catch (Throwable e) {
            String text = (e.getClass().getSimpleName() + " " + e.getMessage()).replaceAll("\\s+", " ");
            boolean refused = e instanceof SQLException s && s.getErrorCode() == 49999 || text.contains("the sandbox does not model");
            System.out.println((refused ? "refused " : "FAIL ") + name + ": " + text);
        }
    }

    static void same(Object want, Object got) { if (!Objects.equals(want, got)) throw new AssertionError(got + " instead of " + want); }

    static Object value(Connection db, String sql, Object... args) throws SQLException {
        try (var ps = db.prepareStatement(sql)) {
            for (int i = 0; i < args.length; i++) ps.setObject(i + 1, args[i]);
            try (var rs = ps.executeQuery()) { return rs.next() ? rs.getObject(1) : null; }
        }
    }

    static int rows(ResultSet rs) throws SQLException {
        int n = 0;
        while (rs.next()) n++;
        return n;
    }

    static String table(ResultSet rs, int... columns) throws SQLException { // rows as text
        var out = new StringJoiner("; ");
        while (rs.next()) {
            var row = new StringJoiner(" ");
            for (int c : columns) row.add(String.valueOf(rs.getObject(c)));
            out.add(row.toString());
        }
        return out.toString();
    }

    static void fails(Call run, String text) throws Exception {
        try { run.run(); } catch (SQLException e) { if (!e.getMessage().contains(text)) throw e; return; }
        throw new AssertionError("no error");
    }

    public static void main(String[] args) throws Exception {
        Connection db = DriverManager.getConnection(URL, env("USER"), env("PASSWORD"));
        var meta = db.getMetaData();
        db.createStatement().execute("CREATE TABLE dbo.T (Id int IDENTITY CONSTRAINT PK_T PRIMARY KEY, Name nvarchar(50) NOT NULL CONSTRAINT UQ_T UNIQUE, "
            + "Price decimal(12, 4) CONSTRAINT DF_T DEFAULT 0, At datetime2(7), Note nvarchar(max))");
        db.createStatement().execute("CREATE TABLE dbo.U (Id int CONSTRAINT PK_U PRIMARY KEY, T int)");
        db.createStatement().execute("CREATE PROCEDURE dbo.P @a int, @b nvarchar(20) OUTPUT, @c decimal(9, 2) = 1.5 AS BEGIN SET NOCOUNT ON; SET @b = "
            + "CONCAT(N'<', @a, N'>'); SELECT @c AS c; RETURN 3; END");
        db.createStatement().execute("CREATE FUNCTION dbo.F (@a int) RETURNS int AS BEGIN RETURN @a * 2; END");
        String cat = env("DATABASE");
        call("product", () -> same("Microsoft SQL Server 16.00.1000", meta.getDatabaseProductName() + " " + meta.getDatabaseProductVersion()));
        call("getURL", () -> same(true, meta.getURL().startsWith("jdbc:sqlserver://")));
        call("supportsTransactionIsolationLevel", () -> same(true, meta.supportsTransactionIsolationLevel(SQLServerConnection.TRANSACTION_SNAPSHOT)));
        call("defaults", () -> same("2 dbo " + cat, db.getTransactionIsolation() + " " + db.getSchema() + " " + db.getCatalog()));
        call("result set metadata", () -> {
            var m = db.createStatement().executeQuery("SELECT Id, Name, Price, At, Note FROM dbo.T WHERE 1 = 0").getMetaData();
            var out = new StringJoiner("; ");
            for (int i = 1; i <= m.getColumnCount(); i++) out.add(m.getColumnName(i) + " " + m.getColumnType(i) + " " + m.getColumnTypeName(i) + " "
                + m.getPrecision(i) + " " + m.getScale(i) + " " + m.isNullable(i) + " " + m.isAutoIncrement(i) + " "
                + m.getColumnClassName(i).replaceAll(".*\\.", ""));
            same("Id 4 int 10 0 0 true Integer; Name -9 nvarchar 50 0 0 false String; Price 3 decimal 12 4 1 false BigDecimal; At 93 datetime2 27 7 1 false "
                + "Timestamp; Note -9 nvarchar 1073741823 0 1 false String",
                out.toString());
        });
        // Types
        call("types: numbers", () -> {
            try (var ps = db.prepareStatement("SELECT CAST(? AS bit), CAST(? AS tinyint), CAST(? AS smallint), CAST(? AS int), CAST(? AS bigint), CAST(? AS "
                + "float), CAST(? AS real), CAST(? AS decimal(38, 10)), CAST(? AS money)")) {
                ps.setBoolean(1, true);
                ps.setShort(2, (short) 255);
                ps.setShort(3, Short.MIN_VALUE);
                ps.setInt(4, Integer.MIN_VALUE);
                ps.setLong(5, Long.MIN_VALUE);
                ps.setDouble(6, Double.MAX_VALUE);
                ps.setFloat(7, Float.MAX_VALUE);
                ps.setBigDecimal(8, new BigDecimal("-9999999999999999999999999999.9999999999"));
                ps.setBigDecimal(9, new BigDecimal("-922337203685477.5808"));
                try (var rs = ps.executeQuery()) {
                    rs.next();
                    same(true, rs.getBoolean(1));
                    same((short) 255, rs.getShort(2));
                    same(Short.MIN_VALUE, rs.getShort(3));
                    same(Integer.MIN_VALUE, rs.getInt(4));
                    same(Long.MIN_VALUE, rs.getLong(5));
                    same(Double.MAX_VALUE, rs.getDouble(6));
                    same(Float.MAX_VALUE, rs.getFloat(7));
                    same(new BigDecimal("-9999999999999999999999999999.9999999999"), rs.getBigDecimal(8));
                    same(new BigDecimal("-922337203685477.5808"), rs.getBigDecimal(9));
                }
            }
        });
        call("types: NULLs", () -> {
            try (var ps = db.prepareStatement("SELECT CAST(? AS bit), CAST(? AS int), CAST(? AS float), CAST(? AS decimal(9, 2)), CAST(? AS datetime2), "
                + "CAST(? AS date), CAST(? AS nvarchar(max)), CAST(? AS varbinary(max)), CAST(? AS uniqueidentifier)")) {
                int[] types = {Types.BIT, Types.INTEGER, Types.DOUBLE, Types.DECIMAL, Types.TIMESTAMP, Types.DATE, Types.NVARCHAR, Types.VARBINARY, Types.CHAR};
                for (int i = 0; i < types.length; i++) ps.setNull(i + 1, types[i]);
                try (var rs = ps.executeQuery()) {
                    rs.next();
                    for (int i = 0; i < types.length; i++) {
                        same(null, rs.getObject(i + 1));
                        same(true, rs.wasNull());
                    }
                }
            }
        });
        call("types: untyped NULL", () -> same(null, value(db, "SELECT CAST(? AS int)", (Object) null)));
        call("types: dates", () -> {
            try (var ps = db.prepareStatement("SELECT CAST(? AS date), CAST(? AS date), CAST(? AS time(7)), CAST(? AS datetime2(7)), CAST(? AS "
                + "datetimeoffset(7)), CAST(? AS datetime), CAST(? AS datetime2(3))")) {
                ps.setObject(1, LocalDate.of(1, 1, 1));
                ps.setObject(2, LocalDate.of(9999, 12, 31));
                ps.setObject(3, LocalTime.of(23, 59, 59));
                ps.setObject(4, LocalDateTime.of(9999, 12, 31, 23, 59, 59, 999999900));
                ps.setObject(5, OffsetDateTime.of(2026, 1, 31, 23, 59, 59, 123456700, ZoneOffset.ofHoursMinutes(-5, -30)));
                ps.setTimestamp(6, Timestamp.valueOf("2026-01-31 12:00:00.128"));
                ps.setTimestamp(7, Timestamp.valueOf("2026-01-31 12:00:00.1235"));
                try (var rs = ps.executeQuery()) {
                    rs.next();
                    same(LocalDate.of(1, 1, 1), rs.getObject(1, LocalDate.class));
                    same(LocalDate.of(9999, 12, 31), rs.getObject(2, LocalDate.class));
                    same(LocalTime.of(23, 59, 59), rs.getObject(3, LocalTime.class));
                    same(LocalDateTime.of(9999, 12, 31, 23, 59, 59, 999999900), rs.getObject(4, LocalDateTime.class));
                    same(OffsetDateTime.of(2026, 1, 31, 23, 59, 59, 123456700, ZoneOffset.ofHoursMinutes(-5, -30)), rs.getObject(5, OffsetDateTime.class));
                    same(Timestamp.valueOf("2026-01-31 12:00:00.127"), rs.getTimestamp(6));
                    same(Timestamp.valueOf("2026-01-31 12:00:00.124"), rs.getTimestamp(7));
                }
            }
        });
        call("types: texts", () -> {
            try (var ps = db.prepareStatement("SELECT CAST(? AS char(5)), CAST(? AS nchar(5)), CAST(? AS varchar(20)), CAST(? AS nvarchar(20)), ?, CAST(? "
                + "AS varchar(3)), DATALENGTH(?)")) {
                ps.setString(1, "ab");
                ps.setNString(2, "äb");
                ps.setString(3, "ü€");
                ps.setNString(4, "🧀Ω");
                ps.setString(5, "");
                ps.setString(6, "abcdef");
                ps.setString(7, "äb ");
                try (var rs = ps.executeQuery()) {
                    rs.next();
                    same("ab   |äb   |ü€|🧀Ω||abc|6", rs.getString(1) + "|" + rs.getNString(2) + "|" + rs.getString(3) + "|" + rs.getString(4) + "|"
                        + rs.getString(5) + "|" + rs.getString(6) + "|" + rs.getInt(7));
                }
            }
        });
        call("types: binary", () -> {
            byte[] big = new byte[1_000_000]; new Random(1).nextBytes(big);
            db.createStatement().execute("CREATE TABLE dbo.Bin (Id int, A binary(4), B varbinary(8), C varbinary(max))");
            try (var ps = db.prepareStatement("INSERT INTO dbo.Bin VALUES (1, ?, ?, ?)")) {
                ps.setBytes(1, new byte[] {1, 2});
                ps.setBytes(2, new byte[0]);
                ps.setBinaryStream(3, new ByteArrayInputStream(big));
                ps.executeUpdate();
            }
            var rs = db.createStatement().executeQuery("SELECT A, B, C FROM dbo.Bin"); rs.next();
            same("[1, 2, 0, 0]", Arrays.toString(rs.getBytes(1)));
            same(0, rs.getBytes(2).length);
            same(true, Arrays.equals(big, rs.getBinaryStream(3).readAllBytes()));
            rs = db.createStatement().executeQuery("SELECT C FROM dbo.Bin"); rs.next(); same(1_000_000L, rs.getBlob(1).length());
        });
        call("types: uniqueidentifier", () -> same("6F9619FF-8B86-D011-B42D-00C04FC964FF", value(db, "SELECT CAST(? AS uniqueidentifier)",
            "6f9619ff-8b86-d011-b42d-00c04fc964ff")));
        call("types: UUID", () -> {
            try (var ps = db.prepareStatement("SELECT CAST(? AS uniqueidentifier)")) {
                ps.setObject(1, UUID.fromString("6f9619ff-8b86-d011-b42d-00c04fc964ff"));
                var rs = ps.executeQuery();
                rs.next();
                same("6F9619FF-8B86-D011-B42D-00C04FC964FF", rs.getString(1));
            }
        });
        call("types: uniqueidentifier, typed", () -> {
            try (var ps = db.prepareStatement("SELECT ?")) {
                ps.setObject(1, "6f9619ff-8b86-d011-b42d-00c04fc964ff", microsoft.sql.Types.GUID);
                var rs = ps.executeQuery();
                rs.next();
                same("6F9619FF-8B86-D011-B42D-00C04FC964FF", rs.getString(1));
                same("uniqueidentifier", rs.getMetaData().getColumnTypeName(1));
            }
        });
        call("sendStringParametersAsUnicode=false", () -> {
            try (var c = DriverManager.getConnection(URL + ";sendStringParametersAsUnicode=false", env("USER"), env("PASSWORD"))) {
                same(3, value(c, "SELECT DATALENGTH(?)", "abc"));
                same("ü€", value(c, "SELECT ?", "ü€"));
                same("ü€", value(c, "SELECT ?", "ü€"));
            }
        });
        call("clob", () -> {
            String text = "äΩ🧀".repeat(50_000); var clob = db.createNClob(); clob.setString(1, text);
            try (var ps = db.prepareStatement("SELECT CAST(? AS nvarchar(max)), CAST(? AS nvarchar(max)), CAST(? AS nvarchar(max))")) {
                ps.setNClob(1, clob);
                ps.setNCharacterStream(2, new StringReader(text));
                ps.setNString(3, text);
                var rs = ps.executeQuery();
                rs.next();
                var c = rs.getClob(1);
                same(text, c.getSubString(1, (int) c.length()));
                var w = new StringWriter();
                rs.getCharacterStream(2).transferTo(w);
                same(text, w.toString());
                same(text, rs.getString(3));
            }
        });
        // Results
        call("mixed results", () -> {
            try (var st = db.createStatement()) {
                var out = new StringJoiner(" ");
                boolean rs = st.execute("INSERT INTO dbo.U (Id) VALUES (1), (2); SELECT 7; UPDATE dbo.U SET T = NULL WHERE Id = 1; SELECT 8; DELETE FROM "
                    + "dbo.U");
                while (rs || st.getUpdateCount() >= 0) {
                    if (rs) {
                        var r = st.getResultSet();
                        r.next();
                        out.add("row " + r.getInt(1));
                    } else out.add("" + st.getUpdateCount());
                    rs = st.getMoreResults();
                }
                same("2 row 7 1 row 8 2", out.toString());
            }
        });
        call("PRINT and warnings", () -> {
            try (var st = db.createStatement()) {
                st.execute("PRINT 'one'; RAISERROR ('two %d', 10, 7, 2) WITH NOWAIT; SELECT 1");
                var w = st.getWarnings();
                same("one 0", w.getMessage() + " " + w.getErrorCode());
                w = w.getNextWarning();
                same("two 2 50000", w.getMessage() + " " + w.getErrorCode());
            }
        });
        call("an error's parts", () -> {
            db.createStatement().execute("CREATE PROCEDURE dbo.Bad AS\nBEGIN\n  RAISERROR ('bad %s', 16, 3, 'x');\nEND");
            try {
                db.createStatement().execute("EXEC dbo.Bad");
                throw new AssertionError("no error");
            } catch (SQLServerException e) {
                var s = e.getSQLServerError();
                same("50000 3 16 3 dbo.Bad bad x S0003", s.getErrorNumber() + " " + s.getErrorState() + " " + s.getErrorSeverity() + " "
                    + s.getLineNumber() + " " + s.getProcedureName() + " " + s.getErrorMessage() + " " + e.getSQLState());
            }
        });
        call("THROW", () -> {
            try {
                db.createStatement().execute("THROW 50001, 'mine', 5");
                throw new AssertionError("no error");
            } catch (SQLServerException e) {
                same("50001 5 mine", e.getErrorCode() + " " + e.getSQLServerError().getErrorState() + " " + e.getMessage());
            }
        });
        call("a constraint's SQLState", () -> {
            db.createStatement().execute("INSERT INTO dbo.U (Id) VALUES (5)");
            try {
                db.createStatement().execute("INSERT INTO dbo.U (Id) VALUES (5)");
                throw new AssertionError("no error");
            } catch (SQLServerException e) {
                same("2627 23000 Violation of PRIMARY KEY constraint 'PK_U'. Cannot insert duplicate key in object 'dbo.U'. The duplicate key value is "
                    + "(5).", e.getErrorCode() + " " + e.getSQLState() + " " + e.getMessage());
            }
        });
        call("truncation", () -> {
            try {
                db.createStatement().execute("INSERT INTO dbo.T (Name) VALUES (REPLICATE('x', 51))");
                throw new AssertionError("no error");
            } catch (SQLServerException e) {
                same(2628, e.getErrorCode());
            }
        });
        call("arithmetic overflow", () -> {
            try {
                value(db, "SELECT CAST(? AS tinyint)", 256);
                throw new AssertionError("no error");
            } catch (SQLServerException e) {
                same("220 Arithmetic overflow error for data type tinyint, value = 256.", e.getErrorCode() + " " + e.getMessage());
            }
        });
        call("generated keys by name", () -> {
            try (var ps = db.prepareStatement("INSERT INTO dbo.T (Name) VALUES (?)", new String[] {"Id"})) {
                ps.setString(1, "k1");
                ps.executeUpdate();
                var rs = ps.getGeneratedKeys();
                rs.next();
                same(true, rs.getLong(1) > 0);
                same("GENERATED_KEYS", rs.getMetaData().getColumnName(1));
            }
        });
        call("generated keys of a Statement", () -> {
            try (var st = db.createStatement()) {
                st.executeUpdate("INSERT INTO dbo.T (Name) VALUES ('k2')", Statement.RETURN_GENERATED_KEYS);
                var rs = st.getGeneratedKeys();
                rs.next();
                same(true, rs.getLong(1) > 1);
            }
        });
        call("OUTPUT", () -> same("k3", value(db, "INSERT INTO dbo.T (Name) OUTPUT inserted.Name VALUES (?)", "k3")));
        call("batch of texts", () -> {
            try (var st = db.createStatement()) {
                st.addBatch("INSERT INTO dbo.U (Id) VALUES (11)");
                st.addBatch("UPDATE dbo.U SET T = NULL");
                st.addBatch("DELETE FROM dbo.U WHERE Id = 11");
                same("[1, 2, 1]", Arrays.toString(st.executeBatch()));
            }
        });
        call("batch: counts of what failed", () -> {
            try (var ps = db.prepareStatement("INSERT INTO dbo.U (Id) VALUES (?)")) {
                for (int i : new int[] {21, 5, 22}) {
                    ps.setInt(1, i);
                    ps.addBatch();
                }
                ps.executeBatch();
                throw new AssertionError("no error");
            } catch (BatchUpdateException e) {
                same("[1, -3, 1] 2627", Arrays.toString(e.getUpdateCounts()) + " " + e.getErrorCode());
            }
        });
        call("batch: texts that fail", () -> {
            try (var st = db.createStatement()) {
                st.addBatch("INSERT INTO dbo.U (Id) VALUES (31)");
                st.addBatch("INSERT INTO dbo.U (Id) VALUES (5)");
                st.addBatch("INSERT INTO dbo.U (Id) VALUES (32)");
                st.executeBatch();
                throw new AssertionError("no error");
            } catch (BatchUpdateException e) {
                same("[1, -3, 1] 2627", Arrays.toString(e.getUpdateCounts()) + " " + e.getErrorCode());
            }
        });
        call("useBulkCopyForBatchInsert", () -> {
            try (var c = DriverManager.getConnection(URL + ";useBulkCopyForBatchInsert=true", env("USER"),
                env("PASSWORD")); var ps = c.prepareStatement("INSERT INTO dbo.T (Name, Price, At) VALUES (?, ?, ?)")) {
                for (int i = 0; i < 100; i++) {
                    ps.setString(1, "bulk" + i);
                    ps.setBigDecimal(2, new BigDecimal("1.5"));
                    ps.setTimestamp(3, Timestamp.valueOf("2026-01-31 12:00:00"));
                    ps.addBatch();
                }
                same(100, ps.executeBatch().length);
                same(100, value(c, "SELECT COUNT(*) FROM dbo.T WHERE Name LIKE 'bulk%'"));
            }
        });
        call("executeLargeUpdate", () -> same(100L, db.createStatement().executeLargeUpdate("UPDATE dbo.T SET Price = 2 WHERE Name LIKE 'bulk%'")));
        call("setMaxRows", () -> {
            try (var st = db.createStatement()) {
                st.setMaxRows(3);
                same("1; 2; 3", table(st.executeQuery("SELECT v FROM (VALUES (1), (2), (3), (4)) t (v) ORDER BY v"), 1));
                st.setMaxRows(0);
                same(4, table(st.executeQuery("SELECT v FROM (VALUES (1), (2), (3), (4)) t (v)"), 1).split(";").length);
            }
        });
        call("many rows, adaptive", () -> {
            try (var st = (SQLServerStatement) db.createStatement()) {
                st.setResponseBuffering("adaptive");
                st.setFetchSize(100);
                long sum = 0;
                var rs = st.executeQuery("SELECT TOP 20000 ROW_NUMBER() OVER (ORDER BY (SELECT NULL)) AS n, REPLICATE('x', 100) FROM sys.all_columns a "
                    + "CROSS JOIN sys.all_columns b");
                while (rs.next()) sum += rs.getLong(1);
                same(200010000L, sum);
            }
        });
        call("full buffering", () -> {
            try (var st = (SQLServerStatement) db.createStatement()) {
                st.setResponseBuffering("full");
                same("1", table(st.executeQuery("SELECT 1"), 1));
            }
        });
        call("closed early", () -> {
            try (var st = db.createStatement(); var rs = st.executeQuery("SELECT a.name FROM sys.all_columns a CROSS JOIN sys.objects b")) {
                rs.next();
            }
            same(1, value(db, "SELECT 1"));
        });
        call("two open result sets", () -> {
            var a = db.createStatement().executeQuery("SELECT 1 UNION SELECT 2");
            a.next();
            var b = db.createStatement().executeQuery("SELECT 3");
            b.next();
            a.next();
            same("2 3", a.getInt(1) + " " + b.getInt(1));
        });
        call("scrollable", () -> {
            try (var st = db.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY); var rs = st.executeQuery("SELECT 1 UNION "
                + "SELECT 2")) {
                rs.last();
                same(2, rs.getRow());
            }
        });
        call("updatable", () -> {
            try (var st = db.createStatement(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_UPDATABLE); var rs = st.executeQuery("SELECT Id, T FROM dbo.U")) {
                rs.next();
                rs.updateNull(2);
                rs.updateRow();
            }
        });
        call("cancel", () -> {
            try (var st = db.createStatement()) {
                var t = new Thread(() -> {
                    try {
                        Thread.sleep(300);
                        st.cancel();
                    } catch (Exception e) {
                    }
                });
                t.start();
                fails(() -> st.execute("WAITFOR DELAY '00:00:30'"), "cancel");
                t.join();
            }
        });
        call("time-out of a prepared statement", () -> {
            try (var ps = db.prepareStatement("WAITFOR DELAY ?")) {
                ps.setQueryTimeout(1);
                ps.setString(1, "00:00:30");
                fails(ps::execute, "timed out");
            }
        });
        call("after a time-out", () -> same(1, value(db, "SELECT 1")));
        // Procedures
        call("out parameters and results", () -> {
            try (var cs = db.prepareCall("{? = call dbo.P(?, ?, ?)}")) {
                cs.registerOutParameter(1, Types.INTEGER);
                cs.setInt(2, 5);
                cs.registerOutParameter(3, Types.NVARCHAR);
                cs.setBigDecimal(4, new BigDecimal("2.25"));
                same(true, cs.execute());
                var rs = cs.getResultSet();
                rs.next();
                same(new BigDecimal("2.25"), rs.getBigDecimal(1));
                same(false, cs.getMoreResults());
                same("<5> 3", cs.getString(3) + " " + cs.getInt(1));
            }
        });
        call("a parameter left out", () -> {
            try (var cs = db.prepareCall("{call dbo.P(?, ?)}")) {
                cs.setInt("a", 5);
                cs.registerOutParameter("b", Types.NVARCHAR);
                var rs = cs.executeQuery();
                rs.next();
                same(new BigDecimal("1.50"), rs.getBigDecimal(1));
                same("<5>", cs.getString("b"));
            }
        });
        call("a function", () -> {
            try (var cs = db.prepareCall("{? = call dbo.F(?)}")) {
                cs.registerOutParameter(1, Types.INTEGER);
                cs.setInt(2, 21);
                cs.execute();
                same(42, cs.getInt(1));
            }
        });
        call("out parameters of many types", () -> {
            db.createStatement().execute("CREATE PROCEDURE dbo.Outs @d decimal(20, 5) OUTPUT, @t datetime2(7) OUTPUT, @x varbinary(max) OUTPUT, @n "
                + "nvarchar(max) OUTPUT, @f float OUTPUT, @g uniqueidentifier OUTPUT, @b bit OUTPUT, @o datetimeoffset(7) OUTPUT, @z int OUTPUT AS SELECT "
                + "@d = @d * 2, @t = DATEADD(day, 1, @t), @x = @x + 0x01, @n = @n + N'!', @f = @f / 2, @b = 1 - @b, @z = NULL");
            try (var cs = db.prepareCall("{call dbo.Outs(?, ?, ?, ?, ?, ?, ?, ?, ?)}")) {
                cs.setBigDecimal(1, new BigDecimal("1.25000"));
                cs.registerOutParameter(1, Types.DECIMAL, 5);
                cs.setTimestamp(2, Timestamp.valueOf("2026-01-31 12:00:00.1234567"));
                cs.registerOutParameter(2, Types.TIMESTAMP);
                cs.setBytes(3, new byte[] {9});
                cs.registerOutParameter(3, Types.VARBINARY);
                cs.setNString(4, "ä".repeat(5000));
                cs.registerOutParameter(4, Types.NVARCHAR);
                cs.setDouble(5, 1);
                cs.registerOutParameter(5, Types.DOUBLE);
                cs.setString(6, "6F9619FF-8B86-D011-B42D-00C04FC964FF");
                cs.registerOutParameter(6, microsoft.sql.Types.GUID);
                cs.setBoolean(7, false);
                cs.registerOutParameter(7, Types.BIT);
                ((SQLServerCallableStatement) cs).setDateTimeOffset(8, microsoft.sql.DateTimeOffset.valueOf(Timestamp.valueOf("2026-01-31 12:00:00"), 60));
                cs.registerOutParameter(8, microsoft.sql.Types.DATETIMEOFFSET);
                cs.setInt(9, 1);
                cs.registerOutParameter(9, Types.INTEGER);
                cs.execute(); cs.getInt(9);
                same("2.50000 2026-02-01 12:00:00.1234567 [9, 1] 5001 0.5 6F9619FF-8B86-D011-B42D-00C04FC964FF true null true", cs.getBigDecimal(1) + " "
                    + cs.getTimestamp(2) + " " + Arrays.toString(cs.getBytes(3)) + " " + cs.getNString(4).length() + " " + cs.getDouble(5) + " "
                    + cs.getString(6) + " " + cs.getBoolean(7) + " " + cs.getObject(9) + " "
                    + (((SQLServerCallableStatement) cs).getDateTimeOffset(8) != null));
            }
        });
        call("parameter metadata of a procedure", () -> {
            try (var cs = db.prepareCall("{call dbo.P(?, ?, ?)}")) {
                var m = cs.getParameterMetaData();
                same("3 int nvarchar 4", m.getParameterCount() + " " + m.getParameterTypeName(1) + " " + m.getParameterTypeName(2) + " "
                    + m.getParameterMode(2));
            }
        });
        call("parameter metadata", () -> same("2 nvarchar 50 int", ((java.util.function.Function<ParameterMetaData, String>) (m -> {
            try {
                return m.getParameterCount() + " " + m.getParameterTypeName(1) + " " + m.getPrecision(1) + " " + m.getParameterTypeName(2);
            } catch (SQLException e) {
                throw new RuntimeException(e.getMessage());
            }
        })).apply(db.prepareStatement("SELECT Id FROM dbo.T WHERE Name = ? AND Id > ?").getParameterMetaData())));
        call("TVP", () -> {
            db.createStatement().execute("CREATE TYPE dbo.Pairs AS TABLE (Id int, Name nvarchar(20), At datetime2(3), D decimal(9, 2))");
            var t = new SQLServerDataTable();
            t.addColumnMetadata("Id", Types.INTEGER);
            t.addColumnMetadata("Name", Types.NVARCHAR);
            t.addColumnMetadata("At", Types.TIMESTAMP);
            t.addColumnMetadata("D", Types.DECIMAL);
            t.addRow(1, "a", "2026-01-31 12:00:00.123", new BigDecimal("1.50"));
            t.addRow(2, null, null, null);
            try (var ps = (SQLServerPreparedStatement) db.prepareStatement("SELECT Id, Name, At, D FROM ? ORDER BY Id")) {
                ps.setStructured(1, "dbo.Pairs", t);
                same("1 a 2026-01-31 12:00:00.123 1.50; 2 null null null", table(ps.executeQuery(), 1, 2, 3, 4));
            }
            db.createStatement().execute("CREATE PROCEDURE dbo.TakesPairs @t dbo.Pairs READONLY AS SELECT COUNT(*) FROM @t");
            try (var cs = (SQLServerCallableStatement) db.prepareCall("{call dbo.TakesPairs(?)}")) {
                cs.setStructured(1, "dbo.Pairs", t);
                same("2", table(cs.executeQuery(), 1));
            }
        });
        call("bulk copy of a file", () -> {
            db.createStatement().execute("CREATE TABLE dbo.Csv (Id int IDENTITY, Name nvarchar(20) NULL, Price decimal(9, 2) NULL, At datetime2(3) NULL)");
            var file = Files.createTempFile("c", ".csv");
            Files.writeString(file, "Name,Price,At\nKäse,1.50,2026-01-31 12:00:00.123\nÖl,2.25,2026-02-01 12:00:00.000\n");
            try (var record = new SQLServerBulkCSVFileRecord(file.toString(), "UTF-8", ",", true); var copy = new SQLServerBulkCopy(db)) {
                record.addColumnMetadata(1, "Name", Types.NVARCHAR, 20, 0);
                record.addColumnMetadata(2, "Price", Types.DECIMAL, 9, 2);
                record.addColumnMetadata(3, "At", Types.TIMESTAMP, 23, 3);
                copy.setDestinationTableName("dbo.Csv");
                copy.addColumnMapping("Name", "Name");
                copy.addColumnMapping("Price", "Price");
                copy.addColumnMapping("At", "At");
                var o = new SQLServerBulkCopyOptions();
                o.setBatchSize(1);
                o.setTableLock(true);
                o.setKeepNulls(true);
                copy.setBulkCopyOptions(o);
                copy.writeToServer(record);
            }
            same("1 Käse 1.50 2026-01-31 12:00:00.123; 2 Öl 2.25 2026-02-01 12:00:00.0", table(db.createStatement().executeQuery("SELECT * FROM dbo.Csv "
                + "ORDER BY Id"), 1, 2, 3, 4));
        });
        call("bulk copy: duplicate", () -> {
            try (var c = DriverManager.getConnection(URL, env("USER"), env("PASSWORD")); var rs = c.createStatement().executeQuery("SELECT 5 AS Id, "
                + "CAST(NULL AS int) AS T"); var copy = new SQLServerBulkCopy(db)) {
                copy.setDestinationTableName("dbo.U");
                var o = new SQLServerBulkCopyOptions();
                o.setCheckConstraints(true);
                copy.setBulkCopyOptions(o);
                fails(() -> copy.writeToServer(rs), "PK_U");
            }
        });
        // Transactions, settings
        call("isolation levels", () -> {
            for (int l : new int[] {1, 4, 8, SQLServerConnection.TRANSACTION_SNAPSHOT, 2}) {
                db.setTransactionIsolation(l);
                same(Map.of(1, 1, 2, 2, 4, 3, 8, 4, 4096, 5).get(l), ((Number) value(db,
                    "SELECT CAST(transaction_isolation_level AS int) FROM sys.dm_exec_sessions WHERE session_id = @@SPID")).intValue());
            }
        });
        call("unnamed savepoint", () -> {
            db.setAutoCommit(false);
            var s = db.setSavepoint();
            db.createStatement().execute("DELETE FROM dbo.U");
            db.rollback(s);
            same(true, (int) value(db, "SELECT COUNT(*) FROM dbo.U") > 0);
            db.commit();
            db.setAutoCommit(true);
        });
        call("setCatalog", () -> {
            db.setCatalog("master");
            same("master", value(db, "SELECT DB_NAME()"));
            same("master", db.getCatalog());
            db.setCatalog(cat);
        });
        call("holdability", () -> same(ResultSet.HOLD_CURSORS_OVER_COMMIT, db.getHoldability()));
        call("lock time-out", () -> {
            try (var a = DriverManager.getConnection(URL, env("USER"), env("PASSWORD")); var b = DriverManager.getConnection(URL + ";lockTimeout=200",
                env("USER"), env("PASSWORD"))) {
                a.setAutoCommit(false);
                a.createStatement().execute("UPDATE dbo.U SET T = NULL WHERE Id = 5");
                fails(() -> value(b, "SELECT T FROM dbo.U WHERE Id = 5"), "Lock request time out");
                a.rollback();
            }
        });
        call("names of program and host", () -> {
            try (var c = DriverManager.getConnection(URL + ";applicationName=mine;workstationID=here", env("USER"), env("PASSWORD"))) {
                same("mine here", value(c, "SELECT APP_NAME() + ' ' + HOST_NAME()"));
            }
        });
        call("wrong password", () -> fails(() -> DriverManager.getConnection(URL, env("USER"), "no"), "Login failed for user 'sa'"));
        call("unknown database", () -> fails(() -> DriverManager.getConnection(URL.replace("databaseName=" + cat, "databaseName=nowhere"), env("USER"),
            env("PASSWORD")), "Cannot open database \"nowhere\" requested by the login. The login failed."));
        call("prepared at once", () -> {
            try (var c = (SQLServerConnection) DriverManager.getConnection(URL
                + ";enablePrepareOnFirstPreparedStatementCall=true;disableStatementPooling=false;statementPoolingCacheSize=10", env("USER"), env("PASSWORD"))) {
                for (int i = 0; i < 3; i++) same(i, value(c, "SELECT ?", i));
            }
        });
        call("prepareMethod=prepare", () -> {
            try (var c = DriverManager.getConnection(URL + ";prepareMethod=prepare", env("USER"), env("PASSWORD"))) {
                for (int i = 0; i < 3; i++) same(i, value(c, "SELECT ?", i));
            }
        });
        call("a pooled connection", () -> {
            var ds = new SQLServerConnectionPoolDataSource();
            ds.setURL(URL);
            ds.setUser(env("USER"));
            ds.setPassword(env("PASSWORD"));
            var p = ds.getPooledConnection();
            try (var c = p.getConnection()) {
                c.createStatement().execute("CREATE TABLE #t (a int); SET TRANSACTION ISOLATION LEVEL SERIALIZABLE");
            }
            try (var c = p.getConnection()) {
                same(null, value(c, "SELECT OBJECT_ID('tempdb..#t')"));
                same(2, c.getTransactionIsolation());
            }
        });
        call("setNetworkTimeout", () -> {
            try (var c = DriverManager.getConnection(URL, env("USER"), env("PASSWORD"))) {
                c.setNetworkTimeout(Runnable::run, 5000);
                same(1, value(c, "SELECT 1"));
            }
        });
        call("abort", () -> {
            var c = DriverManager.getConnection(URL, env("USER"), env("PASSWORD"));
            c.abort(Runnable::run);
            same(true, c.isClosed());
        });
        call("JDBC escapes: dates", () -> same(Timestamp.valueOf("2026-01-31 12:00:00.0"), value(db, "SELECT {ts '2026-01-31 12:00:00'}")));
        call("OFFSET FETCH", () -> same("2; 3", table(db.createStatement().executeQuery("SELECT v FROM (VALUES (1), (2), (3)) t (v) ORDER BY v OFFSET 1 "
            + "ROWS FETCH NEXT 2 ROWS ONLY"), 1)));
        call("IN with parameters, TOP", () -> {
            try (var ps = db.prepareStatement("SELECT TOP (?) Name FROM dbo.T WHERE Name IN (?, ?) ORDER BY Name")) {
                ps.setInt(1, 1);
                ps.setString(2, "k2");
                ps.setString(3, "k1");
                same("k1", table(ps.executeQuery(), 1));
            }
        });
        call("temporary table over statements", () -> {
            db.createStatement().execute("CREATE TABLE #j (a int)");
            try (var ps = db.prepareStatement("INSERT INTO #j VALUES (?)")) {
                for (int i = 0; i < 3; i++) {
                    ps.setInt(1, i);
                    ps.executeUpdate();
                }
            }
            same(3, value(db, "SELECT COUNT(*) FROM #j"));
        });
        call("executeUpdate of DDL", () -> same(0, db.createStatement().executeUpdate("CREATE TABLE dbo.Ddl (a int)")));
        call("SET NOCOUNT ON", () -> {
            try (var st = db.createStatement()) {
                same(false, st.execute("SET NOCOUNT ON; DELETE FROM dbo.Ddl"));
                same(-1, st.getUpdateCount());
            }
        });
        db.createStatement().execute("SET NOCOUNT OFF");
        System.exit(0);
    }
}

