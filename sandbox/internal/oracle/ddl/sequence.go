package ddl

import (
	"strconv"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

func (x *run) createSequence(n *ast.CreateSequence) {
	owner, name, err := x.target(n.Name, "CREATE SEQUENCE")
	query.Check(err)
	s := newSequence(n.Options)
	query.Check(x.cat.Add(&catalog.Object{Owner: owner, Name: name, Kind: ast.KindSequence, Def: s}))
}

// newSequence returns a sequence according to its options (SQL Language Reference, "CREATE SEQUENCE").
func newSequence(list []ast.SequenceOption) *catalog.Sequence {
	s := &catalog.Sequence{Start: 1, Cache: catalog.DefaultCache}
	seen := map[ast.SequenceWords]bool{}
	for _, o := range list {
		kind := ast.SequenceWords(strings.TrimPrefix(string(o.Name), "NO"))
		if seen[kind] {
			panic(message.ORA(2278, kind))
		}
		seen[kind] = true
		switch o.Name {
		case "START WITH":
			if s.Start = whole(o.Value, o.Name); s.Start < 1 {
				panic(message.ORA(4006))
			}
		case "CACHE":
			if s.Cache = whole(o.Value, o.Name); s.Cache < 2 {
				panic(message.ORA(4010))
			}
		case "NOCACHE":
			s.Cache = 0
		case "INCREMENT BY":
			if whole(o.Value, o.Name) != 1 {
				panic(sqlerr.NotSupported("INCREMENT BY other than 1"))
			}
		case "ORDER":
			s.Order = true
		}
	}
	s.Restart()
	return s
}

// whole returns the integer value of an option; below zero, any value is as wrong.
func whole(e ast.Expr, name ast.SequenceWords) int64 {
	n, ok := e.(*ast.Number)
	if !ok {
		return -1
	}
	v, err := strconv.ParseInt(n.Text, 10, 32)
	switch {
	case err == nil:
		return v
	case strings.Trim(n.Text, "0123456789") != "":
		panic(message.ORA(4001, name))
	}
	panic(sqlerr.NotSupported("a sequence beyond 32 bits"))
}
