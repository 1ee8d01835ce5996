package mssql

import (
	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// runQuery executes SELECT, INSERT, UPDATE or DELETE.
func (s *Session) runQuery(f *frame, st ast.Statement) error {
	p, err := s.planOf(f, st)
	if err != nil {
		return err
	}
	s.checkUses(f, p.Uses)
	_, isSelect := st.(*ast.SelectStatement)
	if isSelect && st.(*ast.SelectStatement).Into != nil {
		isSelect = false
	}
	s.queried = isSelect && len(p.Access) == 0 // it only computes: its plan has no table
	if !s.queried {
		s.beginImplicitly()
	}
	var rows int64
	err = s.atomic(!isSelect, func() error {
		var captured []value.Row
		if p.NeedsRows {
			var err error
			if captured, err = s.executeForRows(f, st.(*ast.InsertStatement)); err != nil {
				return err
			}
		}
		if p.Columns != nil {
			s.out.Columns(p.Columns)
		}
		var err error
		rows, err = p.RunWith(s, captured, func(r value.Row) error {
			s.out.Row(r)
			return nil
		})
		return err
	})
	if err != nil {
		s.rowCount = 0
		if p.Columns != nil {
			s.broken = kindOf(st)
		}
		return err
	}
	s.rowCount = rows
	if p.Columns != nil || p.Counts {
		s.done(kindOf(st), rows, p.Counts)
	}
	return nil
}

// executeForRows runs the EXEC of an INSERT … EXEC and keeps its result sets.
func (s *Session) executeForRows(f *frame, n *ast.InsertStatement) ([]value.Row, error) {
	src, ok := n.InsertSpecification.InsertSource.(*ast.ExecuteInsertSource)
	if !ok {
		return nil, sqlerr.NotSupported("INSERT source %T", n.InsertSpecification.InsertSource)
	}
	if _, nested := s.out.(*capture); nested {
		return nil, message.MS(8164)
	}
	kept := &capture{Sink: s.out}
	s.out = kept
	s.tran.Count++ // the procedure runs inside the statement's transaction
	s.tran.InsertExec = s.tran.Count
	defer func() {
		s.out = kept.Sink
		s.tran.Count--
		s.tran.InsertExec = 0
	}()
	s.executeSpec(f, n, src.Execute)
	return kept.rows, nil
}

// done tells the client that a statement has ended.
func (s *Session) done(k Kind, rows int64, counted bool) {
	s.out.Done(Done{Rows: rows, Counted: counted && !s.set.NoCount, InProcedure: len(s.frames) > 1, Kind: k})
}

func kindOf(st ast.Statement) Kind {
	switch st.(type) {
	case *ast.SelectStatement:
		return Select
	case *ast.InsertStatement:
		return Insert
	case *ast.UpdateStatement:
		return Update
	case *ast.DeleteStatement:
		return Delete
	}
	return Other
}
