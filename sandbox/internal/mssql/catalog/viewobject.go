package catalog

// The columns of the views are those of learn.microsoft.com "System catalog views", in the order
// of the pages; columns that the newest versions have added at the end are left out.

// objectColumns are the first columns of every view of objects.
const objectColumns = `name sysname, object_id int, principal_id int?, schema_id int, parent_object_id int, type char(2)?, ` +
	`type_desc nvarchar(60)?, create_date datetime, modify_date datetime, is_ms_shipped bit?, is_published bit?, is_schema_published bit?`

func objectCells(o *Object) []any {
	return []any{
		o.Name, o.ID, orNull(o.OwnOwner), o.SchemaID, o.Parent, o.Kind.Code(), o.Kind.Describe(), o.Created, o.Modified,
		o.Kind == SystemViewObject, false, false,
	}
}

func (s *Server) objectViews() {
	all := func(*Object) bool { return true }
	s.view("objects", objectColumns, func(v *viewer) {
		for o := range v.objects(all) {
			v.emit(objectCells(o)...)
		}
	})
	s.view("all_objects", objectColumns, func(v *viewer) {
		for _, o := range ordered(&s.viewIDs) {
			v.emit(objectCells(o)...)
		}
		for o := range v.objects(all) {
			v.emit(objectCells(o)...)
		}
	})
	s.view("extended_properties", `class tinyint, class_desc nvarchar(60)?, major_id int, minor_id int, name sysname, value sql_variant?`, func(*viewer) {})
	s.view("assemblies", `name sysname, principal_id int?, assembly_id int, clr_name nvarchar(4000)?, permission_set tinyint?, permission_set_desc nvarchar(60)?, `+
		`is_visible bit, create_date datetime, modify_date datetime, is_user_defined bit?`, func(*viewer) {})
	s.view("sysobjects", `name sysname, id int, xtype char(2), uid smallint?, info smallint?, status int?, base_schema_ver int?, `+
		`replinfo int?, parent_obj int, crdate datetime, ftcatid smallint?, schema_ver int?, stats_schema_ver int?, type char(2)?, userstat smallint?, `+
		`sysstat smallint?, indexdel smallint?, refdate datetime, version int?, deltrig int?, instrig int?, updtrig int?, seltrig int?, category int?, cache smallint?`,
		func(v *viewer) {
			for o := range v.objects(all) {
				v.emit(o.Name, o.ID, o.Kind.Code(), o.SchemaID, 0, 0, 0, 0, o.Parent, o.Created, 0, 0, 0, oldType(o.Kind),
					0, 0, 0, o.Created, 0, 0, 0, 0, 0, 0, 0)
			}
		})
	s.view("tables", objectColumns+`, lob_data_space_id int, filestream_data_space_id int?, max_column_id_used int, lock_on_bulk_load bit, uses_ansi_nulls bit?, `+
		`is_replicated bit?, has_replication_filter bit?, is_merge_published bit?, is_sync_tran_subscribed bit?, has_unchecked_assembly_data bit, `+
		`text_in_row_limit int?, large_value_types_out_of_row bit?, is_tracked_by_cdc bit?, lock_escalation tinyint?, lock_escalation_desc nvarchar(60)?, `+
		`is_filetable bit?, is_memory_optimized bit?, durability tinyint?, durability_desc nvarchar(60)?, temporal_type tinyint?, temporal_type_desc nvarchar(60)?, `+
		`history_table_id int?, is_remote_data_archive_enabled bit?, is_external bit`, func(v *viewer) {
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
	viewColumns := objectColumns + `, is_replicated bit?, has_replication_filter bit?, has_opaque_metadata bit, has_unchecked_assembly_data bit, ` +
		`with_check_option bit, is_date_correlation_view bit`
	s.view("views", viewColumns, func(v *viewer) {
		for o := range v.objects(ofKind(View)) {
			v.emit(append(objectCells(o), false, false, false, false, o.Module().CheckOption, false)...)
		}
	})
	s.view("procedures", objectColumns+`, is_auto_executed bit, is_execution_replicated bit?, is_repl_serializable_only bit?, skips_repl_constraints bit?`, func(v *viewer) {
		for o := range v.objects(ofKind(Procedure)) {
			v.emit(append(objectCells(o), false, false, false, false)...)
		}
	})
	s.view("triggers", `name sysname, object_id int, parent_class tinyint, parent_class_desc nvarchar(60)?, parent_id int, type char(2), type_desc nvarchar(60)?, `+
		`create_date datetime, modify_date datetime, is_ms_shipped bit, is_disabled bit, is_not_for_replication bit, is_instead_of_trigger bit`, func(*viewer) {})
	s.view("synonyms", objectColumns+`, base_object_name nvarchar(1035)?`, func(*viewer) {})
	modules := `object_id int, definition nvarchar(max)?, uses_ansi_nulls bit?, uses_quoted_identifier bit?, is_schema_bound bit?, uses_database_collation bit?, ` +
		`is_recompiled bit?, null_on_null_input bit?, execute_as_principal_id int?, uses_native_compilation bit?, inline_type bit?, is_inlineable bit?`
	for _, name := range []string{"sql_modules", "all_sql_modules"} {
		s.view(name, modules, moduleRows)
	}
	s.view("schemas", `name sysname, schema_id int, principal_id int?`, func(v *viewer) {
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
