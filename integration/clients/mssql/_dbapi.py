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
