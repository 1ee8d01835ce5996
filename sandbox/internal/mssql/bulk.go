package mssql

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// bulk is what an INSERT BULK has announced; the rows arrive with the next request.
type bulk struct {
	table            *catalog.Object
	hint             string
	columns          []string // quoted
	values           []string // the value for each
	keepsOwnIdentity bool
}

// startBulk is INSERT BULK, which clients send before a bulk load ([MS-TDS] 2.2.6.1; options as of learn.microsoft.com, "BULK INSERT").
func (s *Session) startBulk(f *frame, n *ast.InsertBulkStatement) {
	o := query.Must(scope{s, f}.Resolve(n.To))
	t := o.Table()
	if t == nil {
		panic(sqlerr.NotSupported("INSERT BULK into anything but a table"))
	}
	keepNulls, checks, hint := false, false, ""
	for _, option := range n.Options {
		b, ok := option.(*ast.BulkInsertOptionBase)
		if !ok { // ORDER, ROWS_PER_BATCH, KILOBYTES_PER_BATCH: hints for the optimizer
			continue
		}
		switch strings.ToLower(strings.ReplaceAll(b.OptionKind, "_", "")) {
		case "keepnulls":
			keepNulls = true
		case "checkconstraints":
			checks = true
		case "tablock":
			hint = " WITH (TABLOCK)"
		case "firetriggers": // there are no triggers
		default:
			panic(sqlerr.NotSupported("the option %s of INSERT BULK", b.OptionKind))
		}
	}
	if !checks && len(t.Checks) > 0 {
		panic(sqlerr.NotSupported("INSERT BULK without CHECK_CONSTRAINTS into a table that has such constraints"))
	}
	b := &bulk{table: o, hint: hint}
	for _, def := range n.ColumnDefinitions {
		name := def.Column.ColumnIdentifier.Value
		i := t.Column(s.collation(), name)
		if i < 0 {
			panic(message.MS(207, name))
		}
		column := "[" + strings.ReplaceAll(name, "]", "]]") + "]"
		value := column
		if d := t.Columns[i].Default; d != nil && !keepNulls {
			value = fmt.Sprintf("CASE WHEN %s IS NULL THEN %s ELSE %s END", column, d.Text, column)
		}
		b.columns, b.values = append(b.columns, column), append(b.values, value)
		b.keepsOwnIdentity = b.keepsOwnIdentity || i == t.Identity
	}
	s.bulk = b
}

// RunBulk takes the rows of the INSERT BULK before it, as one statement.
func (s *Session) RunBulk(types []datatype.Type, rows []value.Row) {
	b := s.bulk
	s.command = "INSERT BULK"
	s.runTop(func(*frame) error {
		if b == nil || len(types) != len(b.columns) {
			return sqlerr.NotSupported("a bulk load with other columns than the INSERT BULK before it")
		}
		def := &catalog.Table{Identity: -1, Temp: true}
		for i, t := range types {
			name := strings.ReplaceAll(b.columns[i][1:len(b.columns[i])-1], "]]", "]")
			def.Columns = append(def.Columns, catalog.Column{ID: int32(i + 1), Name: name, Type: t, Nullable: true})
		}
		source := s.freshTable(def, "@bulk")
		err := s.atomic(false, func() error {
			for _, row := range rows {
				if _, err := s.tran.Tx.Insert(source.Data, slices.Clone(row)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		text := fmt.Sprintf("INSERT INTO [%s].[%s]%s (%s) SELECT %s FROM @bulk", strings.ReplaceAll(b.table.Schema, "]", "]]"),
			strings.ReplaceAll(b.table.Name, "]", "]]"), b.hint, strings.Join(b.columns, ", "), strings.Join(b.values, ", "))
		statements, err := s.srv.parse(text)
		if err != nil {
			return err
		}
		u := &unit{kind: "Adhoc", text: text, Code: newCode(statements)}
		query.Check(s.prepare(u, s.db, nil))
		query.Check(u.declare(variable{name: "@bulk", t: datatype.Type{ID: datatype.Table}, table: def}))
		nf := s.newFrame(u)
		nf.tables[0] = source
		s.frames = []*frame{nf}
		if b.keepsOwnIdentity {
			before := s.identityOn
			s.identityOn = b.table
			defer func() { s.identityOn = before }()
		}
		_, err = s.runList(nf, statements)
		return err
	})
}
