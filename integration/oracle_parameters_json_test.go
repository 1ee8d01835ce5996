package integration

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// isObject says whether a text is a JSON object by encoding/json, which differs in two points: it takes half a surrogate pair, and no control
// character in a text.
func isObject(text string) bool {
	var members map[string]any
	text = strings.NewReplacer("\t", " ", "\r", " ", "\n", " ").Replace(text)
	return strings.HasPrefix(strings.TrimLeft(text, " "), "{") && json.Unmarshal([]byte(text), &members) == nil && !strings.Contains(fmt.Sprint(members), "\uFFFD")
}

// slips returns a text with a slip of the pen at each place: a character too few, too many, another, two swapped, and all that follows lost.
func slips(text string) (all []string) {
	const others = `}]{[":,\-+.0e1/ut` + "\t" + ` n`
	chars := []rune(text)
	for i := range chars {
		head, tail := string(chars[:i]), string(chars[i+1:])
		all = append(all, head, head+tail, head+string(others[i%len(others)])+string(chars[i:]), head+string(others[i*7%len(others)])+tail)
		if i > 0 {
			all = append(all, string(chars[:i-1])+string(chars[i])+string(chars[i-1])+tail)
		}
	}
	return all
}

// TestOracleStrictJSON: parameters are JSON as RFC 8259 has it: whatever is not, is refused, and says so.
func TestOracleStrictJSON(t *testing.T) {
	onOracle(t, setup{stopped: true, lanes: 1}, func(h *harness) {
		s := h.session()
		s.exec("create table docs (n number, doc varchar2(4000), answer number)")
		documents := slips(" {\"a\": \"x\\u00e9\\n\\\"\\ud83d\\ude00/\" ,\"b\":[1, {\"c\":[]},{}],\n\t\"d\": -1.5e+10,\"e\":null,\"f\" : true,\"g\":{\"h\":\"}\"}}\r ")
		for _, value := range []string{
			"0", "-0", "-", "+1", "01", "-01", "00", "1.", ".1", "1.5", "1.05", "1e5", "1E5", "1e", "1e+", "1e-5", "1E+05", "1.e5", "1e5.5", "0x1", "1_0", "--1", "1-", "Infinity", "NaN", "0.0e0", "12345678901234567890.5",
			"true", "True", "TRUE", "tru", "truee", "false", "fals", "null", "Null", "nul", "nulll", "t", "",
			`"`, `""`, `"\"`, `"\\"`, `"\/"`, `"\b\f\n\r\t"`, `"\a"`, `"\v"`, `"\'"`, `"\0"`, `"\x41"`, `"\N"`, `'a'`, `"a" "b"`, `"\u0041"`, `"\u00aF"`, `"\u00fg"`, `"\u004"`, `"\U0041"`, `"\u 041"`,
			`"\ud800"`, `"\udbff"`, `"\udc00"`, `"\udfff"`, `"\ud7ff"`, `"\ue000"`, `"\ud800\udc00"`, `"\udbff\udfff"`, `"\ud800\udbff"`, `"\ud800\ue000"`, `"\udbff\ud7ff"`, `"\ud800x"`, `"\ud800\n"`, `"\ud800udc00"`, `"\ud800\\dc00"`,
			"[]", "[1]", "[1,2]", "[,]", "[1,]", "[,1]", "[1 2]", "[[]]", "[[[1]]]", "[}", "[", "]", "[1", `["]"]`, "{}", `{"b":1}`, `{"b"}`, `{"b":}`, `{"b":1,}`, `{,}`, `{"b":1 "c":2}`, "{]", `{1:1}`, `{null:1}`, `{"b"::1}`, `{"b",1}`,
			"1 ", "\t1\r\n", "1}", "1,", "1]", "//", "/* */ 1", "1 // x", "\u00a01", "\ufeff1",
		} {
			documents = append(documents, `{"a":`+value+`}`)
		}
		documents = append(documents, `{"a":`+strings.Repeat("[", 45)+strings.Repeat("]", 45)+"}", `{"a":`+strings.Repeat(`{"b":`, 45)+"1"+strings.Repeat("}", 46))
		documents = append(documents, "{}", "{ }", "[]", "null", "1", "{", "}", "{}x", "{} {}", "{},", " \t\r\n{\t\r\n }\t\r\n ", "\v{}", "{\f}", "\u00a0{}", `{"":1}`, `{"a":1}}`, "{{}}", `{"a":1;"b":2}`)
		for i, text := range documents {
			require.NoError(h, s.withText(fmt.Sprintf("insert into docs (n, doc) values (%d, :doc)", i), text))
		}
		s.exec(`begin
    for d in (select d.n, d.doc from docs d) loop
        begin
            dbsched.exec_async('begin null; end;', 1, in_parameters => d.doc);
            update docs x set x.answer = 0 where x.n = d.n;
        exception
            when others then
                update docs x set x.answer = 1 where x.n = d.n and dbms_utility.format_error_stack is not null;
                if dbms_utility.format_error_stack like 'ORA-20031: %' then
                    update docs x set x.answer = 2 where x.n = d.n;
                elsif dbms_utility.format_error_stack not like 'ORA-20032: %' and dbms_utility.format_error_stack not like 'ORA-20034: %' then
                    raise;
                end if;
        end;
    end loop;
end;`)
		valid := 0
		for _, r := range s.rows("select d.n, d.answer from docs d order by d.n") {
			text := documents[must(strconv.Atoi(r[0]))]
			if text == "" {
				continue // no parameters
			}
			if isObject(text) {
				valid++
			}
			assert.Equal(h, isObject(text), r[1] != "2", "%q", text)
		}
		require.Greater(h, valid, 50)
		require.Greater(h, len(documents)-valid, 300)
	})
}

// TestOracleTextsInJSON: a task gets the texts that its parameters say, wherever in a long text they are, and in a list a parameter's text stays as it
// is.
func TestOracleTextsInJSON(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		s := h.session()
		s.exec("create table texts (n number, a clob, b clob)")
		const value = `é€\ud83d\ude00\\\/\"\u20AC\b\f\n\r\t}]ü€`
		var documents []string
		for i := range 80 { // each of its parts where the reader goes on
			documents = append(documents, fmt.Sprintf(`{"a": "%s%s", "b": %q}`, strings.Repeat("x", 930+i), value, fmt.Sprint("after ", i)))
		}
		for i := range 12 { // and what is no text
			documents = append(documents, fmt.Sprintf(`{"a":"%s€" , "b":%s"%d"}`, strings.Repeat("x", 980+i), strings.Repeat(" ", i%3), i))
		}
		for _, n := range []int{1990, 3999, 4000, 4001, 32766, 32767, 32768, 40000, 65600} {
			documents = append(documents, fmt.Sprintf(`{"a": "%s", "b": "%s\n"}`, strings.Repeat("x", n), strings.Repeat("yz", n/2)))
		}
		// Objects of a list that are read in one piece, or as a CLOB.
		for _, n := range []int{7900, 7985, 7986, 7987, 7988, 7989, 7990, 8100} {
			documents = append(documents, fmt.Sprintf(`{"a":"ü%s","b":"é"}`, strings.Repeat("x", n)))
		}
		var batch strings.Builder
		for i, text := range documents {
			require.True(h, isObject(text))
			fmt.Fprintf(&batch, `%s{"sql": "insert into texts (n, a, b) values (%d, :a, :b)", "execution_order": 1, "parameters": %s, "priority": 0}`, strings.Repeat(",", min(i, 1)), i, text)
		}
		require.NoError(h, s.withText("begin dbsched.exec_async_batch(:doc); end;", "["+batch.String()+"]"))
		stored := s.rows("select t.parameters from ds_tasks t order by t.task_id")
		require.Len(h, stored, len(documents))
		for i, r := range stored {
			require.Equal(h, documents[i], r[0])
		}
		h.drain(time.Minute)
		got := s.rows("select t.a, t.b from texts t order by t.n")
		require.Len(h, got, len(documents))
		for i, r := range got {
			var want struct{ A, B string }
			require.NoError(h, json.Unmarshal([]byte(documents[i]), &want))
			require.Equal(h, []string{want.A, want.B}, r, documents[i])
		}
	})
}
