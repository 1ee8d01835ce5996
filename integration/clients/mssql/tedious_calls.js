// tedious at its defaults.
'use strict';

const { Connection, Request, TYPES, ISOLATION_LEVEL } = require('tedious');
const { call, same } = require('../calls');
const { HOST, PORT, USER, PASSWORD, DATABASE } = process.env;

// connect opens a connection, with further options.
function connect(more = {}, user = USER, password = PASSWORD) {
  return new Promise((resolve, reject) => {
    const db = new Connection({
      server: HOST,
      authentication: { type: 'default', options: { userName: user, password } },
      options: { port: Number(PORT), database: DATABASE, trustServerCertificate: true, useColumnNames: false, ...more },
    });
    db.connect((e) => (e ? reject(e) : resolve(db)));
  });
}

// send runs a request and returns rows, output values, counts and status.
function send(db, how, sql, params = {}, outputs = {}, setup = () => {}) {
  return new Promise((resolve, reject) => {
    const result = { rows: [], out: {}, counts: [], columns: [] };
    const request = new Request(sql, (e, count) => (e ? reject(e) : resolve({ ...result, count })));
    for (const [name, [type, value, options]] of Object.entries(params)) request.addParameter(name, type, value, options);
    for (const [name, [type, value, options]] of Object.entries(outputs)) request.addOutputParameter(name, type, value, options);
    request.on('columnMetadata', (columns) => result.columns.push(columns));
    request.on('row', (columns) => result.rows.push(columns.map((c) => c.value)));
    request.on('returnValue', (name, value) => { result.out[name] = value; });
    request.on('done', (n) => result.counts.push(n));
    request.on('doneInProc', (n) => result.counts.push(n));
    request.on('doneProc', (_count, _more, status) => { result.status = status; });
    setup(request);
    db[how](request);
  });
}

const transaction = (db, how, ...args) => new Promise((resolve, reject) => db[how]((e) => (e ? reject(e) : resolve()), ...args));

async function fails(run, text) {
  try {
    await run();
  } catch (e) {
    if (!e.message.includes(text)) throw e;
    return e;
  }
  throw new Error('no error');
}

async function main() {
  const db = await call('connect', connect);
  const sql = (text, ...more) => send(db, 'execSql', text, ...more);
  await call('create table', () => send(db, 'execSqlBatch', 'CREATE TABLE dbo.T (Id int IDENTITY PRIMARY KEY, Name nvarchar(50), Price decimal(12, 4), Note '
    + 'nvarchar(max), At datetime2(3))'));
  await call('insert', async () => same(1, (await sql('INSERT INTO dbo.T (Name, Price) VALUES (@n, @p)', { n: [TYPES.NVarChar, 'Käse'], p: [TYPES.Decimal,
    12.5, { precision: 12, scale: 4 }] })).count));
  await call('select', async () => same([['Käse', 12.5]], (await sql('SELECT Name, Price FROM dbo.T WHERE Name = @n', { n: [TYPES.NVarChar, 'Käse'] })).rows));
  await call('a long text', () => sql('UPDATE dbo.T SET Note = @n', { n: [TYPES.NVarChar, 'x'.repeat(100000)] }));
  await call('a long text back', async () => same(100000, (await sql('SELECT Note FROM dbo.T')).rows[0][0].length));
  await call('date and time', async () => same('2026-01-31T23:59:59.123Z', (await sql('SELECT @d', { d: [TYPES.DateTime2,
    new Date('2026-01-31T23:59:59.123Z')] })).rows[0][0].toISOString()));
  await call('bigint', async () => same('4611686018427387904', (await sql('SELECT @b', { b: [TYPES.BigInt, '4611686018427387904'] })).rows[0][0]));
  await call('NULL', async () => same([[null]], (await sql('SELECT @n', { n: [TYPES.Int, null] })).rows));
  await call('a syntax error', () => fails(() => sql('SELECT 1 FROM'), 'Incorrect syntax'));
  await call('a SELECT that fails', () => fails(() => sql('SELECT 1 / 0'), 'Divide by zero'));
  await call('a procedure', () => send(db, 'execSqlBatch', 'CREATE PROCEDURE dbo.P @a int, @b int OUTPUT AS BEGIN SET @b = @a + 1; SELECT @a; RETURN 3; END'));
  await call('call it', async () => {
    const r = await send(db, 'callProcedure', 'dbo.P', { a: [TYPES.Int, 5] }, { b: [TYPES.Int] });
    same([[[5]], { b: 6 }, 3], [r.rows, r.out, r.status]);
  });
  await call('prepare, execute, unprepare', () => new Promise((resolve, reject) => {
    const rows = [];
    const request = new Request('SELECT @a + 1', (e) => { if (e) reject(e); });
    request.addParameter('a', TYPES.Int);
    request.on('row', (columns) => rows.push(columns[0].value));
    request.on('prepared', () => db.execute(request, { a: 1 }));
    let unprepared = false;
    request.on('requestCompleted', () => {
      if (rows.length === 1) db.execute(request, { a: 2 });
      else if (!unprepared) { unprepared = true; db.unprepare(request); } else resolve(same([2, 3], rows));
    });
    db.prepare(request);
  }));
  await call('bulk insert', () => new Promise((resolve, reject) => {
    const load = db.newBulkLoad('dbo.T', (e, count) => (e ? reject(e) : resolve(same(2, count))));
    load.addColumn('Name', TYPES.NVarChar, { length: 50, nullable: true });
    db.execBulkLoad(load, [['b1'], ['b2']]);
  }));
  await call('roll back', async () => {
    await transaction(db, 'beginTransaction');
    await sql('DELETE FROM dbo.T');
    await transaction(db, 'rollbackTransaction');
    same(true, (await sql('SELECT COUNT(*) FROM dbo.T')).rows[0][0] > 0);
  });
  await call('cancel', () => fails(() => {
    const running = sql("WAITFOR DELAY '00:00:30'");
    setTimeout(() => db.cancel(), 100);
    return running;
  }, 'Canceled'));
  await call('reset', () => new Promise((resolve, reject) => db.reset((e) => (e ? reject(e) : resolve()))));

  await further(db, sql);

  const enqueue = async (text, process) => (await send(db, 'callProcedure', 'dbsched.ExecAsync',
    { SQL: [TYPES.NVarChar, text], ExecutionOrder: [TYPES.Int, 100], ProcessId: [TYPES.Int, process] }, { TaskId: [TYPES.BigInt] })).out.TaskId;
  const waits = async (text, status) => {
    const process = (await send(db, 'callProcedure', 'dbsched.CreateProcess', { Name: [TYPES.NVarChar, 'p'] }, { ProcessId: [TYPES.Int] })).out.ProcessId;
    const task = await enqueue(text, process);
    await send(db, 'callProcedure', 'dbsched.CloseProcess', { ProcessId: [TYPES.Int, process] });
    same(status, (await send(db, 'callProcedure', 'dbsched.WaitProcess', { ProcessId: [TYPES.Int, process], TimeoutSeconds: [TYPES.Int, 10] }, { Status:
      [TYPES.VarChar] })).out.Status);
    return (await sql('SELECT Status, ErrorNumber FROM dbsched.TaskInfo WHERE TaskId = @t', { t: [TYPES.BigInt, task] })).rows[0];
  };
  await call('product: enqueue and roll back', async () => {
    await transaction(db, 'beginTransaction');
    const task = await enqueue('SELECT 1', null);
    await transaction(db, 'rollbackTransaction');
    same([], (await sql('SELECT 1 FROM dbsched.TaskInfo WHERE TaskId = @t', { t: [TYPES.BigInt, task] })).rows);
  });
  await call('product: enqueue and wait', async () => same(['Succeeded', null], await waits('SELECT 1', 'Succeeded')));
  await call("product: a failed task's error", async () => same(['Failed', 8134], await waits('SELECT 1 / 0', 'Failed')));
  await call('product: a refusal', () => fails(() => enqueue(null, null), 'dbsched 51001'));
  await call('product: every view', async () => {
    const views = (await sql("SELECT name FROM sys.views WHERE schema_id = SCHEMA_ID(N'dbsched')")).rows;
    same(13, views.length);
    for (const [name] of views) if (!(await sql(`SELECT * FROM dbsched.${name}`)).rows.length) throw new Error(name);
  });
  db.close();
}

// further calls: types, metadata, results, procedures, errors, transactions, bulk loads.
async function further(db, sql) {
  const batch = (text) => send(db, 'execSqlBatch', text);
  const one = async (text, type, v, o) => (await sql(text, { a: [type, v, o] })).rows[0][0];
  const bytes = (...data) => ({ type: 'Buffer', data });
  const types = [
    ['Bit', true, true], ['TinyInt', 255, 255], ['SmallInt', -32768, -32768], ['Int', -2147483648, -2147483648],
    ['BigInt', '-9223372036854775808', '-9223372036854775808'], ['Float', 1.7976931348623157e308, 1.7976931348623157e308], ['Real', 0.5, 0.5],
    ['Decimal', -12345.678, -12345.678, { precision: 20, scale: 3 }], ['Numeric', 1.5, 1.5, { precision: 5, scale: 1 }],
    ['Money', 922337203.4775, 922337203.4775],
    ['Date', new Date('0001-01-01T00:00:00Z'), '0001-01-01T00:00:00.000Z'], ['Date', new Date('9999-12-31T00:00:00Z'), '9999-12-31T00:00:00.000Z'],
    ['Time', new Date('1970-01-01T23:59:59.999Z'), '1970-01-01T23:59:59.999Z', { scale: 7 }],
    ['DateTime', new Date('2026-01-31T12:00:00.127Z'), '2026-01-31T12:00:00.127Z'],
    ['DateTime', new Date('1753-01-01T00:00:00.000Z'), '1753-01-01T00:00:00.000Z'],
    ['DateTime2', new Date('9999-12-31T23:59:59.999Z'), '9999-12-31T23:59:59.999Z', { scale: 7 }],
    ['DateTimeOffset', new Date('2026-01-31T12:00:00.123Z'), '2026-01-31T12:00:00.123Z', { scale: 3 }],
    ['Char', 'ab', 'ab', { length: 2 }], ['NChar', 'äΩ', 'äΩ', { length: 2 }], ['VarChar', 'ü€', 'ü€'], ['NVarChar', '🧀Ω', '🧀Ω'], ['NVarChar', '', ''],
    ['NVarChar', 'Ω'.repeat(200000), 'Ω'.repeat(200000)], ['VarChar', 'x'.repeat(9000), 'x'.repeat(9000)],
    ['Binary', Buffer.from([1, 2]), bytes(1, 2), { length: 2 }], ['VarBinary', Buffer.from([0, 255]), bytes(0, 255)], ['VarBinary', Buffer.alloc(0), bytes()],
    ['UniqueIdentifier', '6f9619ff-8b86-d011-b42d-00c04fc964ff', '6F9619FF-8B86-D011-B42D-00C04FC964FF'],
  ];
  for (const [t, v, want, o] of types) {
    await call(`type ${t} ${String(v).slice(0, 30)}`, async () => same(want, JSON.parse(JSON.stringify(await one('SELECT @a', TYPES[t], v, o)))));
  }
  for (const t of ['Bit', 'Int', 'BigInt', 'Float', 'Decimal', 'Money', 'Date', 'Time', 'DateTime', 'DateTime2', 'DateTimeOffset', 'Char',
    'VarChar', 'NVarChar', 'Binary', 'VarBinary', 'UniqueIdentifier']) {
    await call(`null ${t}`, async () => same(null, await one('SELECT @a', TYPES[t], null)));
  }
  await call('column metadata', async () => {
    await batch('CREATE TABLE dbo.M (Id int IDENTITY PRIMARY KEY, N nvarchar(50) NOT NULL, D decimal(12, 4), T datetime2(3), X varchar(max))');
    const columns = (await batch('SELECT * FROM dbo.M')).columns[0];
    same(['Id', 'N NVarChar 100', 'D DecimalN 9 12 4', 'T DateTime2 3', 'X VarChar 65535'], columns.map((c, i) => (
      i ? [c.colName, c.type.name, c.dataLength, c.precision, c.scale].filter((v) => v !== undefined).join(' ') : c.colName)));
  });
  await call('several results', async () => {
    const r = await batch("INSERT INTO dbo.M (N) VALUES ('a'), ('b'); SELECT Id FROM dbo.M; UPDATE dbo.M SET D = 1 WHERE Id = 1; SELECT N FROM dbo.M WHERE "
      + "Id = 2");
    same([[2, 2, 1, 1], [[1], [2], ['b']]], [r.counts, r.rows]);
  });
  await call('rowCollectionOnDone', async () => same(2, (await sql('SELECT Id FROM dbo.M')).count));
  await call('OUTPUT', async () => same([[3, 'c']], (await sql('INSERT INTO dbo.M (N) OUTPUT inserted.Id, inserted.N VALUES (@n)', { n: [TYPES.NVarChar,
    'c'] })).rows));
  await call('SCOPE_IDENTITY', async () => same([[4]], (await sql('INSERT INTO dbo.M (N) VALUES (@n); SELECT CAST(SCOPE_IDENTITY() AS int)', { n:
    [TYPES.NVarChar, 'd'] })).rows));
  await call('output parameters of execSql', async () => same({ b: 8, c: 'x!' }, (await sql("SET @b = @a + 1; SET @c = @c + '!'", { a: [TYPES.Int, 7] },
    { b: [TYPES.Int], c: [TYPES.NVarChar, 'x', { length: 20 }] })).out));
  await call('a procedure', () => batch('CREATE PROCEDURE dbo.Q @a int, @b int = 5, @o nvarchar(20) OUTPUT AS BEGIN SELECT @a AS a; SET @o = CONCAT(@a, '
    + '@b); SELECT @b AS b; RETURN -3; END'));
  await call('call it', async () => {
    const r = await send(db, 'callProcedure', 'dbo.Q', { a: [TYPES.Int, 1] }, { o: [TYPES.NVarChar, null, { length: 20 }] });
    same([[[1], [5]], { o: '15' }, -3], [r.rows, r.out, r.status]);
  });
  await call('call it in brackets', async () => same(-3, (await send(db, 'callProcedure', '[dbo].[Q]', { a: [TYPES.Int, 1] }, { o:
    [TYPES.NVarChar] })).status));
  await call('call it with the database', async () => same(-3, (await send(db, 'callProcedure', `${DATABASE}.dbo.Q`, { a: [TYPES.Int, 1] }, { o:
    [TYPES.NVarChar] })).status));
  await call('a missing procedure', () => fails(() => send(db, 'callProcedure', 'dbo.Nothing'), "Could not find stored procedure 'dbo.Nothing'"));
  await call('a missing parameter', () => fails(() => send(db, 'callProcedure', 'dbo.Q', {}, {}), "expects parameter '@a', which was not supplied"));
  await call('a wrong parameter', () => fails(() => send(db, 'callProcedure', 'dbo.Q', { zz: [TYPES.Int, 1] }), 'is not a parameter for procedure'));
  await call("an error's parts", async () => {
    const e = await fails(() => batch("\nRAISERROR ('bad %s', 16, 7, 'x')"), 'bad x');
    same([50000, 7, 16, 2, ''], [e.number, e.state, e.class, e.lineNumber, e.procName]);
  });
  await call('an error in a procedure', async () => {
    await batch("CREATE PROCEDURE dbo.Bad AS\nBEGIN\n  THROW 50009, N'über', 2;\nEND");
    const e = await fails(() => send(db, 'callProcedure', 'dbo.Bad'), 'über');
    same([50009, 2, 16, 3, 'dbo.Bad'], [e.number, e.state, e.class, e.lineNumber, e.procName]);
  });
  await call('constraint', async () => {
    const e = await fails(() => batch('SET IDENTITY_INSERT dbo.M ON; INSERT INTO dbo.M (Id, N) VALUES (1, N\'x\')'), 'PRIMARY KEY');
    same([2627, 14], [e.number, e.class]);
    await batch('SET IDENTITY_INSERT dbo.M OFF');
  });
  await call('info messages', async () => {
    const got = [];
    const on = (m) => got.push([m.number, m.class, m.state, m.message]);
    db.on('infoMessage', on);
    await batch("PRINT N'hällo'; RAISERROR ('warn', 5, 2)");
    db.off('infoMessage', on);
    same([[0, 0, 1, 'hällo'], [50000, 5, 2, 'warn']], got);
  });
  await call('database change', async () => {
    const got = [];
    db.on('databaseChange', (d) => got.push(d));
    await batch('USE master');
    await batch('USE ' + DATABASE);
    same(['master', DATABASE], got);
  });
  await call('request time-out', () => fails(() => sql("WAITFOR DELAY '00:00:30'", {}, {}, (r) => r.setTimeout(300)),
    'Timeout: Request failed to complete in 300ms'));
  await call('after a time-out', async () => same([[1]], (await sql('SELECT 1')).rows));
  await call('cancel rows', async () => {
    await fails(() => sql('SELECT TOP 200000 a.name FROM sys.all_columns a CROSS JOIN sys.all_columns b', {}, {}, (r) => r.once('row', () => db.cancel())), 'Canceled');
    same([[1]], (await sql('SELECT 1')).rows);
  });
  await call('pause and resume', async () => {
    let n = 0;
    const r = await sql('SELECT TOP 3000 a.name FROM sys.all_columns a CROSS JOIN sys.objects b', {}, {}, (q) => q.on('row', () => {
      if (++n === 10) {
        q.pause();
        setTimeout(() => q.resume(), 50);
      }
    }));
    same(3000, r.rows.length);
  });
  await call('savepoints', async () => {
    await transaction(db, 'beginTransaction');
    await batch("UPDATE dbo.M SET N = 'z' WHERE Id = 1");
    await transaction(db, 'saveTransaction', 'sp');
    await batch('DELETE FROM dbo.M');
    await transaction(db, 'rollbackTransaction', 'sp');
    await transaction(db, 'commitTransaction');
    same([['z']], (await sql('SELECT N FROM dbo.M WHERE Id = 1')).rows);
  });
  await call('isolation level', async () => {
    await transaction(db, 'beginTransaction', 'named', ISOLATION_LEVEL.SERIALIZABLE);
    same([[4, 1]], (await sql('SELECT transaction_isolation_level, @@TRANCOUNT FROM sys.dm_exec_sessions WHERE session_id = @@SPID')).rows);
    await transaction(db, 'commitTransaction');
  });
  await call('transaction()', () => new Promise((resolve, reject) => db.transaction((e, done) => {
    if (e) return reject(e);
    db.execSql(new Request("INSERT INTO dbo.M (N) VALUES ('t')", (e2) => done(e2 || null, (e3) => (e3 ? reject(e3) : resolve()))));
  })));
  await call('nested transaction()', () => new Promise((resolve, reject) => db.transaction((e, done) => {
    if (e) return reject(e);
    db.transaction((e2, done2) => {
      if (e2) return reject(e2);
      done2(null, (e3) => (e3 ? reject(e3) : done(null, (e4) => (e4 ? reject(e4) : resolve()))));
    });
  })));
  await call('SQL transactions', async () => {
    await batch('BEGIN TRAN');
    await batch("UPDATE dbo.M SET N = 'y' WHERE Id = 1");
    await batch('ROLLBACK');
    same([['z']], (await sql('SELECT N FROM dbo.M WHERE Id = 1')).rows);
  });
  await call('bulk load with options', () => new Promise((resolve, reject) => {
    batch('CREATE TABLE dbo.BL (Id int NOT NULL, N nvarchar(50), D decimal(10, 2), T datetime2(7), B varbinary(max), G uniqueidentifier, F float, C '
      + 'bit)').then(() => {
      const load = db.newBulkLoad('dbo.BL', { keepNulls: true, checkConstraints: true, fireTriggers: true, lockTable: true }, (e, count) => (e ?
        reject(e) : resolve(same(2, count))));
      load.addColumn('Id', TYPES.Int, { nullable: false });
      load.addColumn('N', TYPES.NVarChar, { length: 50, nullable: true });
      load.addColumn('D', TYPES.Decimal, { precision: 10, scale: 2, nullable: true });
      load.addColumn('T', TYPES.DateTime2, { scale: 7, nullable: true });
      load.addColumn('B', TYPES.VarBinary, { length: Infinity, nullable: true });
      load.addColumn('G', TYPES.UniqueIdentifier, { nullable: true });
      load.addColumn('F', TYPES.Float, { nullable: true });
      load.addColumn('C', TYPES.Bit, { nullable: true });
      db.execBulkLoad(load, [{ Id: 1, N: 'a', D: 1.25, T: new Date('2026-01-31T12:00:00.123Z'), B: Buffer.alloc(10000, 1), G:
        '6f9619ff-8b86-d011-b42d-00c04fc964ff', F: 0.1, C: true }, { Id: 2, N: null, D: null, T: null, B: null, G: null, F: null, C: null }]);
    }, reject);
  }));
  await call('bulk load: values', async () => same([[1, 'a', 1.25, '2026-01-31T12:00:00.123Z', 10000, '6F9619FF-8B86-D011-B42D-00C04FC964FF', 0.1, true],
    [2, null, null, null, null, null, null, null]], JSON.parse(JSON.stringify((await sql('SELECT Id, N, D, T, DATALENGTH(B), G, F, C FROM dbo.BL ORDER BY '
    + 'Id')).rows)).map((r) => {
    r[4] = r[4] === null ? null : Number(r[4]);
    return r;
  })));
  await call('bulk load: temporary', async () => {
    await batch('CREATE TABLE #bl (a int)');
    await new Promise((resolve, reject) => {
      const load = db.newBulkLoad('#bl', (e, count) => (e ? reject(e) : resolve(same(3, count))));
      load.addColumn('a', TYPES.Int, { nullable: true });
      db.execBulkLoad(load, [[1], [2], [3]]);
    });
    same([[3]], (await send(db, 'execSqlBatch', 'SELECT COUNT(*) FROM #bl')).rows);
  });
  await call('bulk load: duplicate', async () => {
    await batch('CREATE TABLE dbo.BP (Id int PRIMARY KEY)');
    await fails(() => new Promise((resolve, reject) => {
      const load = db.newBulkLoad('dbo.BP', (e) => (e ? reject(e) : resolve()));
      load.addColumn('Id', TYPES.Int, { nullable: false });
      db.execBulkLoad(load, [[1], [1]]);
    }), 'PRIMARY KEY');
  });
  await call('bulk load in a transaction', async () => {
    await transaction(db, 'beginTransaction');
    await new Promise((resolve, reject) => {
      const load = db.newBulkLoad('dbo.BP', (e) => (e ? reject(e) : resolve()));
      load.addColumn('Id', TYPES.Int, { nullable: false });
      db.execBulkLoad(load, [[1], [2]]);
    });
    await transaction(db, 'rollbackTransaction');
    same([[0]], (await sql('SELECT COUNT(*) FROM dbo.BP')).rows);
  });
  await call('TVP', async () => {
    await batch('CREATE TYPE dbo.Pairs AS TABLE (Id int, Name nvarchar(20), D decimal(9, 2))');
    await batch('CREATE PROCEDURE dbo.TakesPairs @t dbo.Pairs READONLY AS SELECT Id, Name, D FROM @t ORDER BY Id');
    const t = { columns: [{ name: 'Id', type: TYPES.Int }, { name: 'Name', type: TYPES.NVarChar, length: 20 }, { name: 'D', type: TYPES.Decimal, precision:
      9, scale: 2 }], rows: [[1, 'a', 1.5], [2, null, null]] };
    same([[1, 'a', 1.5], [2, null, null]], (await send(db, 'callProcedure', 'dbo.TakesPairs', { t: [TYPES.TVP, t] })).rows);
  });
  await call('options: useUTC false, camelCase', async () => {
    const c = await connect({ useUTC: false, camelCaseColumns: true, rowCollectionOnRequestCompletion: true });
    same('firstName', (await send(c, 'execSql', 'SELECT 1 AS FirstName')).columns[0][0].colName);
    c.close();
  });
  await call('options: encrypt false', async () => {
    const c = await connect({ encrypt: false });
    same([[1]], (await send(c, 'execSql', 'SELECT 1')).rows);
    c.close();
  });
  await call('wrong password', () => fails(() => connect({}, 'sa', 'no'), "Login failed for user 'sa'."));
  await call('unknown database', () => fails(() => connect({ database: 'nowhere' }), ''));
  await call('reset', async () => {
    await batch('SET LOCK_TIMEOUT 500; CREATE TABLE #r (a int)');
    await new Promise((resolve, reject) => db.reset((e) => (e ? reject(e) : resolve())));
    same([[-1, null]], (await sql("SELECT @@LOCK_TIMEOUT, OBJECT_ID('tempdb..#r')")).rows);
  });
  await call('varchar collation', async () => same([['ü']], (await sql("SELECT CAST(N'ü' AS varchar(10))")).rows));
  await call('reuse of column names', async () => same([[1, 2]], (await sql('SELECT 1 AS a, 2 AS a')).rows));
  await call('empty batch', async () => same([], (await batch('')).rows));
  await call('1000 parameters', async () => {
    const p = {};
    for (let i = 0; i < 1000; i++) p[`p${i}`] = [TYPES.Int, i];
    same([[499500]], (await sql(`SELECT ${Object.keys(p).map((k) => '@' + k).join(' + ')}`, p)).rows);
  });
}

main().catch((e) => { console.log(`FAIL program: ${e.stack}`); }).finally(() => process.exit(0));

