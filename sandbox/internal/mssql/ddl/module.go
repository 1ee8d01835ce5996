package ddl

import (
	"slices"
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// programmable executes statements about views, modules and types.
func (x *run) programmable(st ast.Statement) bool {
	switch n := st.(type) {
	case *ast.CreateProcedureStatement:
		x.procedure(n, create, n.ProcedureReference, n.Parameters, n.Options, n.StatementList, n.IsForReplication || n.MethodSpecifier != nil)
	case *ast.AlterProcedureStatement:
		x.procedure(n, alter, n.ProcedureReference, n.Parameters, n.Options, n.StatementList, n.IsForReplication)
	case *ast.CreateOrAlterProcedureStatement:
		x.procedure(n, createOrAlter, n.ProcedureReference, n.Parameters, n.Options, n.StatementList, n.IsForReplication || n.MethodSpecifier != nil)
	case *ast.CreateFunctionStatement:
		x.function(n, create, n.Name, n.Parameters, n.ReturnType, n.Options, n.StatementList)
	case *ast.AlterFunctionStatement:
		x.function(n, alter, n.Name, n.Parameters, n.ReturnType, n.Options, n.StatementList)
	case *ast.CreateOrAlterFunctionStatement:
		x.function(n, createOrAlter, n.Name, n.Parameters, n.ReturnType, n.Options, n.StatementList)
	case *ast.CreateViewStatement:
		x.view(n, create, view{n.SchemaObjectName, n.Columns, n.SelectStatement, n.WithCheckOption, n.ViewOptions, n.IsMaterialized})
	case *ast.AlterViewStatement:
		x.view(n, alter, view{n.SchemaObjectName, n.Columns, n.SelectStatement, n.WithCheckOption, n.ViewOptions, n.IsMaterialized || n.IsRebuild || n.IsDisable})
	case *ast.CreateOrAlterViewStatement:
		x.view(n, createOrAlter, view{n.SchemaObjectName, n.Columns, n.SelectStatement, n.WithCheckOption, n.ViewOptions, n.IsMaterialized})
	case *ast.DropProcedureStatement:
		x.dropModules("procedure", "DROP PROCEDURE", n.Objects, n.IsIfExists, func(k catalog.Kind) bool { return k == catalog.Procedure })
	case *ast.DropFunctionStatement:
		x.dropModules("function", "DROP FUNCTION", n.Objects, n.IsIfExists, catalog.Kind.IsFunction)
	case *ast.DropViewStatement:
		x.dropModules("view", "DROP VIEW", n.Objects, n.IsIfExists, func(k catalog.Kind) bool { return k == catalog.View })
	default:
		return x.types(st)
	}
	return true
}

// how says which of CREATE, ALTER and CREATE OR ALTER a statement is.
type how uint8

const (
	create how = iota
	alter
	createOrAlter
)

// moduleText returns the text of the batch as the catalog keeps it: CREATE replaces ALTER,
// and OR ALTER is removed, but not the white space around it.
func moduleText(text string, f *ast.Fragment, h how) string {
	if h == create {
		return text
	}
	if f.StartOffset < 0 || f.StartOffset > charset.Len16(text) {
		return text
	}
	head := charset.Sub16(text, 0, f.StartOffset)
	rest := text[len(head):]
	if h == alter {
		return head + "CREATE" + rest[len("ALTER"):]
	}
	at := 0
	for _, word := range []string{"CREATE", "OR", "ALTER"} {
		at = nextWord(rest, at)
		if !strings.HasPrefix(strings.ToUpper(rest[at:]), word) {
			return text
		}
		if word == "CREATE" {
			at += len(word)
			continue
		}
		rest = rest[:at] + rest[at+len(word):]
	}
	return head + rest
}

// nextWord skips white space and comments.
func nextWord(s string, at int) int {
	for at < len(s) {
		switch {
		case strings.ContainsRune(" \t\r\n", rune(s[at])):
			at++
		case strings.HasPrefix(s[at:], "--"):
			end := strings.IndexByte(s[at:], '\n')
			if end < 0 {
				return len(s)
			}
			at += end + 1
		case strings.HasPrefix(s[at:], "/*"):
			end := strings.Index(s[at:], "*/")
			if end < 0 {
				return len(s)
			}
			at += end + 2
		default:
			return at
		}
	}
	return at
}

// place finds where a module goes: the existing object to replace, or the schema to create it in.
func (x *run) place(n *ast.SchemaObjectName, h how, verb, permission string, fits func(catalog.Kind) bool) (*catalog.Object, *catalog.Schema) {
	if n.DatabaseIdentifier != nil || n.ServerIdentifier != nil {
		panic(message.MS(166, "CREATE/ALTER "+verb))
	}
	if strings.HasPrefix(base(n), "#") {
		panic(sqlerr.NotSupported("temporary %s %s", strings.ToLower(verb), base(n)))
	}
	if h != create {
		o := query.Must(x.claim(x.inDefault(n)))
		if o != nil && o.DB != nil {
			switch {
			case !fits(o.Kind):
				panic(message.MS(2010, Written(n)))
			case !x.mayAlter(o):
				panic(message.MS(3704, strings.ToLower(verb), base(n)))
			}
			return o, nil
		}
		if h == alter {
			panic(catalog.NoSuchObject(Written(n)).At(16, 6))
		}
	}
	sch := x.target(n, permission)
	query.Check(x.vacant(sch, base(n), 3))
	return nil, sch
}

// inDefault gives a name without schema the default schema: ALTER does not also look in dbo.
func (x *run) inDefault(n *ast.SchemaObjectName) *ast.SchemaObjectName {
	if schemaOf(n) != "" {
		return n
	}
	c := *n
	c.SchemaIdentifier = &ast.Identifier{Value: x.defaultSchema()}
	return &c
}

// module adds a module to the catalog, or replaces old if there is one.
func (x *run) module(old *catalog.Object, sch *catalog.Schema, name string, kind catalog.Kind, m *catalog.Module) *catalog.Object {
	if old != nil {
		return x.replace(old, m)
	}
	o := &catalog.Object{SchemaID: sch.ID, Name: name, Kind: kind, Def: m}
	x.add(o)
	return o
}

// start builds what all modules have in common.
func (x *run) start(st ast.Statement, f *ast.Fragment, h how) *catalog.Module {
	set := x.Setting()
	return &catalog.Module{Text: moduleText(x.Text(), f, h), Statement: st, AnsiNulls: set.AnsiNulls, QuotedIdentifier: set.QuotedIdentifier}
}

func (x *run) procedure(st ast.Statement, h how, ref *ast.ProcedureReference, params []*ast.ProcedureParameter, opts []ast.ProcedureOptionBase, body *ast.StatementList, refuse bool) {
	if refuse || ref.Number != nil {
		panic(sqlerr.NotSupported("procedures FOR REPLICATION, numbered or in an assembly"))
	}
	old, sch := x.place(ref.Name, h, "PROCEDURE", "CREATE PROCEDURE", func(k catalog.Kind) bool { return k == catalog.Procedure })
	m := x.start(st, fragment(st), h)
	m.Body = body
	m.Params = x.params(params, true)
	for _, o := range opts {
		switch n := o.(type) {
		case *ast.ExecuteAsProcedureOption:
			x.executeAs(m, n.ExecuteAs)
		case *ast.ProcedureOption:
			if n.OptionKind != "Recompile" {
				panic(sqlerr.NotSupported("procedure option %s", n.OptionKind))
			}
			m.Recompile = true
		default:
			panic(sqlerr.NotSupported("procedure option %T", o))
		}
	}
	o := x.module(old, sch, base(ref.Name), catalog.Procedure, m)
	query.Check(x.CheckModule(o))
}

func fragment(n any) *ast.Fragment {
	if f, ok := n.(interface{ Frag() *ast.Fragment }); ok {
		return f.Frag()
	}
	return &ast.Fragment{StartOffset: -1}
}

// executeAs resolves an EXECUTE AS clause. SELF is the user who creates the module.
func (x *run) executeAs(m *catalog.Module, c *ast.ExecuteAsClause) {
	switch c.ExecuteAsOption {
	case "Caller":
	case "Owner":
		m.ExecuteAs = catalog.AsOwner
	case "Self":
		m.ExecuteAs, m.ExecuteAsUser = catalog.AsUser, x.user()
	case "String":
		id := x.impersonable(strings.ReplaceAll(c.Literal.Value, "''", "'"))
		m.ExecuteAs, m.ExecuteAsUser = catalog.AsUser, id
	default:
		panic(sqlerr.NotSupported("EXECUTE AS %s", c.ExecuteAsOption))
	}
}

// impersonable finds a user that the session may name in EXECUTE AS.
func (x *run) impersonable(name string) int32 {
	p := x.db.PrincipalByName(name)
	if p == nil || p.Kind != catalog.SQLUser || p.ID == catalog.SysUser || p.ID == catalog.InformationUser ||
		p.ID != x.user() && !x.may("IMPERSONATE", catalog.OnPrincipal(p)) {
		panic(catalog.Cannot("execute as", "user", name))
	}
	return p.ID
}

// params resolves the parameters of a procedure or function.
func (x *run) params(list []*ast.ProcedureParameter, procedure bool) []catalog.Param {
	var out []catalog.Param
	for i, p := range list {
		name := p.VariableName.Value
		if slices.ContainsFunc(out, func(o catalog.Param) bool { return catalog.SameName(x.db.Collation, o.Name, name) }) {
			panic(message.MS(134, name).At(15, 2))
		}
		d := query.Must(x.typeOf(p.DataType, i+1))
		q := catalog.Param{Name: name, Type: d.t, UserType: d.user, TableType: d.table, Output: p.Modifier == "Output", ReadOnly: p.Modifier == "ReadOnly", Varying: p.IsVarying}
		switch {
		case d.table != nil && !q.ReadOnly:
			panic(message.MS(352, name))
		case d.table == nil && q.ReadOnly:
			panic(message.MS(346, name))
		case d.t.ID == datatype.Cursor && (!procedure || !q.Output || !q.Varying):
			panic(message.MS(155, "CURSOR", "parameter"))
		}
		if p.Nullable != nil {
			panic(sqlerr.NotSupported("parameter %s with NULL or NOT NULL", name))
		}
		if p.Value != nil {
			q.HasDefault, q.Default = true, p.Value
		}
		out = append(out, q)
	}
	return out
}

func (x *run) function(st ast.Statement, h how, name *ast.SchemaObjectName, params []*ast.ProcedureParameter, ret ast.FunctionReturnType, opts []ast.FunctionOptionBase, body *ast.StatementList) {
	kind := catalog.ScalarFunction
	if _, inline := ret.(*ast.SelectFunctionReturnType); inline {
		kind = catalog.InlineFunction
	}
	old, sch := x.place(name, h, "FUNCTION", "CREATE FUNCTION", func(k catalog.Kind) bool { return k == kind })
	m := x.start(st, fragment(st), h)
	m.Params = x.params(params, false)
	if len(opts) > 0 {
		panic(sqlerr.NotSupported("options of a function"))
	}
	switch r := ret.(type) {
	case *ast.ScalarFunctionReturnType:
		d := query.Must(x.typeOf(r.DataType, len(params)+1))
		if d.table != nil || d.t.ID == datatype.Cursor {
			panic(message.MS(2715, len(params)+1, d.t).At(16, 6))
		}
		m.Returns, m.ReturnUserType, m.Body = d.t, d.user, body
	case *ast.SelectFunctionReturnType:
		m.Select = r.SelectStatement
		m.Columns = query.Must(x.BindSelect(m.Select, m.Params))
		x.checkColumns(m.Columns, base(name))
	default:
		panic(sqlerr.NotSupported("functions that return a table variable"))
	}
	if m.Body != nil && !endsInReturn(m.Body) {
		panic(message.MS(455).At(16, 2))
	}
	o := x.module(old, sch, base(name), kind, m)
	query.Check(x.CheckModule(o))
}

// endsInReturn reports whether the last statement of a function's body is RETURN.
func endsInReturn(l *ast.StatementList) bool {
	if l == nil || len(l.Statements) == 0 {
		return false
	}
	switch n := l.Statements[len(l.Statements)-1].(type) {
	case *ast.ReturnStatement:
		return true
	case *ast.BeginEndBlockStatement:
		return endsInReturn(n.StatementList)
	}
	return false
}

// view is what the three statements about views have in common.
type view struct {
	name    *ast.SchemaObjectName
	columns []*ast.Identifier
	sel     *ast.SelectStatement
	check   bool
	options []ast.ViewOption
	refuse  bool
}

func (x *run) view(st ast.Statement, h how, v view) {
	if v.refuse {
		panic(sqlerr.NotSupported("materialized views"))
	}
	if v.check || len(v.options) > 0 {
		panic(sqlerr.NotSupported("options of a view"))
	}
	old, sch := x.place(v.name, h, "VIEW", "CREATE VIEW", func(k catalog.Kind) bool { return k == catalog.View })
	m := x.start(st, fragment(st), h)
	m.Select = v.sel
	m.Columns = query.Must(x.BindSelect(v.sel, nil))
	if len(v.columns) > 0 {
		switch {
		case len(v.columns) < len(m.Columns):
			panic(message.MS(8158, base(v.name)))
		case len(v.columns) > len(m.Columns):
			panic(message.MS(8159, base(v.name)))
		}
		m.Columns = slices.Clone(m.Columns)
		for i, id := range v.columns {
			m.Columns[i].Name = id.Value
		}
	}
	x.checkColumns(m.Columns, base(v.name))
	x.module(old, sch, base(v.name), catalog.View, m)
}

// checkColumns makes sure that the columns of a view or inline function have distinct names.
func (x *run) checkColumns(cols []catalog.Column, name string) {
	for i, c := range cols {
		if c.Name == "" {
			panic(message.MS(4511, i+1))
		}
		if slices.ContainsFunc(cols[:i], func(o catalog.Column) bool { return catalog.SameName(x.db.Collation, o.Name, c.Name) }) {
			panic(message.MS(4506, c.Name, name))
		}
	}
}

func (x *run) dropModules(kind, verb string, names []*ast.SchemaObjectName, ifExists bool, fits func(catalog.Kind) bool) {
	for _, n := range names {
		if n.DatabaseIdentifier != nil {
			panic(message.MS(166, verb))
		}
		o := query.Must(x.claim(n))
		if o == nil || !x.mayDrop(o) {
			if ifExists && o == nil {
				continue
			}
			panic(errDrop(kind, Written(n)))
		}
		if !fits(o.Kind) {
			panic(query.Raised(errWrongKind(verb, o)))
		}
		x.db.Remove(x.tx, o)
	}
}
