package catalog

import (
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
)

// Resolve finds the object that a dotted name begins with, in the namespace of tables: of the current schema, then a
// public synonym; and if that fails, with the first part as a schema. Synonyms lead to their objects. rest is what
// follows the object's name: columns, members of a package. o is nil if the rights can see nothing by that name;
// the caller chooses the message (ORA-00942, 00904, 04043, PLS-00201). Errors: ORA-00980 and ORA-01775 for a
// synonym that leads nowhere.
func (c *Catalog) Resolve(r Rights, schema string, ref *ast.Ref) (o *Object, rest []ast.Name, err error) {
	first := c.Object(schema, ref.Parts[0].Text)
	if first == nil {
		first = c.Find(Public, ref.Parts[0].Text, ast.KindSynonym)
	}
	rest = ref.Parts[1:]
	if first == nil && len(rest) > 0 {
		first = c.Object(ref.Parts[0].Text, rest[0].Text)
		rest = rest[1:]
	}
	if first == nil {
		return nil, nil, nil
	}
	if o, err = c.Follow(first); err != nil {
		return nil, nil, err
	}
	if !c.Visible(r, o) {
		return nil, nil, nil
	}
	return o, rest, nil
}

// ResolveIn finds the object of a name of one or two parts as DDL does: in the given schema or, for one
// part, in the current one; synonyms are not followed. nil if the rights can see nothing by that name.
func (c *Catalog) ResolveIn(r Rights, schema string, ref *ast.Ref, kind ast.ObjectKind) *Object {
	name := ref.Parts[0].Text
	if len(ref.Parts) > 1 {
		schema, name = name, ref.Parts[1].Text
	}
	o := c.Find(schema, name, kind)
	if o == nil || !c.Visible(r, o) {
		return nil
	}
	return o
}

// Follow returns what an object leads to: itself, unless it is a synonym. Errors: ORA-00980, ORA-01775.
func (c *Catalog) Follow(o *Object) (*Object, error) {
	for range 32 {
		s, ok := o.Def.(*Synonym)
		if !ok {
			return o, nil
		}
		next := c.Object(s.Owner, s.Name)
		if next == nil {
			if o.Owner == Public && o.Name == s.Name { // the name leads back to this synonym
				break
			}
			return nil, message.ORA(980)
		}
		o = next
	}
	return nil, message.ORA(1775)
}
