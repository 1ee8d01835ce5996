package ddl

import (
	"math"
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
	s.Restart()
	query.Check(x.cat.Add(&catalog.Object{Owner: owner, Name: name, Kind: ast.KindSequence, Def: s}))
}

// newSequence returns a sequence according to its options (SQL Language Reference, "CREATE SEQUENCE").
func newSequence(list []ast.SequenceOption) *catalog.Sequence {
	s := &catalog.Sequence{Increment: 1, Cache: catalog.DefaultCache}
	sequenceOptions(s, list)
	return s
}

// sequenceOptions sets what is written; the rest follows from the direction.
func sequenceOptions(s *catalog.Sequence, list []ast.SequenceOption) {
	seen := map[ast.SequenceWords]bool{}
	var low, high, start bool
	for _, o := range list {
		kind := ast.SequenceWords(strings.TrimPrefix(string(o.Name), "NO"))
		if seen[kind] {
			panic(message.ORA(2278, kind))
		}
		seen[kind] = true
		var v int64
		if o.Value != nil {

			v = query.Must(whole(o.Value, o.Name))
		}
		switch o.Name {
		case "START WITH":
			s.Start, start = v, true
		case "INCREMENT BY":
			if s.Increment = v; v == 0 {
				panic(message.ORA(4002))
			}
		case "MINVALUE":
			s.Min, low = v, true
		case "MAXVALUE":
			s.Max, high = v, true
		case "NOMINVALUE", "NOMAXVALUE":
		case "CACHE":
			if s.Cache = v; v < 2 {
				panic(message.ORA(4010))
			}
		case "NOCACHE":
			s.Cache = 0
		case "CYCLE", "NOCYCLE":
			s.Cycle = o.Name == "CYCLE"
		case "ORDER", "NOORDER":
			s.Order = o.Name == "ORDER"
		case "NOKEEP", "NOSCALE":
		default:
			panic(sqlerr.NotSupported("%s of a sequence", o.Name))
		}
	}
	up := s.Increment > 0
	if !low {
		if s.Min = math.MinInt64; up {
			s.Min = 1
		}
	}
	if !high {
		if s.Max = -1; up {
			s.Max = math.MaxInt64
		}
	}
	if !start {
		if s.Start = s.Max; up {
			s.Start = s.Min
		}
	}
	checkSequence(s)
}

func checkSequence(s *catalog.Sequence) {
	switch {
	case s.Min >= s.Max:
		panic(message.ORA(4004))
	case s.Start < s.Min:
		panic(message.ORA(4006))
	case s.Start > s.Max:
		panic(message.ORA(4008))
	}
	if catalog.Unbounded(s.Min) || catalog.Unbounded(s.Max) {
		return
	}
	span := uint64(s.Max) - uint64(s.Min)
	step := uint64(max(s.Increment, -s.Increment))
	switch {
	case step > span:
		panic(message.ORA(4005))
	case s.Cycle && s.Cache > 0 && uint64(s.Cache) > (span+1+step-1)/step:
		panic(message.ORA(4013))
	}
}

// whole returns the integer value of an option. Beyond 64 bits, only Oracle's own bounds are supported.
func whole(e ast.Expr, name ast.SequenceWords) (int64, error) {
	sign := ""
	if u, ok := e.(*ast.Unary); ok {
		if u.Op == "-" {
			sign = "-"
		}
		e = u.X
	}
	n, ok := e.(*ast.Number)
	if !ok {
		return 0, message.ORA(4001, name)
	}
	v, err := strconv.ParseInt(sign+n.Text, 10, 64)
	switch {
	case err == nil:
		return v, nil
	case strings.Trim(n.Text, "0123456789") != "":
		return 0, message.ORA(4001, name)
	case sign+n.Text == strings.Repeat("9", 28):
		return math.MaxInt64, nil
	case sign+n.Text == "-"+strings.Repeat("9", 27):
		return math.MinInt64, nil
	}
	return 0, sqlerr.NotSupported("a sequence beyond 64 bits")
}
