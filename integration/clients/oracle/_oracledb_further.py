"""What oracledb_calls.py leaves out of python-oracledb in thin mode: types both ways, fetching, blocks, many rows, pools, async mode."""

import asyncio
import datetime
import decimal

import oracledb

from calls import call, same


def further(login):
    db = oracledb.connect(**login)
    c = db.cursor()

    def value(sql, *args, **names):
        return c.execute(sql, list(args) or names).fetchone()[0]

    def fails(code, run):
        try:
            run()
        except oracledb.DatabaseError as x:
            same(code, x.args[0].full_code)
            return x.args[0]
        raise AssertionError("no error")

    c.execute("CREATE TABLE ty (id NUMBER PRIMARY KEY, n NUMBER, n102 NUMBER(10, 2), v VARCHAR2(4000), nv NVARCHAR2(200), ch CHAR(5), d DATE, ts TIMESTAMP, "
              "tz TIMESTAMP WITH TIME ZONE, r RAW(200), cl CLOB, bl BLOB, bd BINARY_DOUBLE)")
    c.execute("CREATE TABLE tm (id NUMBER GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name VARCHAR2(10) UNIQUE)")

    def integers():
        for x in [0, -1, 12345678901234567890123456789012345678, 2**63, -(2**63)]:
            same(x, value("SELECT :1 FROM dual", x))

    def floats():
        for x in [0.1, -0.1, -2.5e-100, 123456.789]:
            same(x, value("SELECT :1 FROM dual", x))

    def decimals():
        c.execute("INSERT INTO ty (id, n, n102) VALUES (1, :1, :2)", [decimal.Decimal("1.23456789012345678901234567890123456789"), decimal.Decimal("1.005")])
        same((1.2345678901234568, 1.01), c.execute("SELECT n, n102 FROM ty WHERE id = 1").fetchone())
        oracledb.defaults.fetch_decimals = True
        try:
            got = db.cursor().execute("SELECT n, n102 FROM ty WHERE id = 1 AND 1 = 1").fetchone()
        finally:
            oracledb.defaults.fetch_decimals = False
        same((decimal.Decimal("1.23456789012345678901234567890123456789"), decimal.Decimal("1.01")), got)

    def handlers():
        fetch = db.cursor()
        fetch.outputtypehandler = lambda cursor, md: cursor.var(str, arraysize=cursor.arraysize)
        same("1.01", fetch.execute("SELECT n102 FROM ty WHERE id = 1").fetchone()[0])
        bind = db.cursor()
        bind.inputtypehandler = lambda cursor, v, n: cursor.var(str, arraysize=n, inconverter=lambda s: ",".join(sorted(s))) if isinstance(v, set) else None
        same("a,b", bind.execute("SELECT :1 FROM dual", [{"b", "a"}]).fetchone()[0])

    def texts():
        for s in ["a", "ü€🧀", "x" * 4000, " lead ", "' \" \t\n"]:
            same(s, value("SELECT :1 FROM dual", s))
        same(None, value("SELECT :1 FROM dual", ""))
        same("y" * 40_000, value("SELECT TO_CLOB(:1) FROM dual", "y" * 40_000).read())
        c.execute("INSERT INTO ty (id, nv, ch) VALUES (2, :1, :2)", ["ü€", "ab"])
        same(("ü€", "ab   "), c.execute("SELECT nv, ch FROM ty WHERE id = 2").fetchone())

    def times():
        at = datetime.datetime(2026, 2, 28, 23, 59, 59, 123456)
        c.setinputsizes(ts=oracledb.DB_TYPE_TIMESTAMP)
        c.execute("INSERT INTO ty (id, d, ts) VALUES (3, :d, :ts)", d=at, ts=at)
        same((at.replace(microsecond=0), at), c.execute("SELECT d, ts FROM ty WHERE id = 3").fetchone())
        same(1, value("SELECT COUNT(*) FROM ty WHERE d = :1", at.replace(microsecond=0)))
        for d in [datetime.timedelta(days=5, hours=2, microseconds=123400), datetime.timedelta(seconds=-10), datetime.timedelta(0)]:
            same(d, value("SELECT :1 FROM dual", d))

    def named_zone():
        c.execute("ALTER SESSION SET TIME_ZONE = 'Europe/Warsaw'")
        same("14:00 EUROPE/WARSAW", value("SELECT TO_CHAR(TIMESTAMP '2026-07-01 12:00:00 UTC' AT LOCAL, 'HH24:MI TZR') FROM dual"))
        fails("DPY-3022", lambda: c.execute("SELECT CURRENT_TIMESTAMP FROM dual").fetchone())  # thin mode knows no regions
        c.execute("ALTER SESSION SET TIME_ZONE = '+00:00'")

    def binary():
        c.execute("INSERT INTO ty (id, r, bl, cl) VALUES (4, :1, :2, :3)", [b"\0\1\xff", b"x" * 100_000, "c" * 70_000])
        same(b"\0\1\xff", value("SELECT r FROM ty WHERE id = 4"))
        oracledb.defaults.fetch_lobs = False
        try:
            same((b"x" * 100_000, "c" * 70_000), c.execute("SELECT bl, cl FROM ty WHERE id = 4").fetchone())
        finally:
            oracledb.defaults.fetch_lobs = True

    def lob_parts():
        lob = c.execute("SELECT cl FROM ty WHERE id = 4 AND 1 = 1").fetchone()[0]
        same((70_000, "c" * 10, "ccccc"), (lob.size(), lob.read(69_991, 10), lob.read(1, 5)))

    def binary_double():
        c.setinputsizes(oracledb.DB_TYPE_BINARY_DOUBLE)
        c.execute("INSERT INTO ty (id, bd) VALUES (5, :1)", [1e300])
        same(1e300, value("SELECT bd FROM ty WHERE id = 5"))

    def description():
        d = c.execute("SELECT id, n102, v, ch, d, ts, tz, r, cl, bl, bd, 1 + 1 AS \"Alias\" FROM ty").description
        same(["NUMBER", "NUMBER", "VARCHAR", "CHAR", "DATE", "TIMESTAMP", "TIMESTAMP_TZ", "RAW", "CLOB", "BLOB", "BINARY_DOUBLE", "NUMBER"],
             [x.type_code.name.removeprefix("DB_TYPE_") for x in d])
        same((False, 10, 2, 4000, "Alias"), (d[0].null_ok, d[1].precision, d[1].scale, d[2].internal_size, d[11].name))

    def fetching():
        c.arraysize = 7
        c.execute("SELECT LEVEL FROM dual CONNECT BY LEVEL <= 1000")
        same((1, 10, 989, []), (c.fetchone()[0], len(c.fetchmany(10)), len(c.fetchall()), c.fetchall()))
        same(1000, c.rowcount)
        c.arraysize, c.prefetchrows = 100, 0
        same(30, len(c.execute("SELECT LEVEL FROM dual CONNECT BY LEVEL <= 30").fetchall()))
        c.prefetchrows = 2
        same(5050, sum(n for (n,) in c.execute("SELECT LEVEL FROM dual CONNECT BY LEVEL <= 100")))
        c.execute("SELECT 1 a, 2 b FROM dual")
        c.rowfactory = lambda *row: dict(zip([d[0] for d in c.description], row))
        same({"A": 1, "B": 2}, c.fetchone())

    def prepared():
        c.prepare("SELECT :x + 1 FROM dual")
        same((3, 6), (c.execute(None, x=2).fetchone()[0], c.execute(None, x=5).fetchone()[0]))
        same("121", value("SELECT :x || :y || :x FROM dual", x="1", y="2"))
        c.parse("SELECT id, v FROM ty WHERE id = :1")
        same(["ID", "V"], [d[0] for d in c.description])

    def out_types():
        n, at, raw, text, span = c.var(oracledb.DB_TYPE_NUMBER), c.var(datetime.datetime), c.var(bytes), c.var(oracledb.DB_TYPE_CLOB), c.var(datetime.timedelta)
        io = c.var(int)
        io.setvalue(0, 5)
        c.execute("BEGIN :1 := 1.5; :2 := DATE '2026-01-02'; :3 := HEXTORAW('0102'); :4 := RPAD('c', 30000, 'c'); :5 := INTERVAL '1' DAY; :6 := :6 + 1; END;", [n, at, raw, text, span, io])
        same((1.5, datetime.datetime(2026, 1, 2), b"\1\2", 30_000, datetime.timedelta(days=1), 6),
             (n.getvalue(), at.getvalue(), raw.getvalue(), text.getvalue().size(), span.getvalue(), io.getvalue()))
        fails("ORA-06502", lambda: c.execute("BEGIN :1 := 'abcdef'; END;", [c.var(str, 1)]))

    def routines():
        c.execute("CREATE OR REPLACE FUNCTION fu (a NUMBER, b VARCHAR2 DEFAULT 'z') RETURN VARCHAR2 IS BEGIN RETURN b || a; END;")
        same(("z5", "q7"), (c.callfunc("fu", str, [5]), c.callfunc("fu", str, keyword_parameters={"a": 7, "b": "q"})))
        c.execute("CREATE OR REPLACE PROCEDURE pr (a IN NUMBER, b IN OUT VARCHAR2, c OUT NUMBER) IS BEGIN b := b || a; c := a * 2; END;")
        out, io = c.var(int), c.var(str)
        io.setvalue(0, "x")
        same([3, "x3", 6], c.callproc("pr", [3, io, out]))
        c.execute("CREATE OR REPLACE FUNCTION frc RETURN SYS_REFCURSOR IS c SYS_REFCURSOR; BEGIN OPEN c FOR SELECT LEVEL FROM dual CONNECT BY LEVEL <= 3; RETURN c; END;")
        same([(1,), (2,), (3,)], c.callfunc("frc", oracledb.DB_TYPE_CURSOR).fetchall())

    def arrays():
        c.execute("CREATE OR REPLACE PACKAGE ap AS TYPE t IS TABLE OF NUMBER INDEX BY PLS_INTEGER; FUNCTION total (a t) RETURN NUMBER; PROCEDURE twice (a t, b OUT t); END;")
        c.execute("CREATE OR REPLACE PACKAGE BODY ap AS FUNCTION total (a t) RETURN NUMBER IS n NUMBER := 0; BEGIN FOR i IN 1 .. a.COUNT LOOP n := n + a(i); END LOOP; RETURN n; END; "
                  "PROCEDURE twice (a t, b OUT t) IS BEGIN FOR i IN 1 .. a.COUNT LOOP b(i) := 2 * a(i); END LOOP; END; END;")
        some, out = c.arrayvar(oracledb.NUMBER, [1, 2, 3.5]), c.arrayvar(oracledb.NUMBER, 10)
        same(6.5, c.callfunc("ap.total", float, [some]))
        c.callproc("ap.twice", [some, out])
        same([2, 4, 7], out.getvalue())
        fails("ORA-06513", lambda: c.callproc("ap.twice", [some, c.arrayvar(oracledb.NUMBER, 2)]))

    def many():
        c.executemany("INSERT INTO tm (name) VALUES (:1)", [(f"n{i}",) for i in range(1000)])
        same(1000, c.rowcount)
        c.executemany("INSERT INTO tm (name) VALUES (:n)", [{"n": "x" * i} for i in range(2, 8)])
        c.executemany("INSERT INTO tm (name) VALUES (NULL)", 3)
        same((3, 1009), (c.rowcount, value("SELECT COUNT(*) FROM tm")))
        c.executemany("INSERT INTO ty (id, n, v, d) VALUES (:1, :2, :3, :4)", [(100, 1, "a", datetime.datetime(2026, 1, 1)), (101, None, None, None), (102, 2.5, "ü" * 100, None)])
        same([(1, "a"), (None, None), (2.5, "ü" * 100)], c.execute("SELECT n, v FROM ty WHERE id >= 100 ORDER BY id").fetchall())
        c.executemany("INSERT INTO tm (name) VALUES (:1)", [("z1",), ("n1",), ("z2",), ("toolongname1",)], batcherrors=True)
        same([(1, 1), (3, 12899)], [(x.offset, x.code) for x in c.getbatcherrors()])

    def many_blocks():
        c.execute("CREATE OR REPLACE PROCEDURE dbl (a IN NUMBER, b OUT NUMBER) IS BEGIN b := a * 2; END;")
        out = c.var(int, arraysize=3)
        c.setinputsizes(None, out)
        c.executemany("BEGIN dbl(:1, :2); END;", [(1,), (2,), (3,)])
        same([2, 4, 6], [out.getvalue(i) for i in range(3)])

    def returning():
        ids = c.var(int)
        c.execute("UPDATE tm SET name = name WHERE name LIKE 'n1_' RETURNING id INTO :1", [ids])
        same(10, len(ids.getvalue()))
        at, note = c.var(datetime.datetime), c.var(oracledb.DB_TYPE_CLOB)
        c.execute("INSERT INTO ty (id, d, cl) VALUES (200, DATE '2026-01-02', 'clob') RETURNING d, cl INTO :1, :2", [at, note])
        same((datetime.datetime(2026, 1, 2), "clob"), (at.getvalue()[0], note.getvalue()[0].read()))

    def rowids():
        out = c.var(oracledb.ROWID)
        c.execute("INSERT INTO tm (name) VALUES ('row2') RETURNING ROWID INTO :1", [out])
        same("row2", value("SELECT name FROM tm WHERE ROWID = :1", out.getvalue()[0]))

    def last_row():
        c.execute("INSERT INTO tm (name) VALUES ('last')")
        last = c.lastrowid
        same("last", value("SELECT name FROM tm WHERE ROWID = :1", last))

    def offsets():
        for sql, code, offset in [("SELECT 1 FROM dual WHERE", "ORA-00936", 24), ("SELECT * FROM", "ORA-00903", 13), ("BEGIN nothing; END;", "ORA-06550", 6)]:
            same(offset, fails(code, lambda sql=sql: c.execute(sql)).offset)
        x = fails("ORA-20001", lambda: c.execute("BEGIN RAISE_APPLICATION_ERROR(-20001, 'mine'); END;"))
        same(True, x.message.startswith("ORA-20001: mine\nORA-06512: at line 1"))

    def in_progress():
        db.rollback()
        same(False, db.transaction_in_progress)
        c.execute("INSERT INTO tm (name) VALUES ('tp')")
        same(True, db.transaction_in_progress)
        c.execute("SELECT cl FROM ty WHERE id = 4").fetchone()[0].read()
        same(True, db.transaction_in_progress)
        db.rollback()
        with oracledb.connect(**login) as other:
            other.cursor().execute("INSERT INTO tm (name) VALUES ('closed')")
        same(0, value("SELECT COUNT(*) FROM tm WHERE name = 'closed'"))

    def schema():
        c.execute("ALTER SESSION SET CURRENT_SCHEMA = system")
        same("SYSTEM", db.current_schema)
        c.execute("ALTER SESSION SET CURRENT_SCHEMA = app")
        same("APP", db.current_schema)

    def warning():
        c.execute("CREATE OR REPLACE PROCEDURE bad IS BEGIN nothing; END;")
        same("DPY-7000", c.warning.full_code)

    def pool():
        def init(connection, _):
            connection.cursor().execute("ALTER SESSION SET NLS_DATE_FORMAT = 'YYYY'")

        p = oracledb.create_pool(**login, min=1, max=3, session_callback=init)
        with p.acquire() as a, p.acquire(), p.acquire():
            same((3, "2026"), (p.busy, a.cursor().execute("SELECT TO_CHAR(DATE '2026-05-05') FROM dual").fetchone()[0]))
        same(3, p.opened)
        p.close(force=True)
        p = oracledb.create_pool(**login, min=0, max=1, getmode=oracledb.POOL_GETMODE_NOWAIT)
        with p.acquire():
            fails("DPY-4005", p.acquire)
        p.close()

    def refused_logins():
        fails("ORA-01017", lambda: oracledb.connect(**{**login, "password": "wrong"}))
        fails("DPY-6005", lambda: oracledb.connect(**{**login, "dsn": login["dsn"] + "x"}))

    def long_texts():
        same(1, value("SELECT COUNT(*) FROM dual WHERE 1 IN (" + ", ".join(f":{i}" for i in range(1, 901)) + ")", *range(1, 901)))
        same("it's ü :x", value("SELECT 'it''s ü :x' FROM dual /* :y */ -- :z"))
        same(1, value("SELECT 1 FROM dual /* " + "y" * 60_000 + " */"))

    async def asynchronous():
        connection = await oracledb.connect_async(**login)
        with connection.cursor() as cursor:
            await cursor.execute("SELECT LEVEL FROM dual CONNECT BY LEVEL <= 300")
            same(300, len(await cursor.fetchall()))
            await cursor.executemany("INSERT INTO tm (name) VALUES (:1)", [("as1",), ("as2",)])
            await connection.rollback()
            await cursor.execute("SELECT cl FROM ty WHERE id = 4")
            (lob,) = await cursor.fetchone()
            same(70_000, len(await lob.read()))
        same([(1,)], await connection.fetchall("SELECT 1 FROM dual"))
        same("z9", await connection.callfunc("fu", str, [9]))
        p = oracledb.create_pool_async(**login, min=1, max=4)

        async def one(i):
            async with p.acquire() as pooled:
                return (await pooled.fetchone("SELECT :1 FROM dual", [i]))[0]

        same(list(range(20)), await asyncio.gather(*[one(i) for i in range(20)]))
        await p.close()
        connection.call_timeout = 300
        try:
            await connection.execute("BEGIN DBMS_SESSION.SLEEP(20); END;")
        except oracledb.DatabaseError as x:
            same("DPY-4024", x.args[0].full_code)
        await connection.close()

    async def pipeline():
        connection = await oracledb.connect_async(**login)
        p = oracledb.create_pipeline()
        p.add_fetchall("SELECT 1 FROM dual")
        p.add_execute("INSERT INTO tm (name) VALUES ('pi')")
        p.add_commit()
        same([(1,)], (await connection.run_pipeline(p))[0].rows)
        await connection.close()

    call("integers", integers)
    call("floats", floats)
    call("decimals", decimals)
    call("handlers of types", handlers)
    call("texts", texts)
    call("dates and intervals", times)
    call("a named time zone", named_zone)
    call("RAW, and LOBs as values", binary)
    call("a LOB's parts", lob_parts)
    call("BINARY_DOUBLE", binary_double)
    call("description", description)
    call("ways to fetch", fetching)
    call("prepare, parse, a variable twice", prepared)
    call("OUT variables of each type", out_types)
    call("callfunc and callproc", routines)
    call("arrays", arrays)
    call("executemany", many)
    call("executemany of a block with OUT", many_blocks)
    call("RETURNING of many rows and types", returning)
    db.commit()
    call("a returned ROWID", rowids)
    call("lastrowid", last_row)
    call("where an error is", offsets)
    call("transaction_in_progress", in_progress)
    call("current_schema", schema)
    call("a unit with errors", warning)
    call("pools", pool)
    call("refused logins", refused_logins)
    call("long texts", long_texts)
    db.commit()
    call("async mode", lambda: asyncio.run(asynchronous()))
    call("a pipeline", lambda: asyncio.run(pipeline()))
    call("results of a block", lambda: c.execute("DECLARE c SYS_REFCURSOR; BEGIN OPEN c FOR SELECT 1 FROM dual; DBMS_SQL.RETURN_RESULT(c); END;"))
    call("object types", lambda: db.gettype("SYS.ODCIVARCHAR2LIST"))
    call("changing the password", lambda: db.changepassword(login["password"], "other"))
    call("a distributed transaction", lambda: db.tpc_begin(db.xid(1, b"a", b"b")))
    call("an interval of years", lambda: value("SELECT INTERVAL '1-2' YEAR TO MONTH FROM dual"))
    db.close()
