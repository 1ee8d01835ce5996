package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/browsertest"
)

// crowd returns a plan of n tasks that do nothing, of which some fail: the ones with these numbers.
func crowd(e engine, name string, n int, fail ...int) string {
	nothing := map[string]string{"mssql": "DECLARE @x int = 1;", "oracle": "begin null; end;"}[e.dialect.Name()]
	tasks := slices.Repeat([]string{fmt.Sprintf("%q", nothing)}, n)
	for _, i := range fail {
		tasks[i] = `"no such statement"`
	}
	return "process: " + name + "\non-error: Continue\nwaves:\n- {order: 100, tasks: [" + strings.Join(tasks, ", ") + "]}\n"
}

const isLive = `document.querySelector("#live span")?.textContent === "live"`

// TestConsoleTellsTheTruth: what a browser shows equals the tables: after a new installation beneath an open page, with many attempts and
// few failures, in seven tabs, by the keyboard alone, and on a phone.
func TestConsoleTellsTheTruth(t *testing.T) {
	t.Parallel()
	for _, e := range []engine{mssqlEngine, oracleEngine} {
		t.Run(e.dialect.Name(), func(t *testing.T) {
			t.Parallel()
			c := serveEngine(t, e.dialect.Name())
			c.ok("install", "--lanes=4")
			c.ok("start")
			url := c.listen("console")
			base := strings.Split(url, "/?")[0]
			tab := browsertest.Open(t, 1280, false)
			tab.Do(chromedp.Navigate(url))
			c.ran(0, crowd(e, "before", 20), "--wait", "--timeout=2m")
			tab.Until(`document.querySelector("#ended")?.textContent === "20" && document.querySelector("#failed").textContent === "0 failed"`)

			c.ok("uninstall", "--yes")
			c.ok("install", "--lanes=4")
			c.ok("start")
			c.ran(0, crowd(e, "after", 3), "--wait", "--timeout=2m")
			tab.Until(`document.querySelector("#ended")?.textContent === "3"`)
			process := c.ran(1, crowd(e, "crowd", 11_997, 1, 2, 1700, 3400, 5100, 6800, 11_990), "--wait", "--timeout=5m").Process
			tab.Until(`document.querySelector("#ended")?.textContent === "12,000" && document.querySelector("#failed").textContent === "7 failed"`)
			require.Contains(t, browsertest.Eval[string](tab, `document.querySelector("main").textContent`), "of 12,000 attempts in the last hour")
			require.Contains(t, browsertest.Eval[string](tab, `document.querySelector(".banner").textContent`), "failed.")
			bad := data[[]dialects.LogEntry](c, "logs", "--status=Failed", "--limit=0")
			require.Len(t, bad, 7)

			tab.Until(`(() => { document.querySelector("#failed").click(); return true; })()`)
			tab.Until(isLive + ` && document.querySelector("h1").textContent === "Logs"`)
			require.Equal(t, 7, browsertest.Eval[int](tab, `document.querySelectorAll("tbody tr").length`))
			tab.Do(chromedp.Navigate(base + "/logs?hours=1"))
			tab.Until(isLive)
			require.Contains(t, browsertest.Eval[string](tab, `document.querySelector("main").textContent`), "The newest 200 of 12,000.")

			// All of the process: 7 failures, all lanes, from the first start to the last end.
			page := "/process/" + strconv.FormatInt(process, 10)
			tab.Do(chromedp.Navigate(base + page))
			tab.Until(isLive + ` && document.querySelectorAll(".chart rect.bad").length > 0`)
			whole := data[timelineResult](c, "timeline", strconv.FormatInt(process, 10))
			shown := browsertest.Eval[struct {
				Begin, End float64
				Lanes      []int
				Bad        int
			}](tab, `(() => { const d = JSON.parse(document.querySelector(".chart + script").textContent); return {Begin: d.begin, End: d.begin + d.end, Lanes: d.lanes,
				Bad: [...document.querySelectorAll(".chart g[data-task]")].filter((g) => g.querySelector("rect.bad")).reduce((n, g) => n + +g.dataset.count, 0)}; })()`)
			require.EqualValues(t, whole.Begin.UnixMilli(), shown.Begin)
			require.InDelta(t, whole.End.UnixMilli(), shown.End, 1)
			require.Equal(t, []int{1, 2, 3, 4}, shown.Lanes)
			require.Equal(t, 7, shown.Bad)
			head := browsertest.Eval[string](tab, `document.querySelector("header").textContent`)
			require.Contains(t, head, "7 tasks failed, 7 attempts failed")
			require.Contains(t, browsertest.Eval[string](tab, `document.querySelector("main").textContent`), "11,997 attempts")
			states := `[...document.querySelectorAll("#tasks tbody tr")].map((r) => r.cells[3].textContent.trim()).join()`
			require.Equal(t, strings.Repeat("failed,", 7)+strings.Repeat("succeeded,", 192)+"succeeded", browsertest.Eval[string](tab, states))
			require.Less(t, browsertest.Eval[int](tab, `document.documentElement.scrollHeight`), 10_000)
			tab.Until(`(() => { [...document.querySelectorAll("#tasks a.button")].find((a) => a.textContent === "After").click(); return true; })()`)
			tab.Until(isLive + ` && document.querySelector("#tasks h2").textContent.includes("201 to 400")`)
			require.NotContains(t, browsertest.Eval[string](tab, states), "failed")

			// By the keyboard: through the chart to the table below it.
			tab.Do(chromedp.Navigate(base + page))
			tab.Until(isLive + ` && document.querySelectorAll(".chart svg").length === 1`)
			reached := false
			for range 40 {
				tab.Press("\t")
				if reached = browsertest.Eval[bool](tab, `!!document.activeElement.closest("#tasks tbody")`); reached {
					break
				}
			}
			require.True(t, reached, "the tasks are reached")
			browsertest.Eval[bool](tab, `document.querySelector(".chart svg").focus() === undefined`)
			tab.Press("n")
			require.Contains(t, browsertest.Eval[string](tab, `document.querySelector(".tip").textContent`), "Task ")
			tab.Press("np\x1b")
			require.True(t, browsertest.Eval[bool](tab, `document.querySelector(".tip").hidden`))
			require.Zero(t, browsertest.Eval[int](tab, `document.querySelectorAll("thead th:not([scope=col])").length`))

			// Seven more pages of one browser, while the first stays open.
			for i, path := range []string{"/", "/processes", page, "/tasks", "/logs", "/alarms", "/resources"} {
				other := tab.Another(1280, false)
				other.Do(chromedp.Navigate(base + path))
				other.Until(isLive)
				require.Empty(t, other.Errors(), "tab %d", i)
			}

			c.ran(1, "process: halts\nwaves: [{tasks: [no such statement]}]\n", "--wait", "--timeout=2m") // with an alarm
			alarms := len(data[[]dialects.Alarm](c, "alarms", "--limit=0"))
			require.Positive(t, alarms)
			phone := browsertest.Open(t, 400, true)
			phone.Do(chromedp.Navigate(url))
			phone.Until(isLive)
			for _, path := range []string{"/", "/tasks", page} {
				phone.Do(chromedp.Navigate(base + path))
				phone.Until(isLive)
				phone.Until(fmt.Sprintf(`document.querySelector(".alert").textContent.replace(/\s+/g, " ").trim() === "Alarms %d"`, alarms))
				badge := browsertest.Eval[struct{ Left, Right float64 }](phone, `(() => { const r = document.querySelector(".alert").getBoundingClientRect(); return {Left: r.left, Right: r.right}; })()`)
				require.Positive(t, badge.Left)
				require.LessOrEqual(t, badge.Right, 400.0)
				require.LessOrEqual(t, browsertest.Eval[int](phone, `document.documentElement.scrollWidth`), 400, path)
				phone.Screenshot("truth" + strings.ReplaceAll(path, "/", "-") + "-400")
			}
			c.ok("alarms", "--ack")
			phone.Until(`document.querySelector(".alert").hidden`)
			require.Empty(t, append(tab.Errors(), phone.Errors()...))
			tab.Screenshot("truth-1280")
		})
	}
}
