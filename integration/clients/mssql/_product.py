"""dbsched by any library of Python: connect(autocommit) opens a connection, mark is its placeholder."""

from calls import call, same


def enqueue(cursor, mark, sql, order):
    cursor.execute(
        f"DECLARE @t bigint; EXEC dbsched.ExecAsync @SQL = {mark}, @ExecutionOrder = {mark}, @TaskId = @t OUTPUT; SELECT @t;",
        (sql, order))
    return cursor.fetchone()[0]


def product(connect, mark):
    auto = call("product: connect with autocommit", lambda: connect(True))
    other = call("product: connect without", lambda: connect(False))

    def one(db, sql, *args):
        c = db.cursor()
        c.execute(sql, args)
        return c.fetchone()

    def rolled_back():
        task = enqueue(other.cursor(), mark, "SELECT 1", 100)
        other.rollback()
        same(None, one(auto, f"SELECT 1 FROM dbsched.TaskInfo WHERE TaskId = {mark}", task))

    def committed():
        c = other.cursor()
        c.execute("DECLARE @p int; EXEC dbsched.CreateProcess N'Grün', @p OUTPUT; SELECT @p;")
        process = c.fetchone()[0]
        c.execute("DECLARE @t bigint; EXEC dbsched.ExecAsync @SQL = N'SELECT 1', @ExecutionOrder = 1, "
                  f"@ProcessId = {mark}, @TaskId = @t OUTPUT; SELECT @t;", (process,))
        task = c.fetchone()[0]
        c.execute(f"EXEC dbsched.CloseProcess {mark}", (process,))
        other.commit()
        same("Succeeded", one(auto, f"DECLARE @s varchar(10); EXEC dbsched.WaitProcess {mark}, 60, @s OUTPUT; SELECT @s;", process)[0])
        same("Succeeded", one(auto, f"SELECT Status FROM dbsched.TaskInfo WHERE TaskId = {mark}", task)[0])

    def failed():
        c = auto.cursor()
        c.execute("DECLARE @p int; EXEC dbsched.CreateProcess N'fails', @p OUTPUT; SELECT @p;")
        process = c.fetchone()[0]
        c.execute(f"EXEC dbsched.ExecAsync N'SELECT 1 / 0', 100, {mark}", (process,))
        c.execute(f"EXEC dbsched.CloseProcess {mark}", (process,))
        same("Failed", one(auto, f"DECLARE @s varchar(10); EXEC dbsched.WaitProcess {mark}, 60, @s OUTPUT; SELECT @s;", process)[0])
        number, text = one(auto, f"SELECT ErrorNumber, ErrorMessage FROM dbsched.TaskInfo WHERE ProcessId = {mark}", process)
        same(8134, number)
        assert "Divide by zero" in text, text

    def refused():
        try:
            one(auto, "EXEC dbsched.ExecAsync NULL, 100")
        except Exception as e:
            assert "dbsched 51001" in str(e), e
        else:
            raise AssertionError("no error")

    def open_transaction():
        c = other.cursor()
        c.execute("SELECT COUNT(*) FROM dbsched.TaskInfo")
        c.fetchall()
        try:
            c.execute("EXEC dbsched.WaitProcess 1, 1")
        except Exception as e:
            assert "dbsched 51010" in str(e), e
        else:
            raise AssertionError("no error")
        other.rollback()

    def long_text():
        sql = "SELECT N'" + "ü" * 100_000 + "'"
        task = enqueue(auto.cursor(), mark, sql, 100)
        same(sql, one(auto, f"SELECT SqlText FROM dbsched.TaskInfo WHERE TaskId = {mark}", task)[0])

    def views():
        c = auto.cursor()
        c.execute("SELECT name FROM sys.views WHERE schema_id = SCHEMA_ID(N'dbsched')")
        names = [r[0] for r in c.fetchall()]
        same(13, len(names))
        for name in names:
            c.execute(f"SELECT * FROM dbsched.{name}")
            assert c.fetchall(), name

    call("product: enqueue and roll back", rolled_back)
    call("product: enqueue, commit and wait", committed)
    call("product: a failed task's error", failed)
    call("product: a refusal", refused)
    call("product: wait in a transaction", open_transaction)
    call("product: a long text", long_text)
    call("product: every view", views)
