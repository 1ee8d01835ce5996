package catalog

func objectCells(o *Object) []any {
	return []any{
		o.Name, o.ID, orNull(o.OwnOwner), o.SchemaID, o.Parent, o.Kind.Code(), o.Kind.Describe(), o.Created, o.Modified,
		o.Kind == SystemViewObject, false, false,
	}
}

func (s *Server) objectViews() {
	all := func(*Object) bool { return true }
	s.view("objects", func(v *viewer) {
		for o := range v.objects(all) {
			v.emit(objectCells(o)...)
		}
	})
	s.view("all_objects", func(v *viewer) {
		for _, o := range ordered(&s.viewIDs) {
			v.emit(objectCells(o)...)
		}
		for o := range v.objects(all) {
			v.emit(objectCells(o)...)
		}
	})
	s.view("extended_properties", func(*viewer) {})
	s.view("assemblies", func(*viewer) {})
	s.view("sysobjects", func(v *viewer) {
		for o := range v.objects(all) {
			v.emit(o.Name, o.ID, o.Kind.Code(), o.SchemaID, 0, 0, 0, 0, o.Parent, o.Created, 0, 0, 0, oldType(o.Kind),
				0, 0, 0, o.Created, 0, 0, 0, 0, 0, 0, 0)
		}
	})
	s.view("tables", func(v *viewer) {
		for o := range v.objects(ofKind(UserTable)) {
			t := o.Table()
			esc, escDesc := 0, "TABLE"
			if t.NoEscalate {
				esc, escDesc = 1, "DISABLE"
			}
			v.emit(append(objectCells(o), 0, nil, t.LastColumn, false, true, false, false, false, false, false, 0, false, false, esc, escDesc,
				false, false, 0, "SCHEMA_AND_DATA", 0, "NON_TEMPORAL_TABLE", nil, false, false)...)
		}
	})
	s.view("views", func(v *viewer) {
		for o := range v.objects(ofKind(View)) {
			v.emit(append(objectCells(o), false, false, false, false, o.Module().CheckOption, false)...)
		}
	})
	s.view("procedures", func(v *viewer) {
		for o := range v.objects(ofKind(Procedure)) {
			v.emit(append(objectCells(o), false, false, false, false)...)
		}
	})
	s.view("triggers", func(*viewer) {})
	s.view("synonyms", func(*viewer) {})
	for _, name := range []string{"sql_modules", "all_sql_modules"} {
		s.view(name, moduleRows)
	}
	s.view("schemas", func(v *viewer) {
		for _, sch := range v.db.Schemas() {
			v.emit(sch.Name, sch.ID, sch.Owner)
		}
	})
}

// oldType is sysobjects.type, which has fewer kinds than xtype.
func oldType(k Kind) string {
	switch k {
	case PrimaryKey, UniqueConstraint:
		return "K "
	default:
	}
	return k.Code()
}

func moduleRows(v *viewer) {
	for o := range v.objects(func(o *Object) bool { return o.Kind.IsModule() }) {
		m := o.Module()
		var text, as any
		if v.db.SeesDefinition(v.Token, o) {
			text = m.Text
		}
		switch m.ExecuteAs {
		case AsOwner:
			as = -2
		case AsUser:
			as = m.ExecuteAsUser
		case AsCaller:
		}
		v.emit(o.ID, text, m.AnsiNulls, m.QuotedIdentifier, false, o.Kind == View, m.Recompile, false, as, false, false, false)
	}
}
