package mssql

import (
	"strings"
	"unicode/utf16"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/parser"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// unitKey identifies a cached text, with everything else that decides its meaning.
type unitKey struct {
	text             string
	db               int32
	schema           string
	params           string
	quotedIdentifier bool
	ansiNulls        bool
}

// Parsed is the result of reading a text. It never changes.
type Parsed struct {
	statements []ast.Statement
	err        error
}

// parse reads one batch and refuses what the sandbox does not model.
func (srv *Server) parse(text string) ([]ast.Statement, error) {
	p := srv.opts.Texts.Of(text, func() Parsed {
		b, err := parser.Parse(text, srv.census)
		if err != nil || b == nil {
			return Parsed{err: err}
		}
		nameDeclaredTypes(text, b.Statements)
		return Parsed{b.Statements, nil}
	})
	return p.statements, p.err
}

// nameDeclaredTypes restores the type names of DECLAREd variables that are not built in (sysname, xml, alias and table types),
// which the parser drops: it keeps only their positions.
func nameDeclaredTypes(text string, statements []ast.Statement) {
	var units []uint16
	name := func(d *ast.DeclareVariableElement) {
		if d.DataType == nil || d.DataType.Name != nil || d.DataType.SqlDataTypeOption != "" {
			return
		}
		if units == nil {
			units = utf16.Encode([]rune(text))
		}
		at := d.DataType.Fragment
		if at.EndOffset() > len(units) {
			return
		}
		parts, err := splitName(string(utf16.Decode(units[at.StartOffset:at.EndOffset()])))
		if err != nil || len(parts) > 2 {
			return
		}
		n := &ast.SchemaObjectName{Count: len(parts)}
		for _, p := range parts {
			n.Identifiers = append(n.Identifiers, &ast.Identifier{Value: p})
		}
		n.BaseIdentifier = n.Identifiers[len(parts)-1]
		if len(parts) == 2 {
			n.SchemaIdentifier = n.Identifiers[0]
		}
		d.DataType.Name = n
	}
	eachStatement(statements, func(st ast.Statement) {
		if n, ok := st.(*ast.DeclareVariableStatement); ok {
			for _, d := range n.Declarations {
				name(d)
			}
		}
		if body := moduleBody(st); body != nil {
			nameDeclaredTypes(text, body.Statements)
		}
	})
}

// moduleBody returns the statements inside a statement that creates a module.
func moduleBody(st ast.Statement) *ast.StatementList {
	switch n := st.(type) {
	case *ast.CreateProcedureStatement:
		return n.StatementList
	case *ast.AlterProcedureStatement:
		return n.StatementList
	case *ast.CreateOrAlterProcedureStatement:
		return n.StatementList
	case *ast.CreateFunctionStatement:
		return n.StatementList
	case *ast.AlterFunctionStatement:
		return n.StatementList
	case *ast.CreateOrAlterFunctionStatement:
		return n.StatementList
	}
	return nil
}

// compile returns the unit of a text, from the plan cache if possible.
func (s *Session) compile(kind, text string, params []catalog.Param, paramText string) (*unit, error) {
	key := unitKey{text, s.db.ID, s.defaultSchema(), paramText, s.set.QuotedIdentifier, s.set.ANSINulls}
	if u := s.srv.units[key]; u != nil {
		u.uses++
		return u, nil
	}
	statements, err := s.srv.parse(text)
	if err != nil {
		return nil, err
	}
	if strings.Contains(text, `"`) && parser.QuotedStrings(text, s.set.QuotedIdentifier) {
		return nil, sqlerr.NotSupported("double quotation marks with QUOTED_IDENTIFIER OFF")
	}
	u := &unit{kind: kind, text: text, declared: paramText, uses: 1}
	if err := s.code(u, codeKey{key, kind}, statements, s.db, params); err != nil {
		return nil, err
	}
	s.srv.units[key] = u
	s.srv.unitOrder = append(s.srv.unitOrder, u)
	return u, nil
}

// moduleUnit returns the unit of a procedure or function. ALTER creates a new object, hence a new unit.
func (s *Session) moduleUnit(o *catalog.Object) *unit {
	if u := s.srv.modules[o]; u != nil {
		u.uses++
		return u
	}
	m := o.Module()
	u := &unit{kind: "Proc", text: m.Text, uses: 1}
	query.Check(s.code(u, o, m.Body.Statements, o.DB, m.Params))
	s.srv.modules[o] = u
	s.srv.unitOrder = append(s.srv.unitOrder, u)
	return u
}

// codeKey identifies the code of a text that is no module.
type codeKey struct {
	unitKey
	kind string
}

// code gives a unit its code: what an earlier run of the image has compiled, or compiled now.
func (s *Session) code(u *unit, key any, statements []ast.Statement, db *catalog.Database, params []catalog.Param) error {
	if c := s.srv.kept.All[key]; c != nil && c.db == db && c.version == db.Version {
		c.idle = 0
		u.Code = c
		return nil
	}
	u.Code = newCode(statements)
	u.db, u.version = db, db.Version
	err := s.prepare(u, db, params)
	if err == nil {
		s.srv.kept.All[key] = u.Code
	}
	return err
}

// prepare gives every parameter and every declared variable of a unit its slot. The scope of a
// variable is the whole batch or module, wherever it is declared in it.
func (s *Session) prepare(u *unit, db *catalog.Database, params []catalog.Param) error {
	u.params = params
	for _, p := range params {
		v := variable{name: p.Name, t: p.Type, kind: p.TableType}
		if p.TableType != nil {
			v.table = p.TableType.Table()
		}
		if err := u.declare(v); err != nil {
			return err
		}
	}
	var err error
	receives, rules := false, unitRules{unit: u}
	eachStatement(u.statements, func(st ast.Statement) {
		if err != nil {
			return
		}
		if e := rules.check(st); e != nil {
			err = at(e.Ending(sqlerr.Batch), lineOf(st))
			return
		}
		switch n := st.(type) {
		case *ast.DeclareVariableStatement:
			for _, d := range n.Declarations {
				var v variable
				if v, err = s.declared(db, d); err == nil {
					err = u.declare(v)
				}
				if err != nil {
					err = at(err, lineOf(d))
					return
				}
			}
		case *ast.DeclareTableVariableStatement:
			var t *catalog.Table
			if t, err = s.tableFrom(db, n.Body.Definition); err == nil {
				err = u.declare(variable{name: n.Body.VariableName.Value, t: datatype.Type{ID: datatype.Table}, table: t})
			}
			err = at(err, lineOf(n))
		case *ast.ReceiveStatement:
			receives = true
		case *ast.ReturnStatement:
			if n.Expression != nil && u.kind != "Proc" {
				err = at(message.MS(178).Ending(sqlerr.Batch), lineOf(n))
			}
		case *ast.WaitForStatement:
			_, waits := n.Statement.(*ast.ReceiveStatement)
			receives = receives || waits
		}
	})
	if err == nil {
		err = rules.end()
	}
	if receives && err == nil {
		err = u.declare(variable{name: receivedName, t: datatype.Type{ID: datatype.Table}, table: receivedTable()})
	}
	return err
}

// at sets the line of an error that has none.
func at(err error, line int) error {
	if e, ok := err.(*sqlerr.Error); ok && e.Line == 0 { //nolint:errorlint // it was just made
		c := *e
		c.Line = line
		return &c
	}
	return err
}

// eachStatement visits all statements of a list, nested ones too, in textual order.
func eachStatement(list []ast.Statement, visit func(ast.Statement)) {
	for _, st := range list {
		visit(st)
		switch n := st.(type) {
		case *ast.BeginEndBlockStatement:
			if n.StatementList != nil {
				eachStatement(n.StatementList.Statements, visit)
			}
		case *ast.IfStatement:
			eachStatement([]ast.Statement{n.ThenStatement}, visit)
			if n.ElseStatement != nil {
				eachStatement([]ast.Statement{n.ElseStatement}, visit)
			}
		case *ast.WhileStatement:
			eachStatement([]ast.Statement{n.Statement}, visit)
		case *ast.TryCatchStatement:
			if n.TryStatements != nil {
				eachStatement(n.TryStatements.Statements, visit)
			}
			if n.CatchStatements != nil {
				eachStatement(n.CatchStatements.Statements, visit)
			}
		}
	}
}

// declared returns the type of a DECLAREd variable.
func (s *Session) declared(db *catalog.Database, d *ast.DeclareVariableElement) (variable, error) {
	v, err := s.typeOf(db, d.DataType)
	v.name = d.VariableName.Value
	return v, err
}

// planned returns the compiled form of a part of a unit, compiling it again when the schema or the
// SET options have changed. Plans over #tables are compiled each time: another session's differ.
func planned[T any](s *Session, f *frame, key any, build func(scope) (T, error)) (T, error) {
	settings := scope{s, f}.Settings()
	if p := f.code.plans[key]; p != nil && p.db == f.db && p.version == f.db.Version && p.settings == settings {
		if c, ok := p.compiled.(T); ok {
			return c, nil
		}
	}
	temp, foreign := f.usesTemp, s.foreign
	f.usesTemp, s.foreign = false, false
	defer func() { f.usesTemp, s.foreign = temp, foreign }()
	c, err := build(scope{s, f})
	if err != nil {
		return c, &raised{sqlError: s.asSQLError(err), frame: f, compile: isNameError(err)}
	}
	if !f.usesTemp {
		f.code.plans[key] = &cachedPlan{db: f.db, version: f.db.Version, foreign: s.foreign, settings: settings, compiled: c}
	}
	return c, nil
}

// isNameError reports whether an error is one of deferred name resolution or statement compilation, which a TRY block
// of the same level does not see, and which ends the batch or module that it is in.
func isNameError(err error) bool {
	e, ok := err.(*sqlerr.Error) //nolint:errorlint // compilers return it bare
	if !ok {
		return false
	}
	switch e.Number {
	case 207, 208, 209, 2812, 4104, 137, 8155, 213, 2760, 1934, 8622, 206, 402, 195, 107:
		return e.Number != 2812 && e.Number != 1934
	}
	return false
}
