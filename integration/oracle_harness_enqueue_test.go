package integration

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/dbsched/dbsched/dialects/oracle"
	go_ora "github.com/sijms/go-ora/v2"
)

func oracleEnqueueing() enqueueing {
	sleep := oracle.Dialect{}.Sleep
	values := func(member, value string) string { return fmt.Sprintf(`{"%s": %s}`, member, value) }
	task := func(more string) string {
		return `[{"sql": "begin null; end;", "execution_order": 1}, {"sql": "begin null; end;", "execution_order": 1` + more + `}, {"sql": "begin null; end;", "execution_order": 1, "parameters": {"a int": 1}}]`
	}
	return enqueueing{
		keyed: func(order int, task, key string) string {
			return fmt.Sprintf("declare l_id number; begin dbsched.exec_async(%s, %d, in_dedup_key => %s, out_task_id => l_id); :result := l_id; end;",
				oracleLiteral(task), order, oracleLiteral(key))
		},
		batch: func(ctx context.Context, c conn, tasks string) (ids []int64, err error) {
			var answer go_ora.Clob
			_, err = c.ExecContext(ctx, "begin dbsched.exec_async_batch(:in_tasks, :out_ids); end;",
				sql.Named("in_tasks", tasks), sql.Named("out_ids", go_ora.Out{Dest: &answer, Size: 100_000}))
			if err == nil {
				err = json.Unmarshal([]byte(answer.String), &ids)
			}
			return ids, err
		},
		member: func(name string) string {
			var b strings.Builder
			for i, r := range name {
				if unicode.IsUpper(r) && i > 0 && name != "SQL" {
					b.WriteByte('_')
				}
				b.WriteRune(unicode.ToLower(r))
			}
			return strings.Replace(b.String(), "_i_d", "_id", 1)
		},
		duplicateOf: func(task int64) string {
			return fmt.Sprintf("select t.duplicate_of from ds_task_info t where t.task_id = %d", task)
		},
		bound: "insert into marks (n) values (:N)",
		allBound: `declare
    l_text varchar2(4000) := :text;
    l_long clob := :long_text;
begin
    if not (:whole = 9223372036854775807 and :int_ = -7 and :dec = 12.50 and :point = 0.000001 and :double_ = 1000
        and :day = date '2026-01-31' and :moment = to_date('2026-01-31 04:05:06', 'YYYY-MM-DD HH24:MI:SS')
        and :stamp = timestamp '2026-01-31 04:05:06.7' and :zone = timestamp '2026-01-31 04:00:00 +02:00' and :zulu = timestamp '2026-01-31 02:00:00 UTC'
        and l_text = 'it''s; drop table marks --' and l_text = :text and :bytes = hextoraw('0A0B') and length(l_long) = 5000
        and :max_ = 'max ' || chr(10) || unistr('\00FC\20AC') || 'value' and :nothing is null and :empty is null and :yes = 1 and :no = 0 and :e = 1500)
    then
        raise_application_error(-20500, 'not what was given');
    end if;
end;`,
		allValues: `{"whole integer": 9223372036854775807, "int_ int": -7, "dec number": 12.50, "Point": 1e-6, "double_ BINARY_DOUBLE": 1e3,
			"day date": "2026-01-31", "moment date": "2026-01-31T04:05:06", "stamp timestamp": "2026-01-31T04:05:06.7",
			"zone timestamp with time zone": "2026-01-31T04:00:00+02:00", "zulu timestampwithtimezone": "2026-01-31T02:00:00Z",
			"text varchar2": "it's; drop table marks --", "bytes raw": "0A0b", "max_ clob": "max \n\u00fc\u20ACvalue", "nothing number": null, "empty": "",
			"yes": true, "no number": false, "e": 1.5E+3, "long_text": "` + strings.Repeat("x", 5000) + `"}`,
		ends: []string{
			"begin insert into marks (n) values (-1); commit; end;",
			"begin insert into marks (n) values (-1); rollback; end;",
			"begin insert into marks (n) values (-1); commit; insert into marks (n) values (-1); end;",
			"begin insert into marks (n) values (-1); rollback; insert into marks (n) values (-1); end;",
			"begin insert into marks (n) values (-1); raise zero_divide; exception when others then rollback; raise; end;",
			"begin insert into marks (n) values (-1); commit; raise_application_error(-20500, 'after all'); end;",
			"begin insert into marks (n) values (-1); execute immediate 'create table comes_never (n number)'; end;",
			"commit",
			"truncate table marks",
			"create or replace procedure comes_never as begin null; end;",
		},
		slowly: func(n int, d time.Duration) string {
			return fmt.Sprintf("begin insert into marks (n) values (%d); %s end;", n, sleep(d))
		},
		enqueuesAndFails: "begin dbsched.exec_async('begin null; end;', 2); raise zero_divide; end;",
		badValues: map[string]int{
			"x": 31, "[]": 31, "[1]": 31, `"x"`: 31, `{"a": 1`: 31, `{"a": 01}`: 31, `{'a': 1}`: 31, `{a: 1}`: 31, `{"a": 1,}`: 31, `{"a": 1} x`: 31,
			`{"a": "\ud800"}`: 31, `{"a": "\x"}`: 31, `{"a": .5}`: 31, `{"a": nul}`: 31, `{"a" 1}`: 31,
			values("", "1"): 32, values("1a", "1"): 32, values(":a", "1"): 32, values("a-b", "1"): 32, values("a;b int", "1"): 32, values(" a", "1"): 32,
			values("_a", "1"): 32, values(strings.Repeat("x", 31), "1"): 32, `{"a": 1, "A int": 2}`: 32, `{"a": 1, "a": 1}`: 32, values("ä", "1"): 32,
			values("a xmltype", `"<a/>"`): 33, values("a varchar2(10)", `"x"`): 33, values("a number(5)", "1"): 33, values("a int := 1", "1"): 33, values("a boolean", "true"): 33,
			values("a", "[1]"): 34, values("a", `{"b": 1}`): 34, values("a int", `"1"`): 34, values("a int", "1.5"): 34, values("a number", "1e200"): 34,
			values("a date", `"31.01.2026"`): 34, values("a date", `"2026-02-30"`): 34, values("a date", `"2026-01-31T04:05:06.5"`): 34, values("a timestamp", `"2026-01-31 04:00:00"`): 34,
			values("a timestamp with time zone", `"2026-01-31T04:00:00"`): 34, values("a raw", `"0x0A"`): 34, values("a raw", `"ABC"`): 34,
			values("a varchar2", `"`+strings.Repeat("x", 4001)+`"`): 34, values("a varchar2", "1"): 34, values("a int", `"true"`): 34, values("a clob", "true"): 34,
		},
		badBatches: map[string]int{
			"": 36, "{}": 36, "x": 36, "[1]": 36, "[[]]": 36, "[{}": 36,
			task(`, "prioritty": 1`): 36, task(`, "Priority": 1`): 36, task(`, "priority": "1"`): 36, task(`, "priority": 1.5`): 36, task(`, "not_before": "tomorrow"`): 36,
			task(`, "parameters": "x"`): 36, task(`, "transactional": 1`): 36, task(`, "on_orphan": "` + strings.Repeat("x", 31) + `"`): 36,
			task(`, "max_attempts": 0`): 3, task(`, "on_orphan": "forget"`): 8, task(`, "process_id": 4711`): 4, task(`, "dedup_key": ""`): 30, task(`, "name": 5`): 36, task(`, "name": "` + strings.Repeat("x", 129) + `"`): 59,
			task(`, "parameters": {"a xmltype": "x"}`): 33, task(`, "timeout_seconds": 0`): 3, task(`, "resource": "nothing"`): 40, task(`, "access": "Shared"`): 41,
			`[{"sql": " ", "execution_order": 1}]`: 1, `[{"sql": "begin null; end;"}]`: 2, `[{"sql": null, "execution_order": 1}]`: 1,
		},
	}
}
