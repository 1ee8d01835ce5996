package plan_test

import (
	"context"
	"encoding/binary"
	"iter"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sqlc-dev/teesql/ast"
	"github.com/sqlc-dev/teesql/parser"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/ddl"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/plan"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// engine is a store and a catalog without the rest of SQL Server.
type engine struct {
	k      *kernel.Kernel
	st     *store.Store
	server *catalog.Server
	db     *catalog.Database
	rcsi   bool
}

// session is as much of a session as plan needs; it never waits for a lock.
type session struct {
	*testing.T
	e         *engine
	ss        *store.Session
	tx        *store.Txn
	open      bool // BEGIN TRANSACTION
	level     plan.Isolation
	vars      []value.Value
	names     []string
	types     []datatype.Type
	tables    map[int]*catalog.Table
	temps     map[string]*catalog.Object
	warnings  []*sqlerr.Error
	guess     plan.Guess
	identity  value.Value
	identOn   *catalog.Object
	text      string
	functions map[string]*plan.SessionFunc
	guid      uint64
	snap      store.Snapshot
	snapOf    *store.Txn
}

func newEngine() *engine {
	e := &engine{k: kernel.New(kernel.Options{Seed: 1})}
	e.st = store.New(e.k, store.Options{})
	e.server = catalog.NewServer("TEST", 16, datatype.CIAS, nil, kernel.Epoch)
	// The engine's own views, as far as the product reads them.
	none := func(catalog.ViewContext) iter.Seq[value.Row] { return func(func(value.Row) bool) {} }
	e.server.RegisterView("sys", "dm_exec_sessions", catalog.ParseColumns(`session_id smallint, login_time datetime, transaction_isolation_level smallint`), none)
	e.server.RegisterView("sys", "dm_broker_activated_tasks", catalog.ParseColumns(`spid int?, database_id smallint?, queue_id int?`), none)
	e.db = e.server.CreateDatabase("test", datatype.CIAS, 1, kernel.Epoch)
	return e
}

func (e *engine) session(t *testing.T) *session {
	t.Helper()
	s := &session{T: t, e: e, ss: e.st.NewSession(nil), level: plan.ReadCommitted, tables: map[int]*catalog.Table{}, temps: map[string]*catalog.Object{}}
	s.ss.LockTimeout = 0
	t.Cleanup(s.ss.Close)
	s.functions = map[string]*plan.SessionFunc{
		"GETDATE":        {Name: "getdate", Result: datatype.Of(datatype.DateTime), NotNull: true, Eval: func(plan.Env, []value.Value) value.Value { return value.NewTime(638000000000000000, 0) }},
		"SYSUTCDATETIME": {Name: "sysutcdatetime", Result: datatype.Of(datatype.DateTime2), NotNull: true, Eval: func(plan.Env, []value.Value) value.Value { return value.NewTime(638000000000000000, 0) }},
		"@@SPID":         {Name: "@@spid", Result: datatype.Of(datatype.SmallInt), NotNull: true, Eval: func(plan.Env, []value.Value) value.Value { return value.NewInt(51) }},
		"@@ROWCOUNT":     {Name: "@@rowcount", Result: datatype.Of(datatype.Int), NotNull: true, Eval: func(plan.Env, []value.Value) value.Value { return value.NewInt(0) }},
		"SCOPE_IDENTITY": {Name: "scope_identity", Result: datatype.DecimalOf(38, 0), Eval: func(plan.Env, []value.Value) value.Value { return value.NewDecimal(s.identity.N, 0) }},
		"NEWID":          {Name: "newid", Result: datatype.Of(datatype.UniqueIdentifier), PerRow: true, NotNull: true, Eval: func(plan.Env, []value.Value) value.Value { return value.NewGUID(s.NewGUID()) }},
		"OBJECT_ID":      {Name: "object_id", MinArgs: 1, MaxArgs: 2, Result: datatype.Of(datatype.Int), Eval: func(plan.Env, []value.Value) value.Value { return value.NewInt(1) }},
		"USER_NAME":      {Name: "user_name", MaxArgs: 1, Result: datatype.Sized(datatype.NVarChar, 128), Eval: func(plan.Env, []value.Value) value.Value { return value.NewString("dbo") }},
	}
	return s
}

// declare adds a variable.
func (s *session) declare(name string, t datatype.Type, v value.Value) {
	s.names, s.types, s.vars = append(s.names, name), append(s.types, t), append(s.vars, v)
}

// run executes a batch without control flow and returns the rows of its result sets.
func (s *session) run(sql string) []string {
	s.Helper()
	rows, err := s.try(sql)
	require.NoError(s, err, sql)
	return rows
}

// fails executes a batch that must end with the given error number, and returns the error's text.
func (s *session) fails(number int32, sql string) string {
	s.Helper()
	_, err := s.try(sql)
	require.Error(s, err, sql)
	var e *sqlerr.Error
	require.ErrorAs(s, err, &e, sql)
	require.Equal(s, number, e.Number, e.Text)
	return e.Text
}

func (s *session) try(sql string) (rows []string, err error) {
	s.Helper()
	script, err := parser.Parse(context.Background(), strings.NewReader(sql))
	if err != nil {
		return nil, err
	}
	s.text = sql
	for _, b := range script.Batches {
		for _, st := range b.Statements {
			if err := s.statement(st, &rows); err != nil {
				return rows, err
			}
		}
	}
	return rows, nil
}

func (s *session) statement(st ast.Statement, rows *[]string) error {
	switch x := st.(type) {
	case *ast.BeginTransactionStatement:
		s.tx, s.open = s.ss.Begin(), true
		return nil
	case *ast.CommitTransactionStatement:
		s.tx.Commit()
		s.tx, s.open = nil, false
		return nil
	case *ast.RollbackTransactionStatement:
		s.tx.Rollback()
		s.tx, s.open = nil, false
		return nil
	case *ast.DeclareVariableStatement:
		for _, d := range x.Declarations {
			t, err := s.DataType(d.DataType)
			if err != nil {
				return err
			}
			s.declare(d.VariableName.Value, t, value.Value{})
			if d.Value != nil {
				e, err := plan.CompileExpr(s, d.Value)
				if err != nil {
					return err
				}
				v, err := s.eval(e)
				if err != nil {
					return err
				}
				if s.vars[len(s.vars)-1], err = datatype.Convert(v, e.Type, t, datatype.NoStyle, datatype.Implicit); err != nil {
					return err
				}
			}
		}
		return nil
	case *ast.SetIdentityInsertStatement:
		s.identOn = nil
		if x.IsOn {
			o, err := s.Resolve(x.Table)
			s.identOn = o
			return err
		}
		return nil
	}
	if s.tx == nil {
		s.tx = s.ss.Begin()
	}
	s.tx.NewStatement()
	mark := s.tx.Mark()
	err := s.execute(st, rows)
	if err != nil {
		s.tx.RollbackStatement(mark)
	}
	if !s.open {
		s.tx.Commit()
		s.tx = nil
	}
	return err
}

func (s *session) eval(e *plan.Expr) (value.Value, error) {
	if s.tx == nil {
		s.tx = s.ss.Begin()
		defer func() { s.tx.Commit(); s.tx = nil }()
	}
	return e.Eval(s)
}

func (s *session) execute(st ast.Statement, rows *[]string) error {
	if _, ok := st.(*ast.SelectStatement); !ok {
		if done, err := ddl.Execute(s, st); done {
			return err
		}
	}
	if x, ok := st.(*ast.SetVariableStatement); ok {
		a, err := plan.CompileSetAssign(s, x)
		if err != nil {
			return err
		}
		return a.Run(s)
	}
	p, err := plan.CompileStatement(s, st)
	if err != nil {
		return err
	}
	_, err = p.Run(s, func(r value.Row) error {
		*rows = append(*rows, show(r, p.Columns))
		return nil
	})
	return err
}

// show formats a row as its values' texts.
func show(r value.Row, cols []plan.Column) string {
	var parts []string
	for i, v := range r {
		switch {
		case v.IsNull():
			parts = append(parts, "NULL")
		default:
			t, err := datatype.Convert(v, cols[i].Type, datatype.Sized(datatype.NVarChar, datatype.Max), datatype.NoStyle, datatype.Explicit)
			if err != nil {
				parts = append(parts, v.String())
				continue
			}
			parts = append(parts, t.Str())
		}
	}
	return strings.Join(parts, "|")
}

// access compiles one statement and returns its access paths.
func (s *session) access(sql string) string {
	s.Helper()
	script, err := parser.Parse(context.Background(), strings.NewReader(sql))
	require.NoError(s, err, sql)
	p, err := plan.CompileStatement(s, script.Batches[0].Statements[0])
	require.NoError(s, err, sql)
	return strings.Join(p.Access, "; ")
}

// plan.Scope

func (s *session) Resolve(name *ast.SchemaObjectName) (*catalog.Object, error) {
	base := name.BaseIdentifier.Value
	if o := s.temps[strings.ToLower(base)]; o != nil {
		return o, nil
	}
	schema := "dbo"
	if name.SchemaIdentifier != nil && name.SchemaIdentifier.Value != "" {
		schema = name.SchemaIdentifier.Value
	}
	if o := s.e.db.Object(schema, base); o != nil {
		return o, nil
	}
	return nil, sqlerr.New(208, "Invalid object name '%s'.", base)
}

func (s *session) Variable(name string) (int, datatype.Type, bool) {
	for i, n := range s.names {
		if strings.EqualFold(n, name) && s.tables[i] == nil {
			return i, s.types[i], true
		}
	}
	return 0, datatype.Type{}, false
}

func (s *session) TableVariable(name string) (int, *catalog.Table, bool) {
	for i, n := range s.names {
		if strings.EqualFold(n, name) && s.tables[i] != nil {
			return i, s.tables[i], true
		}
	}
	return 0, nil, false
}

func (s *session) SessionFunction(name string) (*plan.SessionFunc, bool) {
	f, ok := s.functions[name]
	if !ok {
		if t, known := others[name]; known {
			return &plan.SessionFunc{Name: name, MaxArgs: 9, Result: t, Eval: func(plan.Env, []value.Value) value.Value { return value.Value{} }}, true
		}
	}
	return f, ok
}

func (s *session) DataType(ref ast.DataTypeReference) (datatype.Type, error) {
	x, ok := ref.(*ast.SqlDataTypeReference)
	if !ok {
		if u, ok := ref.(*ast.UserDataTypeReference); ok && strings.EqualFold(u.Name.BaseIdentifier.Value, "sysname") {
			return datatype.SysName(), nil
		}
		return datatype.Type{}, sqlerr.NotSupported("type %T", ref)
	}
	var params []int
	for _, p := range x.Parameters {
		switch l := p.(type) {
		case *ast.IntegerLiteral:
			n, _ := strconv.Atoi(l.Value)
			params = append(params, n)
		case *ast.MaxLiteral:
			params = append(params, datatype.Max)
		}
	}
	return datatype.FromName(x.SqlDataTypeOption, params...)
}

func (s *session) Collation() datatype.Collation     { return s.e.db.Collation }
func (s *session) Within(*catalog.Object) plan.Scope { return s }
func (s *session) Settings() plan.Settings {
	return plan.Settings{AnsiNulls: true, QuotedIdentifier: true, AnsiWarnings: true, AnsiPadding: true, ArithAbort: true, ConcatNull: true, Guess: s.guess}
}

// plan.Env

func (s *session) Txn() *store.Txn                   { return s.tx }
func (s *session) Kernel() *kernel.Kernel            { return s.e.k }
func (s *session) Var(slot int) *value.Value         { return &s.vars[slot] }
func (s *session) TableVar(slot int) *catalog.Table  { return s.tables[slot] }
func (s *session) Isolation() plan.Isolation         { return s.level }
func (s *session) VersionedReadCommitted() bool      { return s.e.rcsi }
func (s *session) StatementSnapshot() store.Snapshot { return s.tx.Snapshot() }
func (s *session) TransactionSnapshot() store.Snapshot {
	if s.snapOf != s.tx {
		s.snapOf, s.snap = s.tx, s.tx.Snapshot()
		s.tx.GuardWrites(s.snap)
	}
	return s.snap
}
func (s *session) SystemRows(o *catalog.Object) iter.Seq[value.Row] {
	return func(func(value.Row) bool) {}
}
func (s *session) QueueRows(*catalog.Object) ([]value.Row, error) { return nil, nil }
func (s *session) CallScalar(*catalog.Object, []value.Value) (value.Value, error) {
	return value.NewInt(42), nil
}
func (s *session) NextIdentity(t *catalog.Table) (value.Value, error) {
	return value.NewInt(t.Columns[t.Identity].Identity.Next()), nil
}
func (s *session) SawIdentity(t *catalog.Table, v value.Value) {
	t.Columns[t.Identity].Identity.Saw(v.N)
}
func (s *session) SetScopeIdentity(v value.Value) { s.identity = v }
func (s *session) IdentityInsert(o *catalog.Object) bool {
	return s.identOn != nil && s.identOn.ID == o.ID
}
func (s *session) NextValue(*catalog.Object) (value.Value, error) {
	return value.Value{}, nil
}
func (s *session) CreateTable(name *ast.SchemaObjectName, cols []catalog.Column) (*catalog.Object, error) {
	t := &catalog.Table{Columns: cols, Identity: -1, Temp: true, Data: s.e.st.NewTable(store.TableSpec{Name: name.BaseIdentifier.Value})}
	for i := range cols {
		if cols[i].Identity != nil {
			t.Identity = i
		}
	}
	o := &catalog.Object{ID: -1, DB: s.e.db, Schema: "dbo", Name: name.BaseIdentifier.Value, Kind: catalog.UserTable, Def: t}
	s.temps[strings.ToLower(o.Name)] = o
	return o, nil
}
func (s *session) Warn(e *sqlerr.Error) { s.warnings = append(s.warnings, e) }
func (s *session) RowCount() int64      { return 0 }

func (s *session) LeftOpen(_, _ *catalog.Object, _ plan.Open) {}

// ddl.Session

func (s *session) Server() *catalog.Server     { return s.e.server }
func (s *session) Database() *catalog.Database { return s.e.db }
func (s *session) TokenIn(db *catalog.Database) (catalog.Token, error) {
	return catalog.Token{Database: db, User: 1, Name: "dbo", Dbo: true, Login: 1, Sysadmin: true, Roles: []int32{1}}, nil
}
func (s *session) LoginID() int32               { return 1 }
func (s *session) DefaultSchema() string        { return "dbo" }
func (s *session) StoreSession() *store.Session { return s.ss }
func (s *session) InTransaction() bool          { return s.open }
func (s *session) Now() time.Time               { return s.e.k.Now() }
func (s *session) NewGUID() (g [16]byte) {
	s.guid++
	binary.BigEndian.PutUint64(g[8:], s.guid)
	return g
}
func (s *session) Text() string { return s.text }
func (s *session) Setting() ddl.Setting {
	return ddl.Setting{AnsiNulls: true, QuotedIdentifier: true, AnsiNullDefault: true, AnsiWarnings: true, AnsiPadding: true, ArithAbort: true, ConcatNull: true}
}
func (s *session) Temp(name string) *catalog.Object  { return s.temps[strings.ToLower(name)] }
func (s *session) PutTemp(o *catalog.Object)         { s.temps[strings.ToLower(o.Name)] = o }
func (s *session) RemoveTemp(o *catalog.Object)      { delete(s.temps, strings.ToLower(o.Name)) }
func (s *session) KillUsers(*catalog.Database) error { return nil }
func (s *session) Users(*catalog.Database) int       { return 0 }
func (s *session) Leave(*catalog.Database)           {}
func (s *session) Info(e *sqlerr.Error)              { s.warnings = append(s.warnings, e) }
func (s *session) CheckModule(*catalog.Object) error { return nil }

func (s *session) CompileCheck(t *catalog.Table, e ast.BooleanExpression) (func(value.Row) value.Value, error) {
	f, err := plan.CompileRowPredicate(s, t, e)
	return func(r value.Row) value.Value { return f(s, r) }, err
}

func (s *session) CompileFilter(t *catalog.Table, e ast.BooleanExpression) (func(value.Row) bool, error) {
	f, err := plan.CompileRowPredicate(s, t, e)
	return func(r value.Row) bool { return f(nil, r).IsTrue() }, err
}

func (s *session) CompileDefault(e ast.ScalarExpression) (datatype.Type, func() (value.Value, error), error) {
	c, err := plan.CompileExpr(s, e)
	if err != nil {
		return datatype.Type{}, nil, err
	}
	return c.Type, func() (value.Value, error) { return c.Eval(s) }, nil
}

func (s *session) BindSelect(sel *ast.SelectStatement, params []catalog.Param) ([]catalog.Column, error) {
	names := s.names
	for _, p := range params {
		s.declare(p.Name, p.Type, value.Value{})
	}
	q, err := plan.CompileCursor(s, sel)
	s.names, s.types, s.vars = names, s.types[:len(names)], s.vars[:len(names)]
	if err != nil {
		return nil, err
	}
	var out []catalog.Column
	for i, c := range q.Columns {
		out = append(out, catalog.Column{ID: int32(i + 1), Name: c.Name, Type: c.Type, Nullable: c.Nullable})
	}
	return out, nil
}

// tableVariable declares a table variable with the definition of a table that is dropped again.
func (s *session) tableVariable(name, columns string) {
	s.run("CREATE TABLE #" + name[1:] + " (" + columns + ")")
	o := s.temps["#"+strings.ToLower(name[1:])]
	s.declare(name, datatype.Type{ID: datatype.Table}, value.Value{})
	t := *o.Table()
	t.Temp = true
	s.tables[len(s.names)-1] = &t
	s.RemoveTemp(o)
}

// declareAs declares a variable or parameter of any type, a table type among them.
func (s *session) declareAs(name string, ref ast.DataTypeReference) error {
	system, ok := ref.(*ast.SqlDataTypeReference)
	if !ok || system.SqlDataTypeOption == "" && system.Name != nil {
		if _, table, err := ddl.TypeOf(s, ref); err == nil && table != nil {
			s.declare(name, datatype.Type{ID: datatype.Table}, value.Value{})
			s.tables[len(s.names)-1] = table.Table()
			return nil
		}
	}
	t, err := s.DataType(ref)
	s.declare(name, t, value.Value{})
	return err
}

func (s *session) declareTable(x *ast.DeclareTableVariableStatement) error {
	name := x.Body.VariableName.Value
	create := &ast.CreateTableStatement{
		SchemaObjectName: &ast.SchemaObjectName{Count: 1, BaseIdentifier: &ast.Identifier{Value: "#" + name[1:]}, Identifiers: []*ast.Identifier{{Value: "#" + name[1:]}}},
		Definition:       x.Body.Definition,
	}
	var rows []string
	if err := s.statement(create, &rows); err != nil {
		return err
	}
	o := s.temps["#"+strings.ToLower(name[1:])]
	s.declare(name, datatype.Type{ID: datatype.Table}, value.Value{})
	s.tables[len(s.names)-1] = o.Table()
	s.RemoveTemp(o)
	return nil
}

// others are functions of the session that are only compiled here.
var others = func() map[string]datatype.Type {
	m := map[string]datatype.Type{}
	for _, n := range strings.Fields("DB_ID IS_ROLEMEMBER DATABASE_PRINCIPAL_ID SCHEMA_ID XACT_STATE ERROR_NUMBER ERROR_LINE ERROR_SEVERITY ERROR_STATE @@FETCH_STATUS @@TRANCOUNT @@ERROR @@NESTLEVEL APPLOCK_TEST IS_MEMBER HAS_PERMS_BY_NAME USER_ID TYPE_ID IS_SRVROLEMEMBER CURSOR_STATUS @@PROCID OBJECTPROPERTY @@MAX_PRECISION @@OPTIONS @@LOCK_TIMEOUT PERMISSIONS IDENT_CURRENT SESSIONPROPERTY") {
		m[n] = datatype.Of(datatype.Int)
	}
	for _, n := range strings.Fields("ERROR_MESSAGE ERROR_PROCEDURE DB_NAME APPLOCK_MODE ORIGINAL_LOGIN SUSER_SNAME SUSER_NAME SCHEMA_NAME OBJECT_NAME OBJECT_SCHEMA_NAME @@VERSION @@SERVERNAME APP_NAME HOST_NAME @@LANGUAGE SESSION_USER CURRENT_USER SYSTEM_USER USER OBJECT_DEFINITION") {
		m[n] = datatype.Sized(datatype.NVarChar, 128)
	}
	for _, n := range strings.Fields("SERVERPROPERTY DATABASEPROPERTYEX SESSION_CONTEXT CONNECTIONPROPERTY") {
		m[n] = datatype.Of(datatype.SQLVariant)
	}
	m["CURRENT_TRANSACTION_ID"] = datatype.Of(datatype.BigInt)
	m["CONTEXT_INFO"] = datatype.Sized(datatype.VarBinary, 128)
	m["SUSER_SID"] = datatype.Sized(datatype.VarBinary, 85)
	m["USER_SID"] = datatype.Sized(datatype.VarBinary, 85)
	m["CURRENT_TIMESTAMP"] = datatype.Of(datatype.DateTime)
	m["GETUTCDATE"] = datatype.Of(datatype.DateTime)
	m["SYSDATETIME"] = datatype.Of(datatype.DateTime2)
	m["SYSDATETIMEOFFSET"] = datatype.Of(datatype.DateTimeOffset)
	return m
}()
