package mssql

import (
	_ "embed"
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/plan"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

//go:embed procedures.sql
var procedureTexts string

//go:embed elsewhere.txt
var refusedProcedures string

// writtenProcedures are the system procedures that are refused, followed by those written in SQL over the catalog's views.
func writtenProcedures() (list []*systemProcedure) {
	_, names, _ := strings.Cut(refusedProcedures, "-transact-sql\n")
	for name := range strings.FieldsSeq(names) {
		list = append(list, &systemProcedure{name: name, raw: func(*Session, *frame, []*argument) (int64, error) {
			return 0, sqlerr.NotSupported("the procedure %s", name)
		}})
	}
	for _, procedure := range strings.Split(procedureTexts, "-- PROCEDURE ")[1:] {
		head, text, _ := strings.Cut(procedure, ";\n")
		names, params, _ := strings.Cut(head, ": ")
		params = strings.ReplaceAll(params, "\n-- ", " ")
		for name := range strings.SplitSeq(names, ", ") {
			text := strings.ReplaceAll(text, "@is100", map[bool]string{true: "1", false: "0"}[strings.HasSuffix(name, "_100")])
			list = append(list, &systemProcedure{name: name, raw: func(s *Session, f *frame, args []*argument) (int64, error) {
				return 0, s.runWritten(name, params, text, args)
			}})
		}
	}
	return list
}

// runWritten runs the text of a system procedure in the current database.
func (s *Session) runWritten(name, declared, text string, args []*argument) error {
	params := s.parseParams(declared)
	u, err := s.compile("Proc", text, params, declared)
	if err != nil {
		return err
	}
	nf := s.newFrame(u)
	nf.unit, nf.quotedIdentifier, nf.ansiNulls = name, true, true
	s.bind(nf, params, args, name)
	return s.invoke(nf, u.statements)
}

// prepared is a text that a client has given a handle.
type prepared struct{ text, declared string }

// spPrepare is sp_prepare: @handle OUTPUT, @params, @stmt, @options.
func (s *Session) spPrepare(_ *frame, args []*argument) (int64, error) {
	_, nf, err := s.keep("sp_prepare", args)
	if err == nil && len(args) > 3 && args[3].v.Int64()&1 != 0 { // RETURN_METADATA
		for _, st := range nf.code.statements {
			query.Check(s.describe(nf, st))
		}
	}
	return 0, err
}

// spPrepExec is sp_prepexec: @handle OUTPUT, @params, @stmt and values, with which it runs at once.
func (s *Session) spPrepExec(_ *frame, args []*argument) (int64, error) {
	p, _, err := s.keep("sp_prepexec", args)
	if err != nil {
		return 0, err
	}
	return 0, s.dynamic("Prepared", p.text, s.parseParams(p.declared), p.declared, args[3:])
}

// spExecute is sp_execute: @handle and values.
func (s *Session) spExecute(_ *frame, args []*argument) (int64, error) {
	p, err := s.withHandle("sp_execute", args)
	if err != nil {
		return 0, err
	}
	return 0, s.dynamic("Prepared", p.text, s.parseParams(p.declared), p.declared, args[1:])
}

// spUnprepare is sp_unprepare: @handle.
func (s *Session) spUnprepare(_ *frame, args []*argument) (int64, error) {
	_, err := s.withHandle("sp_unprepare", args)
	if err == nil {
		delete(s.prepared, args[0].v.Int64())
	}
	return 0, err
}

func (s *Session) withHandle(procedure string, args []*argument) (prepared, error) {
	if len(args) == 0 {
		return prepared{}, message.MS(201, procedure, "@handle").At(16, 4)
	}
	p, ok := s.prepared[args[0].v.Int64()]
	if !ok {
		return p, message.MS(8179, args[0].v.Int64()).At(16, 2)
	}
	return p, nil
}

// keep compiles a text and gives it a handle, replacing the one that the client passes.
func (s *Session) keep(procedure string, args []*argument) (prepared, *frame, error) {
	if len(args) < 3 {
		return prepared{}, nil, message.MS(201, procedure, "@stmt").At(16, 4)
	}
	h, p := args[0], prepared{text: textOf(args[2].v), declared: textOf(args[1].v)}
	if !h.v.IsNull() {
		delete(s.prepared, h.v.Int64())
	}
	var nf *frame
	err := query.Catch(func() error {
		u, err := s.compile("Prepared", p.text, s.parseParams(p.declared), p.declared)
		if err != nil {
			return err
		}
		nf = s.newFrame(u)
		if len(u.statements) == 1 { // what follows a definition may need it
			_, err = s.planOf(nf, u.statements[0])
		}
		return err
	})
	if err != nil {
		e := *s.asRaised(nf, err).sqlError
		if e.Refuses() {
			return p, nil, err
		}
		e.Line = max(1, e.Line)
		return p, nil, &raised{sqlError: message.MS(8180), before: []*sqlerr.Error{&e}}
	}
	s.lastHandle++
	s.prepared[s.lastHandle] = p
	h.ret, h.retType, h.returned = value.NewInt(s.lastHandle), datatype.Type{ID: datatype.Int}, true
	return p, nf, nil
}

// planOf compiles a statement that has a plan; nil if it has none.
func (s *Session) planOf(f *frame, st ast.Statement) (*plan.Statement, error) {
	switch st.(type) {
	case *ast.SelectStatement, *ast.InsertStatement, *ast.UpdateStatement, *ast.DeleteStatement:
		return planned(s, f, st, func(sc scope) (*plan.Statement, error) { return plan.CompileStatement(sc, st) })
	}
	return nil, nil
}

// describe tells the client the columns of a statement's result set.
func (s *Session) describe(f *frame, st ast.Statement) error {
	p, err := s.planOf(f, st)
	if err == nil && p != nil && p.Columns != nil {
		s.out.Columns(p.Columns)
		s.done(kindOf(st), 0, false)
	}
	return err
}

// formatOnly does what SET FMTONLY ON asks for: the client is told the columns, and nothing runs.
func (s *Session) formatOnly(f *frame, st ast.Statement) (done bool, err error) {
	switch n := st.(type) {
	case *ast.PredicateSetStatement, *ast.DeclareVariableStatement:
		return false, nil
	case *ast.ExecuteStatement: // the statements of EXEC ('…') are looked at one by one
		if _, ok := n.ExecuteSpecification.ExecutableEntity.(*ast.ExecutableStringList); ok {
			return false, nil
		}
	}
	if !s.set.FmtOnly {
		return false, nil
	}
	err = query.Catch(func() error {
		if kindOf(st) == Other {
			return sqlerr.NotSupported("SET FMTONLY ON before anything but SELECT, INSERT, UPDATE and DELETE")
		}
		return s.describe(f, st)
	})
	if err != nil {
		r := s.asRaised(f, err)
		s.locate(f, st, r)
		err = s.fail(f, r)
	}
	return true, err
}
