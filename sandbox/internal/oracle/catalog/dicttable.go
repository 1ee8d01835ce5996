package catalog

import (
	"fmt"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
)

// largest is the MAXVALUE of a sequence.
const largest = "9999999999999999999999999999"

var largestNumber, _ = datatype.ParseNumber(largest)

func (c *Catalog) tableViews() {
	c.family("TABLES", "OWNER VARCHAR2(128), TABLE_NAME VARCHAR2(128), TABLESPACE_NAME VARCHAR2(30), STATUS VARCHAR2(8), "+
		"TEMPORARY VARCHAR2(1), DURATION VARCHAR2(15), PARTITIONED VARCHAR2(3), IOT_TYPE VARCHAR2(12), NESTED VARCHAR2(3), "+
		"DROPPED VARCHAR2(3), READ_ONLY VARCHAR2(3), SEGMENT_CREATED VARCHAR2(3), NUM_ROWS NUMBER, LAST_ANALYZED DATE, "+
		"CLUSTER_NAME VARCHAR2(128), IOT_NAME VARCHAR2(128), BLOCKS NUMBER, SECONDARY VARCHAR2(1), COMPRESSION VARCHAR2(8), COMPRESS_FOR VARCHAR2(30)", "OWNER", func(v *viewer) {
		for o, t := range v.tables() {
			var tablespace, duration any = v.Catalog.User(o.Owner).DefaultTablespace, nil
			if t.Temporary {
				tablespace, duration = nil, which(t.PreserveRows, "SYS$SESSION", "SYS$TRANSACTION")
			}
			v.emit(o.Owner, o.Name, tablespace, "VALID", flag(t.Temporary), duration, "NO", nil, "NO", "NO", "NO",
				yesNo(o.Segment), nil, nil, nil, nil, nil, "N", "DISABLED", nil)
		}
	})
	c.family("TAB_COMMENTS", "OWNER VARCHAR2(128), TABLE_NAME VARCHAR2(128), TABLE_TYPE VARCHAR2(11), COMMENTS VARCHAR2(4000)",
		"OWNER", func(v *viewer) {
			for o := range v.objects(ast.KindTable, ast.KindView) {
				comment := ""
				switch d := o.Def.(type) {
				case *Table:
					comment = d.Comment
				case *View:
					comment = d.Comment
				}
				v.emit(o.Owner, o.Name, string(o.Kind), comment)
			}
		})
	c.family("COL_COMMENTS", "OWNER VARCHAR2(128), TABLE_NAME VARCHAR2(128), COLUMN_NAME VARCHAR2(128), COMMENTS VARCHAR2(4000)",
		"OWNER", func(v *viewer) {
			for o := range v.objects(ast.KindTable, ast.KindView) {
				for _, col := range ColumnsOf(o) {
					v.emit(o.Owner, o.Name, col.Name, col.Comment)
				}
			}
		})
}

// tabColumns are the columns that TAB_COLUMNS and TAB_COLS share. DATA_DEFAULT is a LONG in Oracle. There are no statistics.
const tabColumns = "OWNER VARCHAR2(128), TABLE_NAME VARCHAR2(128), COLUMN_NAME VARCHAR2(128), DATA_TYPE VARCHAR2(128), " +
	"DATA_TYPE_MOD VARCHAR2(3), DATA_TYPE_OWNER VARCHAR2(128), DATA_LENGTH NUMBER, DATA_PRECISION NUMBER, DATA_SCALE NUMBER, " +
	"NULLABLE VARCHAR2(1), COLUMN_ID NUMBER, DEFAULT_LENGTH NUMBER, DATA_DEFAULT CLOB, NUM_DISTINCT NUMBER, LOW_VALUE RAW(1000), " +
	"HIGH_VALUE RAW(1000), DENSITY NUMBER, NUM_NULLS NUMBER, NUM_BUCKETS NUMBER, LAST_ANALYZED DATE, SAMPLE_SIZE NUMBER, CHARACTER_SET_NAME VARCHAR2(44), " +
	"CHAR_COL_DECL_LENGTH NUMBER, GLOBAL_STATS VARCHAR2(3), USER_STATS VARCHAR2(3), AVG_COL_LEN NUMBER, CHAR_LENGTH NUMBER, CHAR_USED VARCHAR2(1), " +
	"HISTOGRAM VARCHAR2(15), DEFAULT_ON_NULL VARCHAR2(3), IDENTITY_COLUMN VARCHAR2(3), COLLATION VARCHAR2(100)"

func (c *Catalog) columnViews() {
	c.family("TAB_IDENTITY_COLS", "OWNER VARCHAR2(128), TABLE_NAME VARCHAR2(128), COLUMN_NAME VARCHAR2(128), GENERATION_TYPE VARCHAR2(10), "+
		"IDENTITY_OPTIONS VARCHAR2(298)", "OWNER", (*viewer).identityRows)
	c.family("TAB_COLUMNS", tabColumns, "OWNER", func(v *viewer) { v.columnRows(false) })
	c.family("TAB_COLS", tabColumns+", HIDDEN_COLUMN VARCHAR2(3), VIRTUAL_COLUMN VARCHAR2(3), INTERNAL_COLUMN_ID NUMBER, "+
		"QUALIFIED_COL_NAME VARCHAR2(4000), USER_GENERATED VARCHAR2(3)", "OWNER", func(v *viewer) { v.columnRows(true) })
}

// identityRows yields the identity columns.
func (v *viewer) identityRows() {
	for o, t := range v.tables() {
		for _, col := range t.Columns {
			if col.Identity == nil {
				continue
			}
			s := col.Identity.Sequence
			v.emit(o.Owner, o.Name, col.Name, strings.TrimSuffix(string(col.Identity.Kind), " ON NULL"), fmt.Sprintf(
				"START WITH: %d, INCREMENT BY: 1, MAX_VALUE: "+largest+", MIN_VALUE: 1, CYCLE_FLAG: N, CACHE_SIZE: %d, ORDER_FLAG: %s, "+
					"SCALE_FLAG: N, EXTEND_FLAG: N, SESSION_FLAG: N, KEEP_VALUE: N", s.Start, s.Cache, flag(s.Order)))
		}
	}
}

// columnRows yields the columns of tables and views; hidden says whether to include those that SELECT * leaves out
// and the other columns of TAB_COLS.
func (v *viewer) columnRows(hidden bool) {
	for o := range v.objects(ast.KindTable, ast.KindView) {
		shown := 0
		for i, col := range ColumnsOf(o) {
			var id any
			if !col.Hidden {
				shown++
				id = shown
			} else if !hidden {
				continue
			}
			text := ""
			switch {
			case col.Virtual != nil:
				text = col.Virtual.Text
			case col.Default != nil:
				text = col.Default.Text
			}
			var length any
			if text != "" {
				length = len(text)
			}
			t := col.Type
			precision, scale := facets(t)
			var charset, declared, collation any
			if t.IsText() {
				charset, declared, collation = which(t.IsNational(), "NCHAR_CS", "CHAR_CS"), t.Bytes(), "USING_NLS_COMP"
			}
			cells := []any{o.Owner, o.Name, col.Name, dictionaryType(t), nil, nil, t.Bytes(), precision, scale, flag(col.Nullable), id,
				length, text, nil, nil, nil, nil, nil, nil, nil, nil, charset, declared, "NO", "NO", nil, charLength(t), charUsed(t),
				"NONE", yesNo(col.DefaultOnNull), yesNo(col.Identity != nil), collation}
			if hidden {
				cells = append(cells, yesNo(col.Hidden), yesNo(col.Virtual != nil), i+1, col.Name, "YES")
			}
			if !v.emit(cells...) {
				return
			}
		}
	}
}

// dictionaryType is DATA_TYPE: it includes the precision of times but no lengths.
func dictionaryType(t datatype.Type) string {
	switch t.ID {
	case datatype.Timestamp, datatype.TimestampTZ, datatype.IntervalDS:
		return t.String()
	}
	return t.ID.String()
}

// facets returns DATA_PRECISION and DATA_SCALE.
func facets(t datatype.Type) (precision, scale any) {
	switch t.ID {
	case datatype.Number:
		if t.Prec > 0 {
			precision = int(t.Prec)
		}
		if t.Scale != datatype.Unset {
			scale = int(t.Scale)
		}
		if t.Prec == 38 && t.Scale == 0 { // INTEGER: the precision is not kept
			precision = nil
		}
	case datatype.Float:
		precision = int(t.Prec)
	case datatype.Timestamp, datatype.TimestampTZ:
		scale = int(t.Scale)
	case datatype.IntervalDS:
		precision, scale = int(t.Prec), int(t.Scale)
	}
	return precision, scale
}

func charLength(t datatype.Type) int {
	if t.IsText() {
		return int(t.Len)
	}
	return 0
}

func charUsed(t datatype.Type) any {
	if !t.IsText() {
		return nil
	}
	return which(t.Chars || t.IsNational(), "C", "B")
}

func (c *Catalog) indexViews() {
	c.family("INDEXES", "OWNER VARCHAR2(128), INDEX_NAME VARCHAR2(128), INDEX_TYPE VARCHAR2(27), TABLE_OWNER VARCHAR2(128), "+
		"TABLE_NAME VARCHAR2(128), TABLE_TYPE VARCHAR2(11), UNIQUENESS VARCHAR2(9), TABLESPACE_NAME VARCHAR2(30), STATUS VARCHAR2(8), "+
		"PARTITIONED VARCHAR2(3), TEMPORARY VARCHAR2(1), GENERATED VARCHAR2(1), FUNCIDX_STATUS VARCHAR2(8), VISIBILITY VARCHAR2(9), "+
		"CONSTRAINT_INDEX VARCHAR2(3), COMPRESSION VARCHAR2(13), PREFIX_LENGTH NUMBER, NUM_ROWS NUMBER, LAST_ANALYZED DATE, DISTINCT_KEYS NUMBER, LEAF_BLOCKS NUMBER", "OWNER", func(v *viewer) {
		for o := range v.objects(ast.KindIndex) {
			x := o.Def.(*Index)
			t := x.Table.Def.(*Table)
			kind, enabled := "NORMAL", any(nil)
			for _, k := range x.Keys {
				col := t.Columns[k]
				if col.Virtual != nil || col.Type.ID == datatype.TimestampTZ { // the last is indexed as SYS_EXTRACT_UTC
					kind, enabled = "FUNCTION-BASED NORMAL", "ENABLED"
				}
			}
			constraint := false
			for _, k := range t.Constraints {
				constraint = constraint || k.Index == x
			}
			var tablespace any
			if !t.Temporary {
				tablespace = v.Catalog.User(o.Owner).DefaultTablespace
			}
			v.emit(o.Owner, o.Name, kind, x.Table.Owner, x.Table.Name, "TABLE", which(x.Unique, "UNIQUE", "NONUNIQUE"), tablespace, "VALID",
				"NO", flag(o.Temporary), flag(o.Generated), enabled, which(x.Invisible, "INVISIBLE", "VISIBLE"), yesNo(constraint), "DISABLED", nil, nil, nil, nil, nil)
		}
	})
	c.family("IND_COLUMNS", "INDEX_OWNER VARCHAR2(128), INDEX_NAME VARCHAR2(128), TABLE_OWNER VARCHAR2(128), TABLE_NAME VARCHAR2(128), "+
		"COLUMN_NAME VARCHAR2(4000), COLUMN_POSITION NUMBER, COLUMN_LENGTH NUMBER, CHAR_LENGTH NUMBER, DESCEND VARCHAR2(4)",
		"INDEX_OWNER TABLE_OWNER", func(v *viewer) {
			for o := range v.objects(ast.KindIndex) {
				x := o.Def.(*Index)
				for i, k := range x.Keys {
					col := x.Table.Def.(*Table).Columns[k]
					v.emit(o.Owner, o.Name, x.Table.Owner, x.Table.Name, col.Name, i+1, col.Type.Bytes(), charLength(col.Type), "ASC")
				}
			}
		})
	c.family("IND_EXPRESSIONS", "INDEX_OWNER VARCHAR2(128), INDEX_NAME VARCHAR2(128), TABLE_OWNER VARCHAR2(128), "+
		"TABLE_NAME VARCHAR2(128), COLUMN_EXPRESSION CLOB, COLUMN_POSITION NUMBER", "INDEX_OWNER TABLE_OWNER", func(v *viewer) {
		for o := range v.objects(ast.KindIndex) {
			x := o.Def.(*Index)
			for i, k := range x.Keys {
				if col := x.Table.Def.(*Table).Columns[k]; col.Virtual != nil {
					v.emit(o.Owner, o.Name, x.Table.Owner, x.Table.Name, col.Virtual.Text, i+1)
				}
			}
		}
	})
}

func (c *Catalog) constraintViews() {
	c.family("CONSTRAINTS", "OWNER VARCHAR2(128), CONSTRAINT_NAME VARCHAR2(128), CONSTRAINT_TYPE VARCHAR2(1), TABLE_NAME VARCHAR2(128), "+
		"SEARCH_CONDITION CLOB, SEARCH_CONDITION_VC VARCHAR2(4000), R_OWNER VARCHAR2(128), R_CONSTRAINT_NAME VARCHAR2(128), "+
		"DELETE_RULE VARCHAR2(9), STATUS VARCHAR2(8), DEFERRABLE VARCHAR2(14), DEFERRED VARCHAR2(9), VALIDATED VARCHAR2(13), "+
		"GENERATED VARCHAR2(14), INDEX_OWNER VARCHAR2(128), INDEX_NAME VARCHAR2(128)", "", func(v *viewer) {
		for o, t := range v.tables() {
			for _, k := range t.Constraints {
				v.constraintRow(o, t, k)
			}
		}
	})
	c.family("CONS_COLUMNS", "OWNER VARCHAR2(128), CONSTRAINT_NAME VARCHAR2(128), TABLE_NAME VARCHAR2(128), COLUMN_NAME VARCHAR2(4000), "+
		"POSITION NUMBER", "", func(v *viewer) {
		for o, t := range v.tables() {
			for _, k := range t.Constraints {
				for i, col := range k.Columns {
					var position any
					if k.Kind != ast.Check && k.Kind != ast.NotNull {
						position = i + 1
					}
					v.emit(o.Owner, k.Name, o.Name, t.Columns[col].Name, position)
				}
			}
		}
	})
}

func (v *viewer) constraintRow(o *Object, t *Table, k *Constraint) {
	letter := map[ast.ConstraintKind]string{ast.PrimaryKey: "P", ast.Unique: "U", ast.Check: "C", ast.NotNull: "C"}[k.Kind]
	var condition, indexOwner, index any
	switch k.Kind {
	case ast.Check:
		condition = k.Check.Text
	case ast.NotNull:
		condition = fmt.Sprintf("%q IS NOT NULL", t.Columns[k.Columns[0]].Name)
	}
	if k.Index != nil {
		index = k.Index.Name
		if k.Index.Owner != o.Owner {
			indexOwner = k.Index.Owner
		}
	}
	v.emit(o.Owner, k.Name, letter, o.Name, condition, condition, nil, nil, nil, which(k.Disabled, "DISABLED", "ENABLED"),
		which(k.Deferred, "DEFERRABLE", "NOT DEFERRABLE"), which(k.Deferred, "DEFERRED", "IMMEDIATE"), which(k.Disabled || k.NoValidate, "NOT VALIDATED", "VALIDATED"),
		which(k.Generated, "GENERATED NAME", "USER NAME"), indexOwner, index)
}
