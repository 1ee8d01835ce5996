package plan

import (
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/expression"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/optimizer"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// chunk is how many characters of FOR XML the server puts into one row of the result.
const chunk = 2033

// forClause binds SELECT … FOR XML PATH with an empty name: one text, the texts of all columns of all rows one after the other.
func (n *names) forClause(q *ast.QuerySpecification, qc queryContext) *block {
	f, ok := q.ForClause.(*ast.XmlForClause)
	if !ok || len(f.Options) != 1 || !strings.EqualFold(f.Options[0].OptionKind, "Path") || f.Options[0].Value == nil || f.Options[0].Value.Value != "" {
		panic(sqlerr.NotSupported("FOR clauses other than XML PATH('')"))
	}
	plain := *q
	plain.ForClause = nil
	b := n.specification(&plain, queryContext{top: true})
	if len(b.assigns) > 0 {
		panic(message.MS(1054, "FOR"))
	}
	for _, c := range b.cols {
		if c.name != "" && c.name != "*" && c.name != "text()" {
			panic(sqlerr.NotSupported("FOR XML PATH('') with a named column (elements)"))
		}
	}
	const name = "XML_F52E2B61-18A1-11d1-B105-00805F49916B"
	at := n.c.Slot(1)
	e := columnExpr(at, 0, datatype.Sized(datatype.NVarChar, datatype.Max).WithCollation(n.sc.Collation()), true, name)
	e.Shape, e.coll = expression.Opaque, coercible
	blk := &block{cols: []outColumn{{name: name, e: e}}}
	blk.build = func(extra []*expr) (optimizer.Plan, []*expr) {
		pl, out := b.build(nil)
		inner := pl.Op
		pl.Op = query.OpFunc(func(fr *query.Frame) query.Iter {
			s, rows := xmlText(fr, inner, out)
			vals := &query.Values{Slot: at.Slot}
			for first := true; rows > 0 && (first || s != ""); first = false {
				part := s
				if qc.top && charset.Len16(s) > chunk {
					part = charset.Sub16(s, 0, chunk)
				}
				s = s[len(part):]
				v := value.NewString(part)
				vals.Rows = append(vals.Rows, []query.Expr{func(*query.Frame) value.Value { return v }})
			}
			return vals.Open(fr)
		})
		if cond := rules.AllOf(extra...); cond != nil {
			pl.Op = &query.Filter{Child: pl.Op, Pred: cond.Eval}
		}
		pl.Slots, pl.Rows = optimizer.SlotsOf(at.Slot), 1
		return pl, []*expr{e}
	}
	return blk
}

var xmlEscape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#x0D;")

func xmlText(fr *query.Frame, op query.Op, out []*expr) (text string, rows int) {
	var s strings.Builder
	query.Each(fr, op, func() bool {
		rows++
		for _, e := range out {
			if v := e.Eval(fr); !v.IsNull() {
				s.WriteString(xmlEscape.Replace(textOf(v, e.Type)))
			}
		}
		return true
	})
	return s.String(), rows
}

// textOf writes a value as XML requires: dates in ISO 8601, floats with all digits.
func textOf(v value.Value, t datatype.Type) string {
	style := datatype.NoStyle
	switch {
	case t.IsDateTime():
		style = 126
	case t.IsApproximate():
		style = 2
	case t.IsCharacter():
		return v.Str()
	}
	return query.Must(datatype.Convert(v, t, datatype.Sized(datatype.NVarChar, datatype.Max), style, datatype.Explicit)).Str()
}
