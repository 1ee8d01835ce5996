package catalog

func (s *Server) indexViews() {
	s.view("indexes", func(v *viewer) {
		for o := range v.objects(ofKind(UserTable, TableTypeObject)) {
			t := o.Table()
			if t.Clustered() == nil {
				v.emit(o.ID, nil, 0, 0, "HEAP", false, 1, false, false, false, 0, false, false, false, false, true, true, false, nil, nil, false, false, false)
			}
			for _, x := range t.Indexes {
				kind, desc := 2, "NONCLUSTERED"
				if x.Clustered {
					kind, desc = 1, "CLUSTERED"
				}
				v.emit(o.ID, x.Name, x.ID, kind, desc, x.Unique, 1, false, x.PrimaryKey, x.UniqueConstr, x.FillFactor, false, false, false, false,
					true, true, x.Filter != nil, orNull(x.FilterText), nil, false, false, false)
			}
		}
	})
	s.view("index_columns", func(v *viewer) {
		for o := range v.objects(ofKind(UserTable, TableTypeObject)) {
			t := o.Table()
			for _, x := range t.Indexes {
				for i, k := range x.Keys {
					v.emit(o.ID, x.ID, i+1, t.Columns[k.Column].ID, i+1, 0, k.Desc, false, 0)
				}
				for i, c := range x.Included {
					v.emit(o.ID, x.ID, len(x.Keys)+i+1, t.Columns[c].ID, 0, 0, false, true, 0)
				}
			}
		}
	})
	s.view("check_constraints", func(v *viewer) {
		for o := range v.objects(ofKind(CheckConstraint)) {
			for _, c := range v.parent(o).Checks {
				if c.ID == o.ID {
					v.emit(append(objectCells(o), false, false, c.NotTrusted, c.Column, c.Text, true, c.SystemNamed)...)
				}
			}
		}
	})
	s.view("default_constraints", func(v *viewer) {
		for o := range v.objects(ofKind(DefaultConstraint)) {
			t := v.parent(o)
			for i := range t.Columns {
				if d := t.Columns[i].Default; d != nil && d.ID == o.ID {
					v.emit(append(objectCells(o), t.Columns[i].ID, d.Text, d.SystemNamed)...)
				}
			}
		}
	})
}

// parent returns the definition of a constraint's table, an empty one if the table no longer exists.
func (v *viewer) parent(o *Object) *Table {
	if p := v.db.ObjectByID(o.Parent); p != nil && p.Table() != nil {
		return p.Table()
	}
	return &Table{Identity: -1}
}
