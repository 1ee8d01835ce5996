package ddl_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
)

func TestModuleTextKeepsAllButOrAlter(t *testing.T) {
	for _, c := range []struct{ name, sql, want string }{
		{"create", "-- why\nCREATE PROCEDURE p AS SELECT 1 -- end", "-- why\nCREATE PROCEDURE p AS SELECT 1 -- end"},
		{"create or alter", "-- é why\ncreate  /* x */ OR ALTER PROCEDURE p AS SELECT N'é'", "-- é why\ncreate  /* x */   PROCEDURE p AS SELECT N'é'"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSession(t)
			s.must(c.sql)
			require.Equal(t, c.want, s.db.Object("dbo", "p").Module().Text)
			s.must("/* 2 */ Alter procedure p as select 2")
			require.Equal(t, "/* 2 */ CREATE procedure p as select 2", s.db.Object("dbo", "p").Module().Text)
		})
	}
}

func TestAlterKeepsTheObject(t *testing.T) {
	s := newSession(t)
	s.must("create procedure p @a int, @b nvarchar(10) = N'x' output with recompile, execute as owner as select 1")
	before := s.db.Object("dbo", "p")
	m := before.Module()
	require.True(t, m.Recompile && m.AnsiNulls && m.QuotedIdentifier)
	require.Equal(t, catalog.AsOwner, m.ExecuteAs)
	require.Equal(t, datatype.Sized(datatype.NVarChar, 10), m.Params[1].Type)
	require.True(t, m.Params[1].Output && m.Params[1].HasDefault)
	s.must("create user bob without login; grant execute on p to bob; create or alter procedure p as select 2")
	after := s.db.Object("dbo", "p")
	require.Equal(t, before.ID, after.ID)
	require.Equal(t, catalog.Granted, s.db.Granted(catalog.OnObject(after), "EXECUTE", s.db.PrincipalByName("bob").ID))

	for _, c := range []struct{ sql, want string }{
		{"create procedure p as select 1", "Msg 2714, Level 16, State 3"},
		{"alter procedure nosuch as select 1", "Msg 208, Level 16, State 6, Line 0: Invalid object name 'nosuch'."},
		{"create or alter view p as select 1 as a", "Msg 2010"},
		{"create procedure q with execute as 'nosuch' as select 1", "Msg 15151, Level 16, State 1, Line 0: Cannot execute as the user 'nosuch'"},
		{"create procedure q @a int, @A int as select 1", "Msg 134"},
		{"create procedure q @a dbo.nosuch readonly as select 1", "Msg 2715"},
		{"create procedure q with encryption as select 1", "does not model"},
		{"create function f() returns int as begin return 1; select 1 end", "Msg 455"},
		{"create view v (a, b) as select 1 as a", "Msg 8159"},
		{"drop view p", "Msg 3705, Level 16, State 1, Line 0: Cannot use DROP VIEW with 'p' because 'p' is a procedure. Use DROP PROCEDURE."},
		{"drop procedure nosuch", "Msg 3701, Level 11, State 5, Line 0: Cannot drop the procedure 'nosuch', because it does not exist or you do not have permission."},
	} {
		s.fails(c.sql, c.want)
	}
	s.must("drop procedure if exists nosuch, p")
	require.Nil(t, s.db.Object("dbo", "p"))
}

func TestFunctions(t *testing.T) {
	s := newSession(t)
	s.must("create table t (a int)")
	s.must("create function dbo.scalar(@x int) returns decimal(9,2) as begin return @x end")
	s.must("create function dbo.inline(@x int) returns table as return (select 1 as a)")
	s.fails("create function dbo.multi() returns @r table (a int primary key, b int) as begin insert @r(a) values (1); return end", "does not model")
	require.Equal(t, datatype.DecimalOf(9, 2), s.db.Object("dbo", "scalar").Module().Returns)
	require.Equal(t, catalog.InlineFunction, s.db.Object("dbo", "inline").Kind)
	s.fails("alter function dbo.scalar() returns table as return (select 1 as a)", "Msg 2010")
	s.must("drop table t")
}

func TestTypes(t *testing.T) {
	s := newSession(t)
	s.must("create type dbo.ids as table (id int not null primary key, n nvarchar(40))")
	s.must("create table t (n int, m sysname)")
	require.Equal(t, int32(256), s.table("t").Columns[1].UserType)
	s.must("create procedure p @ids dbo.ids readonly as select 1")
	require.Equal(t, "[dbo].[ids]", s.db.Object("dbo", "p").Module().Params[0].Type.Table)
	s.fails("create procedure q @ids dbo.ids as select 1", "Msg 352")
	s.fails("drop type dbo.ids", "Msg 3732")
	s.fails("drop type dbo.nosuch", "Msg 218")
	s.must("drop procedure p; drop type dbo.ids; drop table t; drop type if exists nosuch")
}
