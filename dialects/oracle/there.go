package oracle

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"github.com/dbsched/dbsched/dialects/client"
	"github.com/dbsched/dbsched/dialects/schema"
	"github.com/dbsched/dbsched/templates"
)

// Queries on what the user's tables have. :in_prefix begins the names of tables and sequences.
const (
	objectQuery = `select case o.object_type when 'TABLE' then 'table' else 'sequence' end, o.object_name
from user_objects o
where o.object_type in ('TABLE', 'SEQUENCE') and substr(o.object_name, 1, 3) = :in_prefix
order by o.object_name`

	// The expression is a LONG, which no function takes.
	columnQuery = `select c.table_name, c.column_name,
    c.data_type || case when c.data_type in ('VARCHAR2', 'NVARCHAR2', 'CHAR', 'RAW') then '(' || case when c.char_used = 'C' then c.char_length else c.data_length end || ')'
                        when c.data_type = 'NUMBER' and c.data_scale > 0 then '(' || c.data_precision || ', ' || c.data_scale || ')'
                        when c.data_type = 'NUMBER' and c.data_precision is not null then '(' || c.data_precision || ')' end,
    c.nullable, c.virtual_column, c.data_default
from user_tab_cols c
where c.hidden_column = 'NO' and substr(c.table_name, 1, 3) = :in_prefix
order by c.table_name, c.internal_column_id`

	constraintQuery = `select case k.constraint_type when 'C' then 'check' else 'key' end, k.constraint_name, k.table_name, k.index_name, k.search_condition_vc,
    case when k.status = 'DISABLED' then ', disabled' when k.validated <> 'VALIDATED' then ', not validated' end, l.column_name
from user_constraints k
left outer join user_cons_columns l on l.constraint_name = k.constraint_name and k.constraint_type <> 'C'
where k.constraint_type in ('P', 'U', 'C') and substr(k.table_name, 1, 3) = :in_prefix
order by k.constraint_name, l.position`

	indexQuery = `select i.index_name, i.table_name,
    case when i.status = 'UNUSABLE' or i.funcidx_status = 'DISABLED' then ', unusable' when i.visibility = 'INVISIBLE' then ', invisible' end, x.column_name
from user_indexes i
inner join user_ind_columns x on x.index_name = i.index_name
where substr(i.table_name, 1, 3) = :in_prefix
order by i.index_name, x.column_position`
)

// rowKey is the column by which rowPart names rows of a table.
func rowKey(table string) string {
	return map[string]string{"settings": "settings_id", "lanes": "lane_id", "processes": "process_id"}[table]
}

// rowQuery reads the rows that rowPart names in a table.
func rowQuery(table string) string {
	key := rowKey(table)
	return "select to_char(r." + key + ") || ' of " + strings.ToUpper(object(table)) + "' from " + object(table) + " r where r." + key + " <= 99"
}

// dictionary is how the parts are, by key. Tables that come back from the recycle bin have constraints and indexes with names of the bin:
// renamed has the names of those by kind and description.
type dictionary struct {
	is      map[string]string
	renamed map[string]string
	indexOf map[string]string // the index of a constraint
}

// there reads how the parts are.
func (s *scheduler) there(ctx context.Context, on client.Querier, src source) (dictionary, error) {
	d := dictionary{map[string]string{}, map[string]string{}, map[string]string{}}
	tables, err := src.tablesAt(src.migrations[len(src.migrations)-1].Version)
	if err != nil {
		return d, err
	}
	read := func(query string, row func(*sql.Rows) error) {
		if err == nil {
			err = s.each(ctx, on, query, row)
		}
	}
	all := map[string][]string{}
	read(objectQuery, func(rows *sql.Rows) error {
		var kind, name string
		err := rows.Scan(&kind, &name)
		d.is[kind+" "+name] = ""
		return err
	})
	read(columnQuery, func(rows *sql.Rows) error {
		var table, name, is, nullable, virtual string
		var expression sql.NullString
		err := rows.Scan(&table, &name, &is, &nullable, &virtual, &expression)
		column := table + "." + name
		all[table] = append(all[table], name+" "+is)
		if virtual == "YES" {
			if typeless(tables, table, name) {
				is = ""
			}
			is = strings.TrimSpace(is + " virtual " + schema.Values(expression.String))
		} else if plain := schema.Plain(expression.String); plain != "" && plain != "null" {
			d.is["default "+column] = plain
		}
		if d.is["column "+column] = is; nullable == "N" {
			d.is["not null "+column] = ""
		}
		return err
	})
	for _, t := range tables.Tables {
		_, there := d.is["table "+t.Name]
		if _, ok := replaceable()[t.Name]; ok && there {
			d.is["table "+t.Name] = strings.Join(all[t.Name], ", ")
		}
	}
	var last, lastIs, state string
	var columns []string
	end := func() {
		if last != "" {
			kind, name, _ := strings.Cut(last, " ")
			d.add(kind, name, lastIs, columns, state)
		}
		last, columns = "", nil
	}
	read(constraintQuery, func(rows *sql.Rows) error {
		var kind, name, table string
		var index, condition, how, column sql.NullString
		err := rows.Scan(&kind, &name, &table, &index, &condition, &how, &column)
		if kind == "check" {
			d.add(kind, name, strings.TrimSpace(table+" "+schema.Values(condition.String)), nil, how.String)
			return err
		}
		if last != kind+" "+name {
			end()
			last, lastIs, state = kind+" "+name, table, how.String
		}
		columns = append(columns, column.String)
		d.indexOf[name] = index.String
		return err
	})
	end()
	read(indexQuery, func(rows *sql.Rows) error {
		var name, table, column string
		var how sql.NullString
		err := rows.Scan(&name, &table, &how, &column)
		if last != "index "+name {
			end()
			last, lastIs, state = "index "+name, table, how.String
		}
		if t := tables.Table(table); strings.HasPrefix(column, "SYS_NC") {
			column = hidden
		} else if t != nil {
			column = shown(t, []string{column})[0]
		}
		columns = append(columns, column)
		return err
	})
	end()
	return d, err
}

// typeless reports whether the migrations leave the type of a column to the server.
func typeless(tables *schema.Schema, table, column string) bool {
	t := tables.Table(table)
	return t != nil && slices.ContainsFunc(t.Columns, func(c schema.Column) bool { return c.Name == column && c.Type == "" })
}

// add records a constraint or an index.
func (d dictionary) add(kind, name, is string, columns []string, state string) {
	if columns != nil {
		is = indexed(is, columns)
	}
	if strings.HasPrefix(name, "BIN$") {
		d.renamed[kind+" "+is] = name
		return
	}
	d.is[kind+" "+name] = is + state
}

// each runs a query, which may use :in_prefix, and reads its rows.
func (s *scheduler) each(ctx context.Context, on client.Querier, query string, read func(*sql.Rows) error) error {
	var params []any
	if strings.Contains(query, ":in_prefix") {
		params = append(params, sql.Named("in_prefix", templates.DefaultPrefix))
	}
	return s.Failed(ctx, "reading the dictionary", client.Each(ctx, on, query, params, read))
}
