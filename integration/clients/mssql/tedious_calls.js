// tedious at its defaults.
'use strict';

const { Connection, Request, TYPES } = require('tedious');
const { call, same } = require('../calls');
const { HOST, PORT, USER, PASSWORD, DATABASE } = process.env;

// connect opens a connection.
function connect() {
  return new Promise((resolve, reject) => {
    const db = new Connection({
      server: HOST,
      authentication: { type: 'default', options: { userName: USER, password: PASSWORD } },
      options: { port: Number(PORT), database: DATABASE, trustServerCertificate: true, useColumnNames: false },
    });
    db.connect((e) => (e ? reject(e) : resolve(db)));
  });
}

// send runs a request and returns rows, output values and status.
function send(db, how, sql, params = {}, outputs = {}) {
  return new Promise((resolve, reject) => {
    const result = { rows: [], out: {} };
    const request = new Request(sql, (e, count) => (e ? reject(e) : resolve({ ...result, count })));
    for (const [name, [type, value, options]] of Object.entries(params)) request.addParameter(name, type, value, options);
    for (const [name, type] of Object.entries(outputs)) request.addOutputParameter(name, type);
    request.on('row', (columns) => result.rows.push(columns.map((c) => c.value)));
    request.on('returnValue', (name, value) => { result.out[name] = value; });
    request.on('doneProc', (_count, _more, status) => { result.status = status; });
    db[how](request);
  });
}

const transaction = (db, how) => new Promise((resolve, reject) => db[how]((e) => (e ? reject(e) : resolve())));

async function fails(run, text) {
  try {
    await run();
  } catch (e) {
    if (!e.message.includes(text)) throw e;
    return;
  }
  throw new Error('no error');
}

async function main() {
  const db = await call('connect', connect);
  const sql = (text, params, outputs) => send(db, 'execSql', text, params, outputs);
  await call('create table', () => send(db, 'execSqlBatch', 'CREATE TABLE dbo.T (Id int IDENTITY PRIMARY KEY, Name nvarchar(50), Price decimal(12, 4), Note nvarchar(max), At datetime2(3))'));
  await call('insert', async () => same(1, (await sql('INSERT INTO dbo.T (Name, Price) VALUES (@n, @p)', { n: [TYPES.NVarChar, 'Käse'], p: [TYPES.Decimal, 12.5, { precision: 12, scale: 4 }] })).count));
  await call('select', async () => same([['Käse', 12.5]], (await sql('SELECT Name, Price FROM dbo.T WHERE Name = @n', { n: [TYPES.NVarChar, 'Käse'] })).rows));
  await call('a long text', () => sql('UPDATE dbo.T SET Note = @n', { n: [TYPES.NVarChar, 'x'.repeat(100000)] }));
  await call('a long text back', async () => same(100000, (await sql('SELECT Note FROM dbo.T')).rows[0][0].length));
  await call('date and time', async () => same('2026-01-31T23:59:59.123Z', (await sql('SELECT @d', { d: [TYPES.DateTime2, new Date('2026-01-31T23:59:59.123Z')] })).rows[0][0].toISOString()));
  await call('bigint', async () => same('4611686018427387904', (await sql('SELECT @b', { b: [TYPES.BigInt, '4611686018427387904'] })).rows[0][0]));
  await call('NULL', async () => same([[null]], (await sql('SELECT @n', { n: [TYPES.Int, null] })).rows));
  await call('a syntax error', () => fails(() => sql('SELECT 1 FROM'), 'Incorrect syntax'));
  await call('a SELECT that fails', () => fails(() => sql('SELECT 1 / 0'), 'Divide by zero'));
  await call('a procedure', () => send(db, 'execSqlBatch', 'CREATE PROCEDURE dbo.P @a int, @b int OUTPUT AS BEGIN SET @b = @a + 1; SELECT @a; RETURN 3; END'));
  await call('call it', async () => {
    const r = await send(db, 'callProcedure', 'dbo.P', { a: [TYPES.Int, 5] }, { b: TYPES.Int });
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

  const enqueue = async (text, process) => (await send(db, 'callProcedure', 'dbsched.ExecAsync',
    { SQL: [TYPES.NVarChar, text], ExecutionOrder: [TYPES.Int, 100], ProcessId: [TYPES.Int, process] }, { TaskId: TYPES.BigInt })).out.TaskId;
  const waits = async (text, status) => {
    const process = (await send(db, 'callProcedure', 'dbsched.CreateProcess', { Name: [TYPES.NVarChar, 'p'] }, { ProcessId: TYPES.Int })).out.ProcessId;
    const task = await enqueue(text, process);
    await send(db, 'callProcedure', 'dbsched.CloseProcess', { ProcessId: [TYPES.Int, process] });
    same(status, (await send(db, 'callProcedure', 'dbsched.WaitProcess', { ProcessId: [TYPES.Int, process], TimeoutSeconds: [TYPES.Int, 10] }, { Status: TYPES.VarChar })).out.Status);
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
  db.close();
}

main().catch((e) => { console.log(`FAIL program: ${e.stack}`); }).finally(() => process.exit(0));
