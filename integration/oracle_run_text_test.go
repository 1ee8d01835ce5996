package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestOracleKindsOfTexts: a task's text is a query, whose rows are read and counted, a statement that changes rows, which are counted, a PL/SQL block or
// unit, or DDL, however it begins. A last line / and the last ; of plain SQL are dropped.
func TestOracleKindsOfTexts(t *testing.T) {
	const none, some = -1, -2 // some: that it ran is enough
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		s := h.session()
		s.exec("create table three (n number)")
		s.exec("insert into three (n) select level from dual connect by level <= 3")
		s.exec("create table kinds (a number, b varchar2(9), c char(3), d date, e raw(4), f clob, g blob, h timestamp, i timestamp with time zone, " +
			"l binary_double, o interval day to second)")
		s.exec("insert into kinds (a, b, f) values (1, 'x', 'y')")
		s.exec("create table seen (n number)")
		cases := []struct {
			text string
			rows int64
			err  int
		}{
			{"select n from three", 3, 0}, {"SELECT n FROM three;", 3, 0}, {"Select n from three ; ;\t\r\n;", 3, 0}, {"select n from three where n = 0", 0, 0}, {"select/*c*/n from three", 3, 0},
			{" \t\r\n-- begin\n--\n/* a /* ; */select n from three", 3, 0}, {"/**/select n from three", 3, 0}, {"/*/ begin */ select n from three", 3, 0}, {"--select\r\nselect n from three", 3, 0},
			{"(select n from three)", 3, 0}, {"/* ( */ ( select n from three )", 3, 0}, {"with x as (select n from three) select n from x where n > 1;", 2, 0}, {"WITH/**/x as (select n from three) select n from x", 3, 0},
			{"select n from three\n/", 3, 0}, {"select n from three;\n/\n", 3, 0}, {"select n from three ;\r\n \t/ \t\r\n", 3, 0}, {"select n / 3 from three", 3, 0}, {"select n from three /* \n/\n */", 3, 0},
			{"select k.* from kinds k", 1, 0}, {"select n from three -- ;", 3, 0}, {"select ';' from three where n = 1;", 1, 0},
			{"update three set n = n", 3, 0}, {"update three set n = n where n = 0;", 0, 0}, {"-- select\ndelete from three where n > 3\n/", 0, 0}, {"insert into three (n) select n + 3 from three;", 3, 0}, {"delete from three where n > 3", 3, 0},
			{"insert into three (n) select 2 from dual where 0 = (select count(*) from three t where t.n = 2)", 0, 0},
			{"begin null; end;", none, 0}, {"BEGIN update three set n = n; END;\n/\n", none, 0}, {"declare x number; begin select count(*) into x from three; end;", none, 0}, {"Declare\nx number; begin null; end;\r\n/", none, 0},
			{"<<here>> begin null; end;", none, 0}, {"/* select */ begin null; end; ", none, 0}, {"<<a>>\n<<b>> declare x number; begin null; end;\n\n/\n\n", none, 0},
			{"create table made (n number)", none, 0}, {"create table made_2 (n number) ;", none, 0}, {"/* unit */ create /* procedure */ table made_3 (n number)\n/", none, 0}, {"truncate table made;", none, 0}, {"drop table made;\n/", none, 0},
			{"comment on table made_2 is 'x; y';", none, 0}, {"alter table made_2 add (m number);", none, 0}, {"grant select on made_2 to public;", none, 0}, {"revoke select on made_2 from public", none, 0},
			{"create or replace view made_v as select n from three;", none, 0}, {"create sequence made_s;", none, 0}, {"create or replace noneditionable view made_w as select n from three;\n/", none, 0},
			{"create procedure made_a as begin insert into seen (n) values (1); end;", none, 0}, {"create or replace procedure made_b as begin insert into seen (n) values (2); end;\n/", none, 0},
			{"create or replace editionable procedure made_c as begin insert into seen (n) values (3); end;", none, 0}, {"create or replace noneditionable procedure made_d as begin insert into seen (n) values (4); end;\n/\n", none, 0},
			{"-- a function\ncreate function made_e return number as begin return 5; end;", none, 0}, {"CREATE OR REPLACE package made_f as n number := 6; end;", none, 0}, {"create or/**/replace function made_g return number as begin return 7; end;\n/", none, 0},
			{"create trigger made_h before delete on made_2 begin null; end;", none, 0}, {"create editionable package made_i as n number := 8; end;", none, 0},
			{"call made_a()", some, 0}, {"begin made_b; made_c; made_d; insert into seen (n) values (made_e); insert into seen (n) values (made_f.n); end;", none, 0},
			{"savepoint here", some, 0}, {"commit;", some, 0}, {"lock table three in share mode", some, 0}, {"alter session set nls_date_format = 'YYYY';", some, 0},
			{"select 1 / 0 from three", none, 1476}, {"select n from three where 1 = n / 0", none, 1476}, {"update three set n = n / 0", none, 1476}, {"selectn from three", none, 900}, {"select n from nowhere", none, 942}, {"select n from three where n = 3 /", none, 936},
			{"begin null; end; /", none, 6550}, {"begin raise no_data_found; end;", none, 1403}, {"declare e exception; begin raise e; end;", none, 6510}, {"begin null; end", none, 6550}, {"begin null; end\n;", none, 0}, {"select n from three where n =\n3", 1, 0}, {"-- nothing", none, 900}, {"begin null; end;\n//", none, 6550},
			{"/* select n from three", none, 1742}, {"create table made_2 (n number)", none, 955},
		}
		var tasks []dialects.NewTask
		for i, c := range cases {
			tasks = append(tasks, h.task(i, c.text))
		}
		p := h.process(dialects.NewProcess{Name: "p", OnError: "Continue"})
		for i := range tasks {
			tasks[i].ProcessID = p
		}
		ids := h.exec(tasks...)
		h.waitFor(p, 5*time.Minute)
		rows := map[string]string{}
		for _, r := range s.rows("select l.task_id, nvl(l.rows_affected, -1) || ' ' || nvl(l.error_number, 0) from ds_log_info l") {
			require.NotContains(h, rows, r[0])
			rows[r[0]] = r[1]
		}
		for i, c := range cases {
			got := strings.Fields(rows[fmt.Sprint(ids[i])])
			want := []string{fmt.Sprint(c.rows), fmt.Sprint(c.err)}
			if c.rows == some {
				want[0] = got[0]
			}
			assert.Equal(h, want, got, c.text)
		}
		require.Equal(h, [][]string{{"1"}, {"2"}, {"3"}, {"4"}, {"5"}, {"6"}}, s.rows("select n from seen order by n"))
		require.Equal(h, "0", s.value("select count(*) from user_objects where status <> 'VALID'"))
		require.Equal(h, "14", s.value("select count(*) from user_objects where object_name like 'MADE%'"))
	})
}
