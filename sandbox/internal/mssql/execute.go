package mssql

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/audit"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/plan"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// maxNesting is how deeply procedures, functions and dynamic SQL may call each other.
const maxNesting = 32

// argument is a value passed to a procedure.
type argument struct {
	name      string // with @; empty when passed by position
	v         value.Value
	t         datatype.Type
	table     *catalog.Table // for a table-valued parameter
	kind      string         // the name of its table type; of a table variable: table
	isDefault bool
	output    bool
	variable  string // the caller's variable that takes an OUTPUT value
	ret       value.Value
	retType   datatype.Type
	returned  bool
}

func (s *Session) execute(f *frame, n *ast.ExecuteStatement) {
	for _, o := range n.Options {
		if opt, ok := o.(*ast.ExecuteOption); !ok || !strings.EqualFold(opt.OptionKind, "Recompile") {
			panic(sqlerr.NotSupported("EXECUTE ... WITH %T", o))
		}
	}
	s.executeSpec(f, n, n.ExecuteSpecification)
}

func (s *Session) executeSpec(f *frame, st any, spec *ast.ExecuteSpecification) {
	switch e := spec.ExecutableEntity.(type) {
	case *ast.ExecutableStringList:
		s.executeString(f, spec, e)
		return
	case *ast.ExecutableProcedureReference:
		s.executeProcedure(f, st, spec, e)
		return
	}
	panic(sqlerr.NotSupported("EXECUTE %T", spec.ExecutableEntity))
}

// executeString runs EXEC ('…') [AS USER = '…'].
func (s *Session) executeString(f *frame, spec *ast.ExecuteSpecification, e *ast.ExecutableStringList) {
	if len(e.Parameters) > 0 {
		panic(sqlerr.NotSupported("EXEC ('…', parameters)"))
	}
	var text strings.Builder
	for _, part := range e.Strings {
		v, t, err := s.typed(f, e, part)
		query.Check(err)
		if v.IsNull() {
			continue
		}
		v = query.Must(datatype.Convert(v, t, datatype.Type{ID: datatype.NVarChar, Len: datatype.Max, Coll: s.collation()}, datatype.NoStyle, datatype.Implicit))
		text.WriteString(v.Str())
	}
	depth := s.who.Depth()
	if c := spec.ExecuteContext; c != nil {
		query.Check(s.impersonate(f, c, spec))
		s.who.At(s.who.Depth() - 1).Level = nil // it belongs to the clause, out of REVERT's reach
		defer func() { s.who.Cut(depth) }()
	}
	query.Check(s.dynamic("Adhoc", text.String(), nil, "", nil))
}

// dynamic runs dynamic SQL: its own scope of variables and SET options, the caller's rights but not the
// caller's ownership chain.
func (s *Session) dynamic(kind, text string, params []catalog.Param, paramText string, args []*argument) error {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	unit := ""
	if caller := s.top(); caller != nil {
		unit = caller.unit
	}
	audit.Composed("mssql", unit, text, paramText)
	u, err := s.compile(kind, text, params, paramText)
	if err != nil { // it occurred in the dynamic batch, not in the module that runs it
		e := *s.asSQLError(err)
		e.Line = max(1, e.Line)
		if e.Refuses() {
			e.Uncaught = false // see sqlerr.Outside
			return &raised{sqlError: &e}
		}
		// It ends the dynamic batch only, and SET XACT_ABORT does not apply to compile errors
		// (learn.microsoft.com, "SET XACT_ABORT (Transact-SQL)").
		e.Scope = sqlerr.Statement
		return &raised{sqlError: &e, user: true}
	}
	nf := s.newFrame(u)
	nf.dynamic, nf.outer = true, s.top()
	if nf.outer != nil {
		nf.signatures = nf.outer.signatures
		if kind == "Prepared" && len(nf.outer.code.statements) > 0 { // sp_executesql counts, too (learn.microsoft.com, "@@NESTLEVEL")
			nf.level++
		}
	}
	s.bind(nf, params, args, "")
	defer s.keepDatabase()()
	s.srv.k.Note("begin", text)
	defer s.srv.k.Note("end", text)
	if err := s.invoke(nf, u.statements); err != nil {
		if r, ok := err.(*raised); ok && r.Refuses() && !r.reported { //nolint:errorlint // made by this package
			e := *r.sqlError
			e.Uncaught = false // see sqlerr.Outside
			r.sqlError = &e
		}
		return err
	}
	s.collect(nf, params, args)
	return nil
}

// keepDatabase returns the undo of a USE, which lasts until the end of the EXECUTE (learn.microsoft.com, "EXECUTE (Transact-SQL)").
func (s *Session) keepDatabase() func() {
	db, depth, context := s.db, s.who.Depth(), *s.who.Current()
	return func() {
		if s.db == db {
			return
		}
		if s.who.Depth() == depth {
			*s.who.At(depth - 1) = context
		}
		s.out.Database(s.db.Name, db.Name)
		s.db = db
	}
}

// executeProcedure runs EXEC [@status =] procedure arguments.
func (s *Session) executeProcedure(f *frame, st any, spec *ast.ExecuteSpecification, e *ast.ExecutableProcedureReference) {
	if spec.ExecuteContext != nil || e.AdHocDataSource != nil {
		panic(sqlerr.NotSupported("EXECUTE procedure AS ..."))
	}
	name := s.procedureName(f, e.ProcedureReference)
	args := s.arguments(f, st, e.Parameters)
	status := query.Must(s.callByName(f, name, args))
	if spec.Variable != nil {
		query.Check(f.store(spec.Variable.Name, value.NewInt(status), datatype.Type{ID: datatype.Int}))
	}
	for _, a := range args {
		if a.variable != "" && a.returned {
			query.Check(f.store(a.variable, a.ret, a.retType))
		}
	}
}

// procedureName reads the name of a procedure, written out or in a variable.
func (s *Session) procedureName(f *frame, r *ast.ProcedureReferenceName) []string {
	if r.ProcedureVariable != nil {
		slot, _, err := f.lookup(r.ProcedureVariable.Name)
		query.Check(err)
		return query.Must(splitName(textOf(f.vars[slot])))
	}
	n := r.ProcedureReference
	var parts []string
	for _, id := range n.Name.Identifiers {
		parts = append(parts, id.Value)
	}
	return parts
}

// splitName splits a multi-part name in a string, honoring [brackets] and "quotes".
func splitName(text string) ([]string, error) {
	var parts []string
	rest := strings.TrimSpace(text)
	for {
		part, tail, err := cutIdentifier(rest)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
		if tail == "" {
			return parts, nil
		}
		rest = tail[1:]
	}
}

func cutIdentifier(text string) (name, tail string, err error) {
	bad := message.MS(2812, text).At(16, 62)
	if text == "" {
		return "", "", nil
	}
	closing := map[byte]byte{'[': ']', '"': '"'}[text[0]]
	if closing == 0 {
		i := strings.IndexByte(text, '.')
		if i < 0 {
			return strings.TrimSpace(text), "", nil
		}
		return strings.TrimSpace(text[:i]), text[i:], nil
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] != closing:
			b.WriteByte(text[i])
		case i+1 < len(text) && text[i+1] == closing:
			b.WriteByte(closing)
			i++
		case i+1 == len(text) || text[i+1] == '.':
			return b.String(), text[i+1:], nil
		default:
			return "", "", bad
		}
	}
	return "", "", bad
}

// arguments computes the arguments of an EXEC.
func (s *Session) arguments(f *frame, st any, params []*ast.ExecuteParameter) []*argument {
	args := make([]*argument, 0, len(params))
	for _, p := range params {
		a := &argument{output: p.IsOutput}
		if p.Variable != nil {
			a.name = p.Variable.Name
		}
		query.Check(s.argumentValue(f, st, p.ParameterValue, a))
		args = append(args, a)
	}
	return args
}

func (s *Session) argumentValue(f *frame, st any, e ast.ScalarExpression, a *argument) error {
	switch v := e.(type) {
	case *ast.DefaultLiteral:
		a.isDefault = true
		return nil
	case *ast.IdentifierLiteral:
		a.v, a.t = value.NewString(v.Value), datatype.Type{ID: datatype.NVarChar, Len: 128, Coll: s.collation()}
		return nil
	case *ast.ColumnReferenceExpression: // a bare word is a string
		if id := v.MultiPartIdentifier; id != nil && len(id.Identifiers) == 1 {
			a.v, a.t = value.NewString(id.Identifiers[0].Value), datatype.Type{ID: datatype.NVarChar, Len: 128, Coll: s.collation()}
			return nil
		}
	case *ast.VariableReference:
		slot, decl, err := f.lookup(v.Name)
		if err != nil {
			return err
		}
		if decl.table != nil {
			a.table, a.t, a.kind = f.tables[slot], decl.t, cmp.Or(decl.t.Table, "table")
			return nil
		}
		if a.output {
			a.variable = v.Name
		}
		a.v, a.t = f.vars[slot], decl.t
		return nil
	}
	var err error
	a.v, a.t, err = s.typed(f, st, e)
	return err
}

// callByName runs a system procedure or a stored one.
func (s *Session) callByName(f *frame, name []string, args []*argument) (int64, error) {
	base := name[len(name)-1]
	if sp := s.srv.procedures[strings.ToLower(base)]; sp != nil && systemQualified(name) {
		if len(name) == 3 && name[0] != "" { // it works in that database
			home := s.db
			defer func() { s.db = home }()
			s.db = s.databaseOf(home, &ast.Identifier{Value: name[0]})
		}
		return s.callSystem(f, sp, args)
	}
	if sp := s.agentProcedure(f, name); sp != nil {
		return s.callSystem(f, sp, args)
	}
	o := s.findProcedure(f, name)
	return s.call(f, o, args)
}

// systemQualified: sp_x, sys.sp_x, dbo.sp_x, master..sp_x, master.sys.sp_x all name the system procedure.
func systemQualified(name []string) bool {
	if len(name) >= 2 {
		switch strings.ToLower(name[len(name)-2]) {
		case "", "sys", "dbo":
		default:
			return false
		}
	}
	return true
}

func (s *Session) findProcedure(f *frame, name []string) *catalog.Object {
	missing := message.MS(2812, strings.Join(name, ".")).At(16, 62)
	db := s.db
	schema := ""
	if f != nil {
		schema, db = f.schema, f.db
	}
	switch len(name) {
	case 1:
	case 2:
		schema = name[0]
	case 3:
		other := s.databaseOf(db, &ast.Identifier{Value: name[0]})
		db, schema = other, name[1]
	default:
		panic(sqlerr.NotSupported("four-part names (linked servers)"))
	}
	var o *catalog.Object
	for _, in := range []string{schema, "dbo"} {
		if o == nil && in != "" && (len(name) == 1 || in == schema) {
			o = db.Object(in, name[len(name)-1])
		}
	}
	if o == nil && len(name) == 3 && name[1] == "" {
		o = db.Object("dbo", name[2])
	}
	if o != nil && o.Kind == catalog.ScalarFunction {
		panic(sqlerr.NotSupported("EXECUTE of a function; use SELECT"))
	}
	if o == nil || o.Kind != catalog.Procedure {
		panic(missing)
	}
	return o
}

// call runs a stored procedure and returns its status.
func (s *Session) call(f *frame, o *catalog.Object, args []*argument) (int64, error) {
	s.check(f, "EXECUTE", o)
	u := s.moduleUnit(o)
	var err error
	nf := s.newFrame(u)
	s.enterModule(nf, o)
	s.bind(nf, o.Module().Params, args, o.Name)
	before := s.tran.Count
	depth := s.who.Depth()
	query.Check(s.who.PushModule(o))
	home := s.db
	s.db = o.DB
	err = s.invoke(nf, u.statements)
	s.db = home
	s.who.Cut(depth)
	if err != nil {
		return 0, err
	}
	s.collect(nf, o.Module().Params, args)
	s.countMismatch(f, nf, before)
	return nf.status, nil
}

// countMismatch raises error 266, which undoes nothing, if a module changes @@TRANCOUNT. An implicit transaction that began from 0
// causes none, see FIDELITY.md; with differ.ImplicitTransactionsCount, only if the procedure leaves XACT_ABORT ON.
func (s *Session) countMismatch(f, nf *frame, before int) {
	implicit := s.set.ImplicitTransactions && before == 0 && (nf.dynamic || nf.xactAbort || !s.srv.k.Differs(differ.ImplicitTransactionsCount)) && !s.srv.k.Differs(differ.ImplicitTransactionsCountAlways)
	if s.tran.Count == before || implicit {
		return
	}
	e := message.MS(266, before, s.tran.Count).At(16, 2)
	if !nf.dynamic {
		e.Unit = nf.unit
	}
	panic(query.Raised(&raised{sqlError: e, frame: f, user: true}))
}

// enterModule sets what a module's frame takes from its definition.
func (s *Session) enterModule(nf *frame, o *catalog.Object) {
	m := o.Module()
	nf.object, nf.unit, nf.db, nf.schema, nf.owner = o, o.QualifiedName(), o.DB, o.Schema, o.Owner
	if nf.ansiNulls = m.AnsiNulls; !s.srv.k.Differs(differ.QuotedIdentifierOfCaller) {
		nf.quotedIdentifier = m.QuotedIdentifier
	}
	nf.signatures = m.Signatures
}

// invoke runs the statements of a procedure or of dynamic SQL in a new frame: SET options, isolation level, lock
// timeout and #tables of its own. An EXECUTE AS in dynamic SQL holds until the module around it ends.
func (s *Session) invoke(nf *frame, statements []ast.Statement) error {
	if nf.level++; nf.level > maxNesting {
		return message.MS(217, maxNesting).Ending(sqlerr.Batch)
	}
	options, iso, timeout, priority := s.set, s.tran.Level, s.st.LockTimeout, s.st.DeadlockPriority
	nf.depth = s.who.Depth()
	s.frames = append(s.frames, nf)
	if nf.object != nil {
		s.set.QuotedIdentifier, s.set.ANSINulls = nf.quotedIdentifier, nf.ansiNulls
	}
	before := s.tran.Count
	fl, err := s.runList(nf, statements)
	s.frames = s.frames[:len(s.frames)-1]
	s.tmp.Drop(nf.level)
	s.closeLocals(nf)
	if !nf.dynamic {
		s.who.Cut(nf.depth)
	}
	nf.xactAbort = s.set.XactAbort
	s.set, s.tran.Level, s.st.LockTimeout, s.st.DeadlockPriority = options, iso, timeout, priority
	if err == nil && fl.kind == flowGoto {
		err = message.MS(133, fl.label).Ending(sqlerr.Batch)
	}
	if r, ok := err.(*raised); ok && r.compile && r.reported { //nolint:errorlint // made by this package
		return nil // a name error ends the module, not its caller
	}
	if err == nil && nf.dynamic {
		s.countMismatch(s.top(), nf, before)
		return nil
	}
	return err
}

// bind gives the parameters of a frame their values.
func (s *Session) bind(nf *frame, params []catalog.Param, args []*argument, procedure string) {
	given := make([]*argument, len(params))
	for i, a := range args {
		slot := i
		if a.name != "" {
			slot = -1
			for j, p := range params {
				if strings.EqualFold(p.Name, a.name) {
					slot = j
				}
			}
			if slot < 0 {
				panic(message.MS(8145, a.name, procedure))
			}
		}
		if slot >= len(params) {
			panic(message.MS(8144, procedure).At(16, 2))
		}
		if given[slot] != nil {
			panic(message.MS(8143, params[slot].Name))
		}
		given[slot] = a
	}
	for i, p := range params {
		query.Check(s.bindOne(nf, i, p, given[i], procedure))
	}
}

func (s *Session) bindOne(nf *frame, i int, p catalog.Param, a *argument, procedure string) error {
	switch {
	case p.TableType != nil:
		switch {
		case a == nil || a.isDefault:
		case a.t.ID != datatype.Table:
			return message.MS(206, baseName(a.t), p.Type.Table)
		case a.kind != "" && a.kind != p.Type.Table:
			return message.MS(206, a.kind, p.Type.Table)
		case a.table != nil:
			nf.tables[i] = a.table
		}
		return nil
	case a == nil || a.isDefault:
		if !p.HasDefault && nf.dynamic {
			return message.MS(8178, nf.code.declared, nf.code.text, p.Name)
		}
		if !p.HasDefault {
			e := message.MS(201, procedure, p.Name).At(16, 4)
			e.Unit = nf.unit
			return e
		}
		return s.bindDefault(nf, i, p)
	case a.output && !p.Output:
		return message.MS(8162, p.Name).At(16, 2)
	case a.t.ID == datatype.Cursor || p.Type.ID == datatype.Cursor:
		if _, allocated := a.v.Any().(*cursor); allocated {
			return message.MS(16951, a.variable).At(16, 1)
		}
		nf.vars[i] = a.v
		return nil
	}
	v, err := datatype.Convert(a.v, a.t, p.Type, datatype.NoStyle, datatype.Implicit)
	if err != nil {
		if e, ok := err.(*sqlerr.Error); ok && e.Number == 245 { //nolint:errorlint // conversions return it bare
			return message.MS(8114, baseName(a.t), baseName(p.Type)).At(16, 5)
		}
		return err
	}
	nf.vars[i] = v
	return nil
}

// baseName returns a type's name without facets, as error 8114 shows it.
func baseName(t datatype.Type) string {
	name, _, _ := strings.Cut(t.String(), "(")
	return name
}

// bindDefault computes a default, a constant; a bare word is read as a string.
func (s *Session) bindDefault(nf *frame, i int, p catalog.Param) error {
	if id, ok := p.Default.(*ast.IdentifierLiteral); ok {
		v, err := datatype.Convert(value.NewString(id.Value), datatype.Type{ID: datatype.NVarChar, Len: 4000, Coll: nf.db.Collation}, p.Type, datatype.NoStyle, datatype.Implicit)
		nf.vars[i] = v
		return err
	}
	e, err := plan.CompileExpr(scope{s, nf}, p.Default)
	if err != nil {
		return err
	}
	v, err := e.Eval(s)
	if err != nil {
		return err
	}
	nf.vars[i], err = datatype.Convert(v, e.Type, p.Type, datatype.NoStyle, datatype.Implicit)
	return err
}

// collect copies OUTPUT parameters back.
func (s *Session) collect(nf *frame, params []catalog.Param, args []*argument) {
	for i, a := range args {
		slot := i
		if a.name != "" {
			slot = nf.code.slots[foldName(a.name)]
		}
		if a.output && slot < len(params) {
			a.ret, a.retType, a.returned = nf.vars[slot], params[slot].Type, true
		}
	}
}

func (s *Session) doReturn(f *frame, n *ast.ReturnStatement) error {
	if n.Expression == nil {
		return nil
	}
	v, t, err := s.typed(f, n, n.Expression)
	if err != nil {
		return err
	}
	if f.object != nil && f.object.Kind == catalog.ScalarFunction {
		s.returnValue(f, v, t)
		return nil
	}
	if v.IsNull() {
		s.info(0, 0, 0, lineOf(n), fmt.Sprintf("The '%s' procedure attempted to return a status of NULL, which is not allowed. A status of 0 will be returned instead.", f.unit))
		return nil
	}
	v, err = datatype.Convert(v, t, datatype.Type{ID: datatype.Int}, datatype.NoStyle, datatype.Implicit)
	f.status = v.Int64()
	return err
}
