"""What applications do with any library of Python's DB-API 2.0: connect(autocommit) opens a connection, mark is its placeholder."""

import datetime
import decimal
import uuid

from calls import call, same


def dbapi(connect, mark, driver):
    db = call("connect", lambda: connect(True))
    c = db.cursor()

    def value(sql, *args):
        c.execute(sql, args) if args else c.execute(sql)
        return c.fetchone()[0]

    call("version", lambda: value("SELECT @@VERSION").index("Microsoft SQL Server"))
    call("create table", lambda: c.execute(
        "CREATE TABLE dbo.T (Id int IDENTITY PRIMARY KEY, Name nvarchar(50), Price decimal(12, 4), At datetime2(6), Data varbinary(max), Note nvarchar(max))"))
    call("insert", lambda: c.execute(f"INSERT INTO dbo.T (Name, Price) VALUES ({mark}, {mark})", ("Käse", decimal.Decimal("12.5"))))
    call("row count", lambda: same(1, c.rowcount))
    call("insert the same again", lambda: c.execute(f"INSERT INTO dbo.T (Name, Price) VALUES ({mark}, {mark})", ("Öl", decimal.Decimal("-0.0001"))))
    call("insert many", lambda: c.executemany(f"INSERT INTO dbo.T (Name, Price) VALUES ({mark}, {mark})", [(f"n{i}", i) for i in range(20)]))
    call("count", lambda: same(22, value("SELECT COUNT(*) FROM dbo.T")))
    call("select by parameter", lambda: same(decimal.Decimal("12.5"), value(f"SELECT Price FROM dbo.T WHERE Name = {mark}", "Käse")))
    call("select again", lambda: same(decimal.Decimal("-0.0001"), value(f"SELECT Price FROM dbo.T WHERE Name = {mark}", "Öl")))
    call("NULL", lambda: same(None, value(f"SELECT Note FROM dbo.T WHERE Name = {mark}", "Öl")))
    call("update", lambda: c.execute(f"UPDATE dbo.T SET Note = {mark} WHERE Id <= {mark}", ("x" * 20_000, 5)))
    call("update: row count", lambda: same(5, c.rowcount))
    call("a long text", lambda: same(20_000, len(value("SELECT Note FROM dbo.T WHERE Id = 1"))))
    call("bytes", lambda: c.execute(f"UPDATE dbo.T SET Data = {mark} WHERE Id = 1", (b"\x00\x01" * 5000,)))
    call("bytes back", lambda: same(b"\x00\x01" * 5000, bytes(value("SELECT Data FROM dbo.T WHERE Id = 1"))))
    at = datetime.datetime(2026, 1, 31, 23, 59, 59, 123456)
    call("date and time", lambda: c.execute(f"UPDATE dbo.T SET At = {mark} WHERE Id = 1", (at,)))
    # pymssql sends datetime, which has 1/300 of a second.
    call("date and time back", lambda: same(at.replace(microsecond=0), value("SELECT At FROM dbo.T WHERE Id = 1").replace(microsecond=0)))
    call("date", lambda: same(datetime.date(2026, 1, 31), value("SELECT CAST('2026-01-31' AS date)")))
    call("time", lambda: same(datetime.time(23, 59, 59, 123456), value("SELECT CAST('23:59:59.123456' AS time(6))")))
    call("float", lambda: same(0.1, value("SELECT CAST(0.1 AS float)")))
    call("bit", lambda: same(True, value("SELECT CAST(1 AS bit)")))
    call("bigint", lambda: same(2**62, value(f"SELECT CAST({mark} AS bigint)", 2**62)))
    call("uniqueidentifier", lambda: uuid.UUID(str(value("SELECT NEWID()"))))
    call("emoji", lambda: same("🧀", value("SELECT N'🧀'")))
    call("description", lambda: same(["a", "b"], (c.execute("SELECT 1 AS a, 'x' AS b"), [d[0] for d in c.description], c.fetchall())[1]))
    call("two results", lambda: (c.execute("SELECT 1; SELECT 2;"), c.fetchall(), c.nextset(), same(2, c.fetchone()[0])))

    def error(sql, text, kind=driver.Error):
        try:
            c.execute(sql)
            c.fetchall()
        except kind as e:
            assert text in str(e), e
        else:
            raise AssertionError("no error")

    call("a syntax error", lambda: error("SELECT 1 FROM", "Incorrect syntax"))
    call("a missing table", lambda: error("SELECT * FROM dbo.Nothing", "Invalid object name"))
    call("a SELECT that fails", lambda: error("SELECT 1 / 0", "Divide by zero"))
    call("a SELECT that fails late", lambda: error("SELECT 1 / (3 - Id) FROM dbo.T ORDER BY Id", "Divide by zero"))
    call("a duplicate key", lambda: error("SET IDENTITY_INSERT dbo.T ON; INSERT INTO dbo.T (Id) VALUES (1)", "PRIMARY KEY", driver.IntegrityError))
    call("RAISERROR", lambda: error("RAISERROR(N'mine %d', 16, 1, 7)", "mine 7"))
    call("after errors", lambda: same(1, value("SELECT 1")))
    call("a procedure", lambda: c.execute("CREATE PROCEDURE dbo.P @a int, @b int OUTPUT AS BEGIN SET @b = @a + 1; SELECT @a AS a; RETURN 3; END"))
    call("call it", lambda: same(5, value(f"EXEC dbo.P {mark}, 0", 5)))
    call("temporary table", lambda: (c.execute("CREATE TABLE #t (a int)"), c.execute("INSERT INTO #t VALUES (1)"), same(1, value("SELECT a FROM #t"))))

    other = call("connect without autocommit", lambda: connect(False))

    def rolled_back():
        o = other.cursor()
        o.execute("DELETE FROM dbo.T")
        other.rollback()
        same(22, value("SELECT COUNT(*) FROM dbo.T"))

    def committed():
        o = other.cursor()
        o.execute(f"DELETE FROM dbo.T WHERE Id = {mark}", (22,))
        other.commit()
        same(21, value("SELECT COUNT(*) FROM dbo.T"))

    call("roll back", rolled_back)
    call("commit", committed)
    call("trancount", lambda: (o := other.cursor(), o.execute("SELECT @@TRANCOUNT FROM dbo.T"), same(1, o.fetchall()[0][0]), other.rollback()))
    return db


def types(db, mark, values):
    """Stores values of all types and reads them again: what each becomes, where it is another."""
    c = db.cursor()
    call("table of all types", lambda: c.execute(
        "CREATE TABLE dbo.Types (Id int IDENTITY PRIMARY KEY, B bit, TI tinyint, SI smallint, I int, BI bigint, F float, R real, D decimal(38, 10), M money, "
        "DA date, TM time(7), DT datetime, D2 datetime2(7), C char(5), NC nchar(5), V varchar(20), NV nvarchar(20), "
        "NM nvarchar(max), BN binary(4), VB varbinary(20), VM varbinary(max), G uniqueidentifier)"))

    def last(column):
        c.execute(f"SELECT TOP 1 {column} FROM dbo.Types ORDER BY Id DESC")
        return c.fetchone()[0]

    def stores(column, value, want):
        c.execute(f"INSERT INTO dbo.Types ({column}) VALUES ({mark})", (value,))
        same(want, last(column))

    dec = decimal.Decimal
    for column, value, *want in [
            ("B", True), ("TI", 255), ("SI", -32768), ("I", -2**31), ("BI", -2**63), ("BI", 2**63 - 1), ("F", 1.7976931348623157e308), ("R", 0.5),
            ("D", dec("-9999999999999999999999999999.9999999999")), ("D", dec("0.0000000001")), ("D", dec("1E+5"), dec(100000)),
            ("M", dec("-922337203685477.5808")), ("DA", datetime.date(9999, 12, 31)), ("TM", datetime.time(23, 59, 59)),
            ("DT", datetime.datetime(2026, 1, 31, 12, 0, 0, 127000)), ("C", "ab", "ab   "),
            ("NC", "äΩ", "äΩ   "), ("V", "ü€ß"), ("NV", "🧀Ω"), ("NV", ""), ("NM", "Ω" * 100_000), ("BN", b"\xfe\xff", b"\xfe\xff\x00\x00"), ("VB", b"\x00\xff"),
            ("VM", bytes(range(256)) * 1000), *values]:
        call(f"type {column} {str(value)[:20]}", lambda: stores(column, value, want[0] if want else value))
    for column in "B I F D DA D2 NV G".split():
        call(f"NULL in {column}", lambda: stores(column, None, None))
    guid = uuid.UUID("6f9619ff-8b86-d011-b42d-00c04fc964ff")
    call("type uniqueidentifier", lambda: (c.execute(f"INSERT INTO dbo.Types (G) VALUES ({mark})", (guid,)), same(guid, uuid.UUID(str(last("G"))))))
    call("NULL in a predicate", lambda: (c.execute(f"SELECT 1 WHERE {mark} IS NULL", (None,)), same(1, c.fetchone()[0])))


def further(connect, db, mark, driver):
    """What else applications do."""
    c = db.cursor()

    def rows(sql, *args):
        c.execute(sql, args) if args else c.execute(sql)
        return [tuple(r) for r in c.fetchall()]

    def error(sql, text, *args):
        try:
            rows(sql, *args)
            while c.nextset():
                c.fetchall()
        except driver.Error as e:
            assert text in str(e), e
        else:
            raise AssertionError("no error")

    numbers = "SELECT v FROM (VALUES (1), (2), (3)) t (v) ORDER BY v"
    call("fetchmany", lambda: (c.execute(numbers), same([2, 1, 0], [len(c.fetchmany(2)) for _ in range(3)])))
    call("iterate", lambda: (c.execute(numbers), same([1, 2, 3], [r[0] for r in c])))
    call("OUTPUT", lambda: same([(7,)], rows(f"INSERT INTO dbo.Types (I) OUTPUT inserted.I VALUES ({mark})", 7)))
    call("@@IDENTITY", lambda: same(True, rows("SELECT @@IDENTITY")[0][0] > 1))
    call("SCOPE_IDENTITY", lambda: same(True, rows(f"SET NOCOUNT ON; INSERT INTO dbo.Types (I) VALUES ({mark}); SELECT SCOPE_IDENTITY(); SET NOCOUNT OFF", 5)[0][0] > 1))
    day = datetime.datetime(2026, 1, 1)
    call("rows of values and NULLs", lambda: (
        c.executemany(f"INSERT INTO dbo.Types (SI, NV, D2) VALUES ({mark}, {mark}, {mark})", [(1, "a", day), (2, None, None), (None, "cccc", day)]),
        same([(1, "a", day), (2, None, None), (None, "cccc", day)], rows("SELECT TOP 3 SI, NV, D2 FROM dbo.Types ORDER BY Id DESC")[::-1])))
    call("results of a procedure", lambda: (
        c.execute("CREATE PROCEDURE dbo.Two @a int, @b int OUTPUT AS BEGIN SET NOCOUNT ON; SET @b = @a * 2; PRINT 'p'; SELECT @a AS a; SELECT @b AS b; RETURN 4; END"),
        c.execute(f"DECLARE @o int, @r int; EXEC @r = dbo.Two {mark}, @o OUTPUT; SELECT @r, @o", (5,)),
        same([5], list(c.fetchone())), c.nextset(), same([10], list(c.fetchone())), c.nextset(), same([4, 10], list(c.fetchone()))))
    call("THROW", lambda: error("THROW 51234, N'thrown', 3", "thrown"))
    call("a conversion that fails", lambda: error(f"SELECT CAST({mark} AS int)", "Conversion failed", "x"))
    call("an overflow", lambda: error("SELECT CAST(300 AS tinyint)", "overflow"))
    call("a missing procedure", lambda: error("EXEC dbo.NoSuchProcedure", "Could not find stored procedure"))
    call("a missing column", lambda: error("SELECT Nope FROM dbo.Types", "Invalid column name"))
    call("an error in the second statement", lambda: error("SELECT 1; SELECT 1 / 0", "Divide by zero"))
    call("an error in a procedure", lambda: (c.execute("CREATE PROCEDURE dbo.Fails AS BEGIN SELECT 1; THROW 50005, 'inside', 1; END"), error("EXEC dbo.Fails", "inside")))
    call("an error after rows", lambda: error("SELECT CASE WHEN v < 3 THEN v ELSE 1 / (v - 3) END FROM (VALUES (1), (2), (3)) t (v)", "Divide by zero"))
    call("TRY and CATCH", lambda: same([(8134, "Divide by zero error encountered.")], rows(
        "BEGIN TRY SELECT 1 / 0 AS a INTO #q END TRY BEGIN CATCH SELECT ERROR_NUMBER(), ERROR_MESSAGE() END CATCH")))
    call("a table for transactions", lambda: c.execute("CREATE TABLE dbo.Tx (a int)"))
    other = connect(False)
    o = other.cursor()
    call("savepoint", lambda: (
        o.execute("INSERT INTO dbo.Tx VALUES (77)"), o.execute("SAVE TRANSACTION s"), o.execute("INSERT INTO dbo.Tx VALUES (78)"),
        o.execute("ROLLBACK TRANSACTION s"), other.commit(), same([(77,)], rows("SELECT a FROM dbo.Tx"))))

    def survives():
        o.execute("INSERT INTO dbo.Tx VALUES (88)")
        try:
            o.execute("SELECT 1 / 0")
            o.fetchall()
        except driver.Error:
            pass
        other.commit()
        same([(77,), (88,)], rows("SELECT a FROM dbo.Tx ORDER BY a"))

    call("an error does not end the transaction", survives)

    def locked():
        o.execute("UPDATE dbo.Tx SET a = 5")
        c.execute("SET LOCK_TIMEOUT 100")
        try:
            error("SELECT a FROM dbo.Tx", "Lock request time out")
        finally:
            other.rollback()
            c.execute("SET LOCK_TIMEOUT -1")

    call("a lock time-out", locked)
    call("isolation", lambda: (c.execute("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE"), same(
        [(4,)], rows("SELECT transaction_isolation_level FROM sys.dm_exec_sessions WHERE session_id = @@SPID")), c.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED")))
    call("temporary table of rows", lambda: (
        c.execute("CREATE TABLE #x (a int, b nvarchar(10))"), c.executemany(f"INSERT INTO #x VALUES ({mark}, {mark})", [(1, "a"), (2, "b")]),
        same([(1, "a"), (2, "b")], rows("SELECT a, b FROM #x ORDER BY a"))))
    call("table variable", lambda: same([(3,)], rows(f"SET NOCOUNT ON; DECLARE @t TABLE (a int); INSERT INTO @t VALUES ({mark}), ({mark}); SELECT SUM(a) FROM @t", 1, 2)))
    c.execute("SET NOCOUNT OFF")
    call("a thousand parameters", lambda: same([(499500,)], rows(f"SELECT SUM(v) FROM (VALUES {', '.join([f'({mark})'] * 1000)}) t (v)", *range(1000))))
    call("LIKE, TOP and OFFSET", lambda: same([(2,)], rows(
        f"SELECT TOP ({mark}) w FROM (SELECT v AS w FROM (VALUES (1), (2), (3)) t (v) ORDER BY v OFFSET {mark} ROWS FETCH NEXT {mark} ROWS ONLY) u WHERE 'abc' LIKE {mark}",
        1, 1, 1, "a_c")))
    call("a date compared", lambda: same([(1,)], rows(f"SELECT 1 WHERE CAST('2026-01-31' AS date) = {mark}", datetime.date(2026, 1, 31))))
    call("quotes and comments", lambda: same([("it's -- not",)], rows(f"SELECT {mark} -- it's one", "it's -- not")))
    call("another database", lambda: (c.execute("USE master"), same([("master",)], rows("SELECT DB_NAME()")), c.execute("USE sandbox")))
    call("many rows", lambda: same(5000, len(rows("SELECT TOP 5000 a.name, a.object_id, SYSDATETIME() FROM sys.all_columns a CROSS JOIN sys.all_columns b"))))
