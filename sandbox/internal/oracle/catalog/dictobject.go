package catalog

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
)

// objectViews registers the views about objects of all kinds, sequences, views, synonyms and dependencies.
func (c *Catalog) objectViews() {
	c.family("OBJECTS", "OWNER VARCHAR2(128), OBJECT_NAME VARCHAR2(128), SUBOBJECT_NAME VARCHAR2(128), OBJECT_ID NUMBER, "+
		"DATA_OBJECT_ID NUMBER, OBJECT_TYPE VARCHAR2(23), CREATED DATE, LAST_DDL_TIME DATE, TIMESTAMP VARCHAR2(19), "+
		"STATUS VARCHAR2(7), TEMPORARY VARCHAR2(1), GENERATED VARCHAR2(1), SECONDARY VARCHAR2(1), NAMESPACE NUMBER, "+
		"ORACLE_MAINTAINED VARCHAR2(1)", "OWNER", func(v *viewer) {
		for o := range v.everything() {
			var data any
			if o.Kind == ast.KindTable || o.Kind == ast.KindIndex {
				data = o.ID
			}
			v.emit(o.Owner, o.Name, nil, o.ID, data, string(o.Kind), o.Created, o.LastDDL,
				o.Timestamp.UTC().Format("2006-01-02:15:04:05"), which(o.Invalid, "INVALID", "VALID"),
				flag(o.Temporary), flag(o.Generated), "N", namespace(o.Kind), flag(o.Owner == Sys))
		}
	})
	c.family("SEQUENCES", "SEQUENCE_OWNER VARCHAR2(128), SEQUENCE_NAME VARCHAR2(128), MIN_VALUE NUMBER, MAX_VALUE NUMBER, "+
		"INCREMENT_BY NUMBER, CYCLE_FLAG VARCHAR2(1), ORDER_FLAG VARCHAR2(1), CACHE_SIZE NUMBER, LAST_NUMBER NUMBER",
		"SEQUENCE_OWNER", func(v *viewer) {
			for o := range v.objects(ast.KindSequence) {
				s := o.Def.(*Sequence)
				v.emit(o.Owner, o.Name, 1, largestNumber, 1, "N", flag(s.Order), s.Cache, s.saved)
			}
		})
	c.family("VIEWS", "OWNER VARCHAR2(128), VIEW_NAME VARCHAR2(128), TEXT_LENGTH NUMBER, TEXT CLOB, TEXT_VC VARCHAR2(4000), "+
		"EDITIONING_VIEW VARCHAR2(1), READ_ONLY VARCHAR2(1)", "OWNER", func(v *viewer) {
		for o := range v.objects(ast.KindView) {
			if w, ok := o.Def.(*View); ok {
				v.emit(o.Owner, o.Name, len(w.Text), w.Text, w.Text[:min(len(w.Text), 4000)], "N", flag(w.ReadOnly))
			}
		}
	})
	c.family("SYNONYMS", "OWNER VARCHAR2(128), SYNONYM_NAME VARCHAR2(128), TABLE_OWNER VARCHAR2(128), TABLE_NAME VARCHAR2(128), "+
		"DB_LINK VARCHAR2(128)", "OWNER", func(v *viewer) {
		for o := range v.objects(ast.KindSynonym) {
			s := o.Def.(*Synonym)
			if v.scope == ofAll && o.Owner != v.User && o.Owner != Public {
				if t := v.Catalog.Object(s.Owner, s.Name); t == nil || !v.sees(t) {
					continue
				}
			}
			v.emit(o.Owner, o.Name, s.Owner, s.Name, nil)
		}
	})
	c.family("DEPENDENCIES", "OWNER VARCHAR2(128), NAME VARCHAR2(128), TYPE VARCHAR2(19), REFERENCED_OWNER VARCHAR2(128), "+
		"REFERENCED_NAME VARCHAR2(128), REFERENCED_TYPE VARCHAR2(19), REFERENCED_LINK_NAME VARCHAR2(128), "+
		"DEPENDENCY_TYPE VARCHAR2(4)", "OWNER", func(v *viewer) {
		for o := range v.objects() {
			for _, u := range usesOf(v.Catalog, o) {
				v.emit(o.Owner, o.Name, string(o.Kind), u.Owner, u.Name, string(u.Kind), nil, "HARD")
			}
		}
	})
}

// usesOf returns the objects that an object depends on, including a body's specification.
func usesOf(c *Catalog, o *Object) []*Object {
	uses := slices.Clone(o.Uses)
	if spec := c.Object(o.Owner, o.Name); o.Kind == ast.KindPackageBody && spec != nil && !slices.Contains(uses, spec) {
		uses = append(uses, spec)
	}
	slices.SortFunc(uses, func(a, b *Object) int { return which(lessObject(a, b), -1, 1) })
	return uses
}
