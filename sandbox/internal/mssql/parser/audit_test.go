package parser

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRefused: what the parser would accept, but the engine does not.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"select 'a", "Msg 105, Level 15, State 1, Line 1: Unclosed quotation mark after the character string 'a'."},
		{"select 1\nselect N'it''s", "Msg 105, Level 15, State 1, Line 2: Unclosed quotation mark after the character string 'it''s'."},
		{"select [a", "Msg 105, Level 15, State 1, Line 1: Unclosed quotation mark after the character string 'a'."},
		{"select 1\n/* a", "Msg 113, Level 15, State 1, Line 2: Missing end comment mark '*/'."},
		{"select /* a /* b */ c */ 1", "the sandbox does not model a comment in a comment"},
		{"select 1 ? 2", "Msg 102, Level 15, State 1, Line 1: Incorrect syntax near '?'."},
		{"select 1\x00select 2", "Msg 102, Level 15"},
		{"select (1", "Msg 102, Level 15, State 1, Line 1: Incorrect syntax near '1'."},
		{"select 1)", "Msg 102, Level 15, State 1, Line 1: Incorrect syntax near ')'."},
		{"select 1\nselect 2 from", "Msg 102, Level 15, State 1, Line 2: Incorrect syntax near 'from'."},
		{"abcde = 5", "Msg 102, Level 15, State 1, Line 1: Incorrect syntax near '='."},
		{"select 1; sp_who", "Msg 102, Level 15, State 1, Line 1: Incorrect syntax near 'sp_who'."},
		{"create procedure p as sp_who 1", "Msg 102, Level 15, State 1, Line 1: Incorrect syntax near 'sp_who'."},
		{"if 1 = 1 begin print 'a' end\nthrow 50000, 'a', 1", "Msg 102, Level 15, State 1, Line 2: Incorrect syntax near 'throw'."},
		{"print 'a' with c as (select 1 as a) select a from c", "Msg 319, Level 15"},
		{"select 1 create procedure p as return", "Msg 111, Level 15, State 1, Line 1: 'CREATE/ALTER PROCEDURE' must be the first statement in a query batch."},
		{"select 1 create view v as select 1 as a", "Msg 111, Level 15, State 1, Line 1: 'CREATE VIEW' must be the first statement in a query batch."},
		{"select 1 as from", "Incorrect syntax near the keyword 'from'."},
		{"create table t (primary int)", "Incorrect syntax near 'int'."},
		{"select 1 as group", "Msg 156, Level 15, State 1, Line 1: Incorrect syntax near the keyword 'group'."},
		{"declare c cursor zqz local for select 1", "Msg 102, Level 15, State 1, Line 1: Incorrect syntax near"},
		{"declare @c cursor set @c = cursor zqz for select 1", "Msg 102, Level 15, State 1, Line 1: Incorrect syntax near 'zqz'."},
		{"create view v ( as select 1 as a", "near the keyword 'as'"},
		{"create view v (as) select 1 as a", "Msg 156"},
		{"create view v as select 1 as a order by a", "Msg 1033, Level 15"},
		{"select a from (select 1 as a order by a) x", "Msg 1033, Level 15"},
		{"begin select 1", "Msg 102"},
		{"begin try select 1 end try begin catch select 2 end", "Msg 1"},
		{"select case when 1 = 1 then 2", "Msg 102"},
		{"exec p @a, select 1", "Msg 156"},
		{"create procedure p begin select 1 end", "Msg 156, Level 15, State 1, Line 1: Incorrect syntax near the keyword 'begin'."},
		{"create procedure p with as select 1", "Msg 156, Level 15, State 1, Line 1: Incorrect syntax near the keyword 'as'."},
		{"create message type m validation none", "Msg 102, Level 15, State 1, Line 1: Incorrect syntax near 'none'."},
		{"create or alter view dbo.v as select select 1 as a", "Incorrect syntax near the keyword 'select'."},
		{"create or alter view view dbo.v as select 1 as a", "Incorrect syntax near the keyword 'view'."},
		{"create view dbo.v AS select from x", "Incorrect syntax near the keyword 'from'."},
		{"alter queue q with activation (procedure_name = p max_queue_readers = 1)", "Incorrect syntax near 'max_queue_readers'."},
		{"set xact_abort", "Msg 1"},
		{"create user u without", "Msg 1"},
		{"grant select on t", "Msg 102"},
		{"select a from t order a", "Msg 102, Level 15, State 1, Line 1: Incorrect syntax near 'a'."},
		{"select 1\ngo\nselect 2", "GO"},
	} {
		_, err := Parse(c.text, func(string) {})
		require.ErrorContains(t, err, c.want, "%s", c.text)
	}
}

// TestNotModeled: what is not in the table is refused by name, in a batch and in a module.
func TestNotModeled(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"select a from t with (paglock)", `PAGLOCK in "paglock"`},
		{"select a from t option (fast 10)", `FAST in "select a from t option (fast 10)"`},
		{"select a from t tablesample (10 percent)", `TABLESAMPLE in`},
		{"alter queue q with (status = on, zqz = on)", `ON in "alter queue q`},
		{"create table t (a int sparse)", `SPARSE in "sparse"`},
		{"restore database x from disk = 'a'", `RESTORE in "restore database x from disk = 'a'"`},
		{"backup database x to url = 'a'", `URL in`},
		{"set statistics io on", `SET in "set statistics io on"`},
		{"merge t using (select 1 as a) s on t.a = s.a when matched then delete;", `"merge t using`},
		{"create table t (a int references u (a))", `REFERENCES in`},
		{"alter table t add constraint f foreign key (a) references u (a)", `CONSTRAINT in "constraint f foreign key`},
		{"create sequence s start with 1", `CREATE in "create sequence s`},
		{"select next value for s", `NEXT in "next value for s"`},
		{"create table t (a int, b as a + 1)", `does not model`},
		{"create table t (a int, index x (a))", `does not model`},
		{"select a from t except select a from u", `does not model`},
		{"select a from t intersect select a from u", `does not model`},
		{"select sum(a) over (order by a rows unbounded preceding) from t", `does not model`},
		{"select value from string_split('a,b', ',')", `does not model`},
		{"select trim('x' from 'xax')", `does not model`},
		{"select a from t where a < > 1", `does not model white space in an operator`},
		{"select a from t where a /* */ >\n= 3", `does not model white space in an operator`},
	} {
		for _, text := range []string{c.text, "create procedure p as\nbegin\n" + c.text + "\nend"} {
			_, err := Parse(text, nil)
			require.ErrorContains(t, err, "Msg 49999", "%s", text)
			require.ErrorContains(t, err, c.want, "%s", text)
		}
	}
}

// TestTaken: what the engine accepts is not refused by mistake.
func TestTaken(t *testing.T) {
	for _, text := range []string{
		"", "-- nothing", "/* nothing */", ";",
		"sp_executesql N'select 1'", "set nocount on", "set xact_abort off;", "begin tran", "commit", "return",
		"select [a]]b], N'it''s', 0x0aF, 1.5e-3, N'\U0001F600' as [\U0001F600] from t",
		"if 1 = 1 throw 50000, 'a', 1",
		"select 1; with c as (select 1 as a) select a from c",
		"begin try select 1 end try begin catch throw; end catch",
		"create table t (a int,)", "create table t (type int, precision int, try int)",
	} {
		_, err := Parse(text, func(string) {})
		require.NoError(t, err, "%s", text)
	}
}
