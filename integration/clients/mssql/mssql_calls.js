// The package mssql at its defaults: a pool of tedious.
'use strict';

const mssql = require('mssql');
const { call, same } = require('../calls');
const { HOST, PORT, USER, PASSWORD, DATABASE } = process.env;

async function fails(run, text) {
  try {
    await run();
  } catch (e) {
    if (!e.message.includes(text)) throw e;
    return e;
  }
  throw new Error('no error');
}

const config = { server: HOST, port: Number(PORT), user: USER, password: PASSWORD, database: DATABASE, options: { trustServerCertificate: true } };

async function main() {
  const pool = await call('connect', () => mssql.connect(config));
  await call('create table', () => pool.query`CREATE TABLE dbo.T (Id int IDENTITY PRIMARY KEY, Name nvarchar(50), Price decimal(12, 4))`);
  await call('insert', async () => same([1], (await pool.query`INSERT INTO dbo.T (Name, Price) VALUES (${'Käse'}, ${12.5})`).rowsAffected));
  await call('select', async () => same([{ Name: 'Käse', Price: 12.5 }], (await pool.query`SELECT Name, Price FROM dbo.T WHERE Name = ${'Käse'}`).recordset));
  await call('two results', async () => same(2, (await pool.query('SELECT 1 AS a; SELECT 2 AS b')).recordsets.length));
  await call('a missing table', () => fails(() => pool.query('SELECT * FROM dbo.Nothing'), 'Invalid object name'));
  await call('a SELECT that fails', () => fails(() => pool.query('SELECT 1 / 0 AS a'), 'Divide by zero'));
  await call('a procedure', () => pool.query('CREATE PROCEDURE dbo.P @a int, @b int OUTPUT AS BEGIN SET @b = @a + 1; RETURN 3; END'));
  await call('call it', async () => {
    const r = await pool.request().input('a', mssql.Int, 5).output('b', mssql.Int).execute('dbo.P');
    same([6, 3], [r.output.b, r.returnValue]);
  });
  await call('a prepared statement', async () => {
    const ps = new mssql.PreparedStatement(pool);
    ps.input('a', mssql.Int);
    await ps.prepare('SELECT @a + 1 AS b');
    same(8, (await ps.execute({ a: 7 })).recordset[0].b);
    same(9, (await ps.execute({ a: 8 })).recordset[0].b);
    await ps.unprepare();
  });
  await call('bulk', async () => {
    const table = new mssql.Table('dbo.T');
    table.columns.add('Name', mssql.NVarChar(50), { nullable: true });
    table.rows.add('b1');
    table.rows.add('b2');
    same(2, (await pool.request().bulk(table)).rowsAffected);
  });
  await call('concurrent', async () => same(20, (await Promise.all([...Array(20).keys()].map((i) => pool.query`SELECT ${i} AS i`))).length));
  await call('the database after USE', async () => {
    await pool.query('USE master');
    same(DATABASE, (await pool.query('SELECT DB_NAME() AS d')).recordset[0].d);
  });

  await further(pool);

  const enqueue = async (request, text, process) => (await request.input('SQL', mssql.NVarChar(mssql.MAX), text).input('ExecutionOrder', mssql.Int, 100)
    .input('ProcessId', mssql.Int, process).output('TaskId', mssql.BigInt).execute('dbsched.ExecAsync')).output.TaskId;
  const find = async (task) => (await pool.query`SELECT Status, ErrorNumber FROM dbsched.TaskInfo WHERE TaskId = ${task}`).recordset[0];
  const waits = async (text, status) => {
    const process = (await pool.request().input('Name', mssql.NVarChar, 'p').output('ProcessId', mssql.Int).execute('dbsched.CreateProcess')).output.ProcessId;
    const task = await enqueue(pool.request(), text, process);
    await pool.request().input('ProcessId', mssql.Int, process).execute('dbsched.CloseProcess');
    same(status, (await pool.request().input('ProcessId', mssql.Int, process).input('TimeoutSeconds', mssql.Int, 10).output('Status',
      mssql.VarChar(10)).execute('dbsched.WaitProcess')).output.Status);
    return find(task);
  };
  await call('product: enqueue and roll back', async () => {
    const t = new mssql.Transaction(pool);
    await t.begin();
    const task = await enqueue(t.request(), 'SELECT 1', null);
    await t.rollback();
    same(undefined, await find(task));
  });
  await call('product: enqueue, commit and wait', async () => {
    const t = new mssql.Transaction(pool);
    await t.begin();
    const task = await enqueue(t.request(), 'SELECT 1', null);
    await t.commit();
    same(false, (await find(task)) === undefined);
    same({ Status: 'Succeeded', ErrorNumber: null }, await waits('SELECT 1', 'Succeeded'));
  });
  await call("product: a failed task's error", async () => same({ Status: 'Failed', ErrorNumber: 8134 }, await waits('SELECT 1 / 0', 'Failed')));
  await call('product: a refusal', () => fails(() => enqueue(pool.request(), null, null), 'dbsched 51001'));
  await call('product: every view', async () => {
    const views = (await pool.query("SELECT name FROM sys.views WHERE schema_id = SCHEMA_ID(N'dbsched')")).recordset;
    same(13, views.length);
    for (const { name } of views) if (!(await pool.query(`SELECT * FROM dbsched.${name}`)).recordset.length) throw new Error(name);
  });
  await pool.close();
}

// further calls: bulk, streams, errors, transactions, prepared statements, tables as parameters, pools.
async function further(pool) {
  await call('table', () => pool.request().batch('CREATE TABLE dbo.F (Id int IDENTITY PRIMARY KEY, Name nvarchar(50), Price decimal(12, 4), At '
    + 'datetime2(3), Data varbinary(max), J nvarchar(max))'));
  await call('columns', async () => same({ a: [0, 'Int', false], n: [1, 'NVarChar', false] }, Object.fromEntries(Object.entries((await pool.query("SELECT 1 "
    + "AS a, N'x' AS n")).recordset.columns).map(([k, c]) => [k, [c.index, c.type.name || c.type.declaration, c.nullable]]))));
  await call('bulk, all types', async () => {
    const t = new mssql.Table('dbo.Many'); t.create = true;
    t.columns.add('a', mssql.Int, { nullable: false, primary: true });
    t.columns.add('b', mssql.VarChar(50), { nullable: true });
    t.columns.add('c', mssql.NVarChar(mssql.MAX), { nullable: true });
    t.columns.add('d', mssql.Decimal(10, 2), { nullable: true });
    t.columns.add('e', mssql.DateTime2(3), { nullable: true });
    t.columns.add('f', mssql.Bit, { nullable: true });
    t.columns.add('g', mssql.UniqueIdentifier, { nullable: true });
    t.columns.add('h', mssql.VarBinary(mssql.MAX), { nullable: true });
    t.columns.add('i', mssql.Float, { nullable: true });
    t.columns.add('j', mssql.BigInt, { nullable: true });
    t.columns.add('k', mssql.Date, { nullable: true });
    t.columns.add('l', mssql.DateTime, { nullable: true });
    for (let i = 0; i < 1000; i++) t.rows.add(i, 'b' + i, 'ü'.repeat(i), i + 0.25, new Date('2026-01-31T12:00:00.123Z'), i % 2 === 0,
      '6f9619ff-8b86-d011-b42d-00c04fc964ff', Buffer.from([i % 256]), i / 2, String(i), new Date('2026-01-31'), new Date('2026-01-31T12:00:00.127Z'));
    same(1000, (await pool.request().bulk(t)).rowsAffected);
    same([{ a: 999, n: 999, d: 999.25, f: false, j: '999' }], (await pool.query('SELECT a, LEN(c) AS n, d, f, j FROM dbo.Many WHERE a = '
      + '999')).recordset.map((r) => ({ ...r, n: Number(r.n) })));
  });
  await call('bulk with options', async () => {
    const t = new mssql.Table('dbo.F');
    t.columns.add('Name', mssql.NVarChar(50), { nullable: true });
    t.rows.add('o1');
    same(1, (await pool.request().bulk(t, { checkConstraints: true, fireTriggers: true, keepNulls: true, tableLock: true })).rowsAffected);
  });
  await call('inferred types', async () => same([{ a: 1, b: 1.5, c: 'x', d: true, e: '2026-01-31T12:00:00.123Z', f: null, g: '1099511627776' }],
    JSON.parse(JSON.stringify((await pool.request().input('a', 1).input('b', 1.5).input('c', 'x').input('d', true).input('e',
    new Date('2026-01-31T12:00:00.123Z')).input('f', null).input('g', 2 ** 40).query('SELECT @a AS a, @b AS b, @c AS c, @d AS d, @e AS e, @f AS f, @g AS '
    + 'g')).recordset))));
  await call('Buffer', async () => {
    await pool.query`INSERT INTO dbo.F (Data) VALUES (${Buffer.from([1, 2, 3])})`;
    same([1, 2, 3], [...(await pool.query('SELECT Data FROM dbo.F WHERE Data IS NOT NULL')).recordset[0].Data]);
  });
  await call('array in a template', async () => same(2,
    (await pool.query`SELECT v FROM (VALUES (1), (2), (3)) t (v) WHERE v IN (${[1, 2]})`).recordset.length));
  await call('execute with several results', async () => {
    await pool.request().batch('CREATE PROCEDURE dbo.FP @a int, @b nvarchar(10) OUTPUT AS BEGIN SELECT @a AS a; SET @b = N\'ü\'; SELECT 2 AS b; RETURN 7; END');
    const r = await pool.request().input('a', 5).output('b', mssql.NVarChar(10)).execute('FP');
    same([[[{ a: 5 }], [{ b: 2 }]], { b: 'ü' }, 7, []], [r.recordsets, r.output, r.returnValue, r.rowsAffected.filter((x) => x > 1)]);
  });
  await call('replaceInput, parameters', async () => {
    const r = pool.request().input('a', mssql.Int, 1);
    r.replaceInput('a', mssql.Int, 2);
    same(2, (await r.query('SELECT @a AS a')).recordset[0].a);
  });
  await call('arrayRowMode', async () => {
    const r = pool.request();
    r.arrayRowMode = true;
    same([[1, 2]], (await r.query('SELECT 1 AS a, 2 AS a')).recordset);
  });
  await call('stream', () => new Promise((resolve, reject) => {
    const r = pool.request();
    r.stream = true;
    let n = 0, sets = 0;
    r.on('recordset', () => sets++);
    r.on('row', () => n++);
    r.on('error', reject);
    r.on('done', () => {
      try {
        same([2, 2001], [sets, n]);
        resolve();
      } catch (e) {
        reject(e);
      }
    });
    r.query('SELECT TOP 2000 a.name FROM sys.all_columns a CROSS JOIN sys.objects b; SELECT 1 AS a');
  }));
  await call('toReadableStream', async () => {
    const r = pool.request();
    const s = r.toReadableStream();
    r.query('SELECT v FROM (VALUES (1), (2)) t (v) ORDER BY v');
    const got = [];
    for await (const x of s) got.push(x.v);
    same([1, 2], got);
  });
  await call('stream with an error', () => new Promise((resolve, reject) => {
    const r = pool.request();
    r.stream = true;
    let got = '';
    r.on('row', () => {});
    r.on('error', (e) => {
      got += e.message;
    });
    r.on('done', () => {
      try {
        same('Divide by zero error encountered.', got);
        resolve();
      } catch (e) {
        reject(e);
      }
    });
    r.query('SELECT 1 AS a; SELECT 1 / 0 AS b');
  }));
  await call('pause', () => new Promise((resolve, reject) => {
    const r = pool.request();
    r.stream = true;
    let n = 0;
    r.on('row', () => {
      if (++n % 100 === 0) {
        r.pause();
        setTimeout(() => r.resume(), 1);
      }
    });
    r.on('error', reject);
    r.on('done', () => {
      try {
        same(500, n);
        resolve();
      } catch (e) {
        reject(e);
      }
    });
    r.query('SELECT TOP 500 a.name FROM sys.all_columns a CROSS JOIN sys.objects b');
  }));
  await call('cancel', async () => {
    const r = pool.request();
    setTimeout(() => r.cancel(), 200);
    const e = await fails(() => r.query("WAITFOR DELAY '00:00:20'"), 'Canceled');
    same('ECANCEL', e.code);
  });
  await call('requestTimeout', async () => {
    const p = await new mssql.ConnectionPool({ ...config, requestTimeout: 300 }).connect();
    const e = await fails(() => p.query("WAITFOR DELAY '00:00:20'"), 'Timeout');
    same('ETIMEOUT', e.code);
    await p.close();
  });
  await call("an error's parts", async () => {
    const e = await fails(() => pool.query('RAISERROR(\'x %d\', 16, 4, 5)'), 'x 5');
    same(['EREQUEST', 50000, 4, 16, 1], [e.code, e.number, e.state, e.class, e.lineNumber]);
  });
  await call('preceding errors', async () => {
    const e = await fails(() => pool.query("RAISERROR('one', 16, 1); RAISERROR('two', 16, 1)"), 'two');
    same(['one'], e.precedingErrors.map((x) => x.message));
  });
  await call('info', async () => {
    const got = [];
    const r = pool.request();
    r.on('info', (m) => got.push(m.message));
    await r.query("PRINT 'hello'");
    same(['hello'], got);
  });
  await call('transaction, isolation', async () => {
    const t = new mssql.Transaction(pool);
    await t.begin(mssql.ISOLATION_LEVEL.SERIALIZABLE);
    same(4, (await t.request().query('SELECT transaction_isolation_level AS l FROM sys.dm_exec_sessions WHERE session_id = @@SPID')).recordset[0].l);
    await t.commit();
  });
  await call('transaction aborted', async () => {
    const t = new mssql.Transaction(pool, {});
    await t.begin();
    let aborted = false;
    t.on('rollback', (a) => {
      aborted = a;
    });
    await fails(() => t.request().query('SET XACT_ABORT ON; SELECT 1/0 AS a'), 'Divide');
    await new Promise((r) => setTimeout(r, 50));
    same(true, aborted);
    await fails(() => t.rollback(), '');
  });
  await call('savepoint in SQL', async () => {
    const t = new mssql.Transaction(pool);
    await t.begin();
    await t.request().query("INSERT INTO dbo.F (Name) VALUES ('s1')");
    await t.request().query('SAVE TRANSACTION s');
    await t.request().query("INSERT INTO dbo.F (Name) VALUES ('s2')");
    await t.request().query('ROLLBACK TRANSACTION s');
    await t.commit();
    same(['s1'], (await pool.query("SELECT Name FROM dbo.F WHERE Name LIKE 's_'")).recordset.map((r) => r.Name));
  });
  await call('prepared statement in a transaction', async () => {
    const t = new mssql.Transaction(pool);
    await t.begin();
    const ps = new mssql.PreparedStatement(t);
    ps.input('a', mssql.NVarChar(20));
    ps.output('o', mssql.Int);
    await ps.prepare("SET @o = LEN(@a); SELECT @a AS a");
    const r = await ps.execute({ a: 'äb' });
    same([[{ a: 'äb' }], { o: 2 }], [r.recordset, r.output]);
    await ps.unprepare();
    await t.rollback();
  });
  await call('prepared statement streaming', async () => {
    const ps = new mssql.PreparedStatement(pool);
    await ps.prepare('SELECT 1 AS a');
    ps.stream = true;
    const r = ps.execute();
    await new Promise((res, rej) => {
      r.on('done', res);
      r.on('error', rej);
    });
    await ps.unprepare();
  });
  await call('TVP', async () => {
    await pool.query('CREATE TYPE dbo.Pairs AS TABLE (Id int, Name nvarchar(20))');
    await pool.request().batch('CREATE PROCEDURE dbo.TakesPairs @t dbo.Pairs READONLY AS SELECT COUNT(*) AS n FROM @t');
    const t = new mssql.Table();
    t.columns.add('Id', mssql.Int);
    t.columns.add('Name', mssql.NVarChar(20));
    t.rows.add(1, 'a');
    t.rows.add(2, null);
    same(2, (await pool.request().input('t', mssql.TVP, t).execute('dbo.TakesPairs')).recordset[0].n);
  });
  await call('TVP in a query', async () => {
    const t = new mssql.Table('dbo.Pairs');
    t.columns.add('Id', mssql.Int);
    t.columns.add('Name', mssql.NVarChar(20));
    t.rows.add(3, 'a');
    same(3, (await pool.request().input('t', mssql.TVP('dbo.Pairs'), t).query('SELECT Id FROM @t')).recordset[0].Id);
  });
  await call('duplicate columns', async () => same([{ a: [1, 2] }], (await pool.query('SELECT 1 AS a, 2 AS a')).recordset));
  await call('pool: min, max, idle', async () => {
    const p = await new mssql.ConnectionPool({ ...config, pool: { min: 1, max: 4, idleTimeoutMillis: 100 } }).connect();
    await Promise.all([...Array(12).keys()].map((i) => p.request().input('i', i).query('SELECT @i AS i')));
    same(true, p.size <= 4);
    await p.close();
  });
  await call('connection string', async () => {
    const p = await new mssql.ConnectionPool(`Server=${HOST},${PORT};Database=${DATABASE};User Id=${USER};Password=${PASSWORD};TrustServerCertificate=true;Encrypt=true`).connect();
    same(DATABASE, (await p.query('SELECT DB_NAME() AS d')).recordset[0].d);
    await p.close();
  });
  await call('session after reset', async () => {
    const p = await new mssql.ConnectionPool({ ...config, pool: { max: 1 } }).connect();
    await p.query('SET LOCK_TIMEOUT 77; CREATE TABLE #z (a int)');
    same([{ l: -1, t: null }], (await p.query("SELECT @@LOCK_TIMEOUT AS l, OBJECT_ID('tempdb..#z') AS t")).recordset);
    await p.close();
  });
  await call('wrong password', async () => {
    const e = await fails(() => new mssql.ConnectionPool({ ...config, password: 'no' }).connect(), 'Login failed');
    same('ELOGIN', e.code);
  });
}

main().catch((e) => { console.log(`FAIL program: ${e.stack}`); }).finally(() => process.exit(0));

