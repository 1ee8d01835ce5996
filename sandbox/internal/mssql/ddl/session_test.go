package ddl_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sqlc-dev/teesql/ast"
	"github.com/sqlc-dev/teesql/parser"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/broker"
	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/ddl"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// session is as much of a session as DDL needs; expressions are evaluated as far as the tests use them.
type session struct {
	t      *testing.T
	srv    *catalog.Server
	db     *catalog.Database
	login  *catalog.Login
	user   int32 // impersonated; 0: none
	ss     *store.Session
	tx     *store.Txn
	inTx   bool
	text   string
	temps  map[string]*catalog.Object
	infos  []string
	others int
	killed bool
	guids  byte
	set    ddl.Setting
}

func newSession(t *testing.T) *session {
	t.Helper()
	k := kernel.New(kernel.Options{})
	st := store.New(k, store.Options{})
	srv := catalog.NewServer("TEST", 16, datatype.CIAS, broker.New(k, st, broker.Options{}), k.Now())
	db := srv.CreateDatabase("Shop", datatype.CIAS, catalog.SaLogin, k.Now())
	return &session{
		t: t, srv: srv, db: db, login: srv.LoginByName("sa"), ss: st.NewSession(nil), temps: map[string]*catalog.Object{},
		set: ddl.Setting{AnsiNulls: true, QuotedIdentifier: true, AnsiNullDefault: true, AnsiWarnings: true, AnsiPadding: true, ArithAbort: true, ConcatNull: true},
	}
}

// as returns a session of the same server that impersonates a user.
func (s *session) as(name string) *session {
	c := *s
	c.user, c.login = s.db.PrincipalByName(name).ID, nil
	c.ss = s.ss.Store().NewSession(nil)
	return &c
}

// exec runs a batch, each statement in a transaction of its own unless one is open.
func (s *session) exec(sql string) error {
	s.t.Helper()
	script, err := parser.Parse(context.Background(), strings.NewReader(sql))
	require.NoError(s.t, err, sql)
	for _, b := range script.Batches {
		for _, st := range b.Statements {
			if err := s.statement(sql, st); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *session) statement(sql string, st ast.Statement) error {
	s.text = sql
	own := s.tx == nil
	if own {
		s.tx = s.ss.Begin()
	}
	s.tx.NewStatement()
	mark := s.tx.Mark()
	known, err := ddl.Execute(s, st)
	require.True(s.t, known, "%T", st)
	switch {
	case err != nil && !own:
		s.tx.RollbackTo(mark)
	case err != nil:
		s.tx.Rollback()
	case own:
		s.tx.Commit()
	}
	if own {
		s.tx = nil
	}
	return err
}

func (s *session) must(sql string) {
	s.t.Helper()
	require.NoError(s.t, s.exec(sql), sql)
}

// fails requires an error with a number and text: the last one of a chain.
func (s *session) fails(sql, want string) {
	s.t.Helper()
	err := s.exec(sql)
	require.Error(s.t, err, sql)
	if c, ok := errors.AsType[*ddl.Chain](err); ok {
		require.Contains(s.t, c.Error(), want, sql)
		return
	}
	require.Contains(s.t, err.Error(), want, sql)
}

func (s *session) begin() { s.tx, s.inTx = s.ss.Begin(), true }

func (s *session) rollback() {
	s.tx.Rollback()
	s.tx, s.inTx = nil, false
}

func (s *session) table(name string) *catalog.Table {
	s.t.Helper()
	o := s.db.Object("dbo", name)
	require.NotNil(s.t, o, name)
	return o.Table()
}

// insert adds a row to a table as an INSERT would, without conversions.
func (s *session) insert(name string, cells ...any) {
	s.t.Helper()
	tx := s.ss.Begin()
	tx.NewStatement()
	_, err := tx.Insert(s.table(name).Data, rowOf(cells...))
	require.NoError(s.t, err)
	tx.Commit()
}

func rowOf(cells ...any) value.Row {
	row := make(value.Row, len(cells))
	for i, c := range cells {
		switch x := c.(type) {
		case int:
			row[i] = value.NewInt(int64(x))
		case string:
			row[i] = value.NewString(x)
		}
	}
	return row
}

func (s *session) rows(name string) []value.Row {
	s.t.Helper()
	tx := s.ss.Begin()
	defer tx.Rollback()
	tx.NewStatement()
	c := tx.Open(s.table(name).Data, store.Access{Mode: store.Dirty})
	defer c.Close()
	var out []value.Row
	for {
		_, r, ok, err := c.Next()
		require.NoError(s.t, err)
		if !ok {
			return out
		}
		out = append(out, r)
	}
}

func (s *session) Server() *catalog.Server      { return s.srv }
func (s *session) Database() *catalog.Database  { return s.db }
func (s *session) DefaultSchema() string        { return "dbo" }
func (s *session) Txn() *store.Txn              { return s.tx }
func (s *session) StoreSession() *store.Session { return s.ss }
func (s *session) InTransaction() bool          { return s.inTx }
func (s *session) Now() time.Time               { return kernel.Epoch }
func (s *session) Text() string                 { return s.text }
func (s *session) Setting() ddl.Setting         { return s.set }

func (s *session) TokenIn(db *catalog.Database) (catalog.Token, error) {
	if s.user != 0 {
		return db.UserToken(s.user), nil
	}
	tok, ok := db.LoginToken(s.login)
	if !ok {
		return tok, catalog.NoAccess(s.login.Name, db.Name)
	}
	return tok, nil
}

func (s *session) LoginID() int32 {
	if s.login == nil {
		return 0
	}
	return s.login.ID
}

func (s *session) NewGUID() (g [16]byte) {
	s.guids++
	g[0] = s.guids
	return g
}

func (s *session) Temp(name string) *catalog.Object  { return s.temps[strings.ToLower(name)] }
func (s *session) PutTemp(o *catalog.Object)         { s.temps[strings.ToLower(o.Name)] = o }
func (s *session) RemoveTemp(o *catalog.Object)      { delete(s.temps, strings.ToLower(o.Name)) }
func (s *session) KillUsers(*catalog.Database) error { s.killed = true; return nil }
func (s *session) Users(*catalog.Database) int       { return s.others }
func (s *session) Leave(*catalog.Database)           {}
func (s *session) Info(e *sqlerr.Error)              { s.infos = append(s.infos, e.Text) }
func (s *session) CheckModule(*catalog.Object) error { return nil }

// CompileCheck supports "column > literal" and nothing else; other conditions are true.
func (s *session) CompileCheck(t *catalog.Table, e ast.BooleanExpression) (func(value.Row) value.Value, error) {
	c, ok := e.(*ast.BooleanComparisonExpression)
	if !ok || c.ComparisonType != "GreaterThan" {
		return func(value.Row) value.Value { return value.NewBool(true) }, nil
	}
	ids := c.FirstExpression.(*ast.ColumnReferenceExpression).MultiPartIdentifier.Identifiers
	i := t.Column(s.db.Collation, ids[len(ids)-1].Value)
	n, err := strconv.Atoi(c.SecondExpression.(*ast.IntegerLiteral).Value)
	return func(r value.Row) value.Value {
		if r[i].IsNull() {
			return value.Value{}
		}
		return value.NewBool(r[i].Int64() > int64(n))
	}, err
}

func (s *session) CompileFilter(t *catalog.Table, e ast.BooleanExpression) (func(value.Row) bool, error) {
	check, err := s.CompileCheck(t, e)
	return func(r value.Row) bool { return check(r).IsTrue() }, err
}

func (s *session) CompileDefault(e ast.ScalarExpression) (datatype.Type, func() (value.Value, error), error) {
	switch n := e.(type) {
	case *ast.ParenthesisExpression:
		return s.CompileDefault(n.Expression)
	case *ast.IntegerLiteral:
		v, err := strconv.Atoi(n.Value)
		return datatype.Of(datatype.Int), func() (value.Value, error) { return value.NewInt(int64(v)), nil }, err
	case *ast.StringLiteral:
		return datatype.Sized(datatype.VarChar, max(1, len(n.Value))), func() (value.Value, error) { return value.NewString(n.Value), nil }, nil
	}
	return datatype.Of(datatype.DateTime), func() (value.Value, error) { return catalog.DateTime(kernel.Epoch), nil }, nil
}

func (s *session) BindSelect(*ast.SelectStatement, []catalog.Param) ([]catalog.Column, error) {
	return []catalog.Column{{ID: 1, Name: "a", Type: datatype.Of(datatype.Int)}}, nil
}
