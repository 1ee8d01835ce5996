package mssql

import (
	"slices"
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/security"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// systemProcedure is a procedure of the engine.
type systemProcedure struct {
	name   string
	unit   string // shown as the unit of its errors, if not the caller's
	params []catalog.Param
	run    func(s *Session, f *frame, c procedureCall) (int64, error)
	raw    func(s *Session, f *frame, args []*argument) (int64, error) // binds its arguments itself
}

// procedureCall is the bound arguments of a system procedure.
type procedureCall struct {
	params []catalog.Param
	vals   []value.Value
	args   []*argument
}

func (c procedureCall) index(name string) int {
	return slices.IndexFunc(c.params, func(p catalog.Param) bool { return p.Name == name })
}

func (c procedureCall) value(name string) value.Value { return c.vals[c.index(name)] }
func (c procedureCall) text(name string) string       { return textOf(c.value(name)) }
func (c procedureCall) int(name string) int64         { return c.value(name).Int64() }
func (c procedureCall) isNull(name string) bool       { return c.value(name).IsNull() }

// param declares a parameter of a system procedure; a nil default makes it required.
func param(name string, t datatype.Type, def ast.ScalarExpression) catalog.Param {
	return catalog.Param{Name: name, Type: t, HasDefault: def != nil, Default: def}
}

func null() ast.ScalarExpression { return &ast.NullLiteral{Value: "NULL"} }

func num(n string) ast.ScalarExpression { return &ast.IntegerLiteral{LiteralType: "Integer", Value: n} }

func text(s string) ast.ScalarExpression { return &ast.StringLiteral{Value: s} }

func systemProcedures() map[string]*systemProcedure {
	name, flag, integer := nvarchar(255), datatype.Type{ID: datatype.Bit}, datatype.Type{ID: datatype.Int}
	list := []*systemProcedure{
		{name: "sp_executesql", raw: (*Session).executeSQL},
		{name: "sp_prepare", raw: (*Session).spPrepare},
		{name: "sp_prepexec", raw: (*Session).spPrepExec},
		{name: "sp_execute", raw: (*Session).spExecute},
		{name: "sp_unprepare", raw: (*Session).spUnprepare},
		{name: "sp_getapplock", unit: "xp_userlock", run: (*Session).getAppLock, params: []catalog.Param{
			param("@Resource", name, nil), param("@LockMode", nvarchar(32), nil), param("@LockOwner", nvarchar(32), text("Transaction")),
			param("@LockTimeout", integer, null()), param("@DbPrincipal", nvarchar(128), text("public")),
		}},
		{name: "sp_releaseapplock", unit: "xp_userlock", run: (*Session).releaseAppLock, params: []catalog.Param{
			param("@Resource", name, nil), param("@LockOwner", nvarchar(32), text("Transaction")), param("@DbPrincipal", nvarchar(128), text("public")),
		}},
		{name: "sp_set_session_context", run: (*Session).setSessionContext, params: []catalog.Param{
			param("@key", nvarchar(128), nil), param("@value", datatype.Type{ID: datatype.SQLVariant}, nil), param("@read_only", flag, null()),
		}},
		{name: "sp_cursor_list", run: (*Session).cursorList, params: []catalog.Param{
			{Name: "@cursor_return", Type: datatype.Type{ID: datatype.Cursor}, Output: true}, param("@cursor_scope", integer, nil),
		}},
		{name: "sp_setapprole", run: (*Session).setAppRole, params: []catalog.Param{param("@rolename", nvarchar(128), nil), param("@password", nvarchar(128), nil)}},
		{name: "sp_updatestats", unit: "sp_updatestats", run: (*Session).updateStats, params: []catalog.Param{param("@resample", datatype.Type{ID: datatype.Char, Len: 8}, text("NO"))}},
		{name: "sp_reset_connection", run: func(s *Session, _ *frame, _ procedureCall) (int64, error) {
			s.resetConnection(false)
			return 0, nil
		}},
	}
	out := make(map[string]*systemProcedure, len(list))
	for _, p := range append(list, writtenProcedures()...) {
		out[p.name] = p
	}
	return out
}

// callSystem binds and runs a system procedure.
func (s *Session) callSystem(f *frame, sp *systemProcedure, args []*argument) (int64, error) {
	if sp.raw != nil {
		return sp.raw(s, f, args)
	}
	u := &unit{Code: newCode(nil)}
	for _, p := range sp.params {
		p.Type.Coll = s.collation()
		if err := u.declare(variable{name: p.Name, t: p.Type}); err != nil {
			return 0, err
		}
	}
	nf := s.newFrame(u)
	s.bind(nf, sp.params, args, sp.name)
	var status int64
	err := query.Catch(func() (err error) {
		status, err = sp.run(s, f, procedureCall{sp.params, nf.vars, args})
		return err
	})
	if err == nil {
		s.collect(nf, sp.params, args)
		return status, nil
	}
	if status == 0 {
		return 0, err
	}
	// It reports an error and returns its status all the same, unless somebody catches the error.
	r := s.asRaised(f, err)
	if sp.unit != "" && !r.Uncaught {
		e := *r.sqlError
		e.Unit, e.Line = sp.unit, 1
		r = &raised{sqlError: &e, frame: f, user: r.user}
	}
	return status, s.fail(f, r)
}

// executeSQL is sp_executesql: statement, declarations of parameters, values.
func (s *Session) executeSQL(_ *frame, args []*argument) (int64, error) {
	if len(args) == 0 {
		return 0, message.MS(201, "sp_executesql", "@statement").At(16, 4)
	}
	stmt := args[0]
	if t := stmt.t.ID; t != datatype.NVarChar && t != datatype.NChar && t != datatype.Untyped {
		return 0, message.MS(214, "@statement", "ntext/nchar/nvarchar").At(16, 2)
	}
	var params []catalog.Param
	declared := ""
	var rest []*argument
	if len(args) > 1 {
		if t := args[1].t.ID; t != datatype.NVarChar && t != datatype.NChar && t != datatype.Untyped {
			return 0, message.MS(214, "@parameters", "ntext/nchar/nvarchar").At(16, 3)
		}
		declared = textOf(args[1].v)
		params = s.parseParams(declared)
		rest = args[2:]
	}
	if err := s.dynamic("Prepared", textOf(stmt.v), params, declared, rest); err != nil {
		return 0, err
	}
	return int64(s.lastError), nil
}

// parseParams reads the declarations of sp_executesql by parsing them as those of a procedure.
func (s *Session) parseParams(text string) []catalog.Param {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	if p, ok := s.srv.declarations[text]; ok {
		return p
	}
	statements := query.Must(s.srv.parse("CREATE PROCEDURE p " + text + " AS RETURN"))
	create, ok := statements[0].(*ast.CreateProcedureStatement)
	if !ok || len(statements) != 1 {
		panic(message.MS(102, text).Ending(sqlerr.Batch))
	}
	var out []catalog.Param
	cacheable := true
	for _, d := range create.Parameters {
		v := query.Must(s.typeOf(s.db, d.DataType))
		cacheable = cacheable && v.kind == nil
		out = append(out, catalog.Param{
			Name: d.VariableName.Value, Type: v.t, TableType: v.kind,
			Output: strings.EqualFold(d.Modifier, "Output"), HasDefault: d.Value != nil, Default: d.Value,
		})
	}
	if cacheable {
		s.srv.declarations[text] = out
	}
	return out
}

// setSessionContext is sp_set_session_context.
func (s *Session) setSessionContext(_ *frame, c procedureCall) (int64, error) {
	key := c.text("@key")
	if key == "" {
		return 1, message.MS(15665, key)
	}
	if old, ok := s.context[key]; ok && old.readOnly {
		return 1, message.MS(15664, key)
	}
	s.context[key] = contextValue{c.value("@value"), c.value("@read_only").N == 1}
	if c.isNull("@value") && !s.context[key].readOnly {
		delete(s.context, key)
	}
	return 0, nil
}

// setAppRole is sp_setapprole, without its cookie: the session is the role until it ends.
func (s *Session) setAppRole(f *frame, c procedureCall) (int64, error) {
	p := s.db.PrincipalByName(c.text("@rolename"))
	if p == nil || p.Kind != catalog.ApplicationRole || p.Password != c.text("@password") || f.module() != nil || s.tran.Count > 0 {
		return 1, sqlerr.NotSupported("an sp_setapprole that is refused")
	}
	s.who.Push(security.Context{Home: s.db, Token: s.db.UserToken(p.ID)})
	return 0, nil
}
