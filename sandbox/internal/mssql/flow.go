package mssql

import (
	"strings"

	"github.com/sqlc-dev/teesql/ast"
)

// flowKind says how a statement list ended.
type flowKind uint8

const (
	flowNext flowKind = iota
	flowBreak
	flowContinue
	flowReturn
	flowGoto
)

// flow is where control goes after a statement.
type flow struct {
	kind  flowKind
	label string // for flowGoto
}

// runList executes statements in order, following GOTO to labels in this list.
func (s *Session) runList(f *frame, list []ast.Statement) (flow, error) {
	for i := 0; i < len(list); i++ {
		fl, err := s.runStatement(f, list[i])
		if err != nil {
			return fl, err
		}
		if fl.kind == flowGoto {
			target := labelIndex(list, fl.label)
			if target < 0 {
				return fl, nil
			}
			i = target
			continue
		}
		if fl.kind != flowNext {
			return fl, nil
		}
	}
	return flow{}, nil
}

func labelIndex(list []ast.Statement, label string) int {
	for i, st := range list {
		if l, ok := st.(*ast.LabelStatement); ok && strings.EqualFold(strings.TrimSuffix(l.Value, ":"), label) {
			return i
		}
	}
	return -1
}

// maxControl is the number of consecutive control-flow statements after which time passes.
const maxControl = 1000

// runControl executes control-flow statements; handled is false for all others.
func (s *Session) runControl(f *frame, st ast.Statement) (fl flow, handled bool, err error) {
	if s.control++; s.control%maxControl == 0 {
		if err := s.Tick(); err != nil {
			return fl, true, s.fail(f, err)
		}
	}
	switch n := st.(type) {
	case *ast.BeginEndBlockStatement:
		fl, err = s.runList(f, n.StatementList.Statements)
	case *ast.IfStatement:
		fl, err = s.runIf(f, n)
	case *ast.WhileStatement:
		fl, err = s.runWhile(f, n)
	case *ast.TryCatchStatement:
		fl, err = s.runTryCatch(f, n)
	case *ast.BreakStatement:
		fl = flow{kind: flowBreak}
	case *ast.ContinueStatement:
		fl = flow{kind: flowContinue}
	case *ast.GoToStatement:
		fl = flow{kind: flowGoto, label: n.LabelName.Value}
	case *ast.LabelStatement:
	default:
		return fl, false, nil
	}
	return fl, true, err
}

func (s *Session) runIf(f *frame, n *ast.IfStatement) (flow, error) {
	truth, skipped, err := s.predicate(f, n, n.Predicate)
	if err != nil || skipped {
		return flow{}, err
	}
	if truth {
		return s.runStatement(f, n.ThenStatement)
	}
	if n.ElseStatement != nil {
		return s.runStatement(f, n.ElseStatement)
	}
	return flow{}, nil
}

func (s *Session) runWhile(f *frame, n *ast.WhileStatement) (flow, error) {
	for {
		truth, skipped, err := s.predicate(f, n, n.Predicate)
		if err != nil || skipped || !truth {
			return flow{}, err
		}
		fl, err := s.runStatement(f, n.Statement)
		if err != nil {
			return fl, err
		}
		switch fl.kind {
		case flowBreak:
			return flow{}, nil
		case flowReturn, flowGoto:
			return fl, nil
		case flowNext, flowContinue:
		}
	}
}
