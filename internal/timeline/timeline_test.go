package timeline

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/browsertest"
)

var (
	update = flag.Bool("update", false, "rewrite the golden files")
	begin  = time.Date(2026, 11, 22, 2, 0, 0, 0, time.UTC)
)

func clock(t time.Time) string { return t.Format("15:04:05") }

// attempt is one line of a log; times are in minutes.
func attempt(task int64, order, lane int, from, to float64, outcome string) dialects.LogEntry {
	end := begin.Add(time.Duration(to * float64(time.Minute)))
	e := dialects.LogEntry{
		ID: task, TaskID: task, Order: order, Attempt: 1, Lane: lane, Outcome: outcome,
		StartedAt: begin.Add(time.Duration(from * float64(time.Minute))), FinishedAt: &end, SQL: fmt.Sprintf("EXEC etl.Task%d", task),
	}
	if outcome == "Running" {
		e.FinishedAt = nil
	}
	return e
}

// nightly is a load of three waves on two lanes: task 3 fails and is retried; task 5 waits for a resource while lane 2 is free.
func nightly() *Timeline {
	again := attempt(3, 200, 1, 14, 20, "Succeeded")
	again.ID, again.Attempt = 30, 2
	logs := []dialects.LogEntry{
		attempt(1, 100, 1, 0, 10, "Succeeded"), attempt(2, 100, 2, 0, 4, "Succeeded"),
		attempt(3, 200, 1, 10, 12, "Failed"), again, attempt(4, 200, 2, 10.5, 11, "Succeeded"), attempt(5, 200, 2, 13, 15, "Succeeded"),
		attempt(6, 300, 1, 20, 30, "Succeeded"),
	}
	logs[5].Resource = "warehouse"
	logs[2].ErrorMessage = "Divide by zero <b>"
	return Build(dialects.Process{ID: 7, Name: "nightly", Status: "Succeeded", CreatedBy: "etl"}, logs, nil, begin.Add(time.Hour))
}

// TestMarks: each label of the axis says its whole time.
func TestMarks(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"0s": 0, "10ms": 10 * time.Millisecond, "30s": 30 * time.Second, "1m": time.Minute, "1m30s": 90 * time.Second, "10m": 10 * time.Minute,
		"1h": time.Hour, "1h30m": 90 * time.Minute, "1h0m30s": time.Hour + 30*time.Second, "10h": 10 * time.Hour, "48h": 48 * time.Hour,
	} {
		require.Equal(t, want, compact(d))
	}
	logs := []dialects.LogEntry{attempt(1, 100, 1, 0, 1.5, "Succeeded")}
	ruler, _, _ := strings.Cut(Build(dialects.Process{}, logs, nil, begin).Chart(40), "\n")
	require.Equal(t, []string{"0s", "30s", "1m", "1m30s"}, strings.Fields(ruler))
}

func TestBuild(t *testing.T) {
	n := nightly()
	require.Equal(t, begin, n.Begin)
	require.Equal(t, begin.Add(30*time.Minute), n.End)
	require.Equal(t, []int{1, 2}, n.Lanes)
	require.Equal(t, []Wave{
		{Order: 100, Start: begin, End: begin.Add(10 * time.Minute), Tasks: 2},
		{Order: 200, Start: begin.Add(10 * time.Minute), End: begin.Add(20 * time.Minute), Tasks: 3, Failed: 1},
		{Order: 300, Start: begin.Add(20 * time.Minute), End: begin.Add(30 * time.Minute), Tasks: 1},
	}, n.Waves)
	// From task 6 to the slowest of the wave before, which is a retry; from there to its first attempt, and to the wave before that.
	require.Equal(t, []int64{1, 3, 6}, n.CriticalTasks())
	require.Len(t, n.Critical, 4)
	require.Equal(t, 28*time.Minute, n.CriticalTime())
	// While task 5 waits from 10 to 13 for its resource, lane 2 is free for half a minute although task 4 could start, and for two
	// more; lane 1 for one. All other gaps are idle.
	require.Equal(t, Spent{Running: 34*time.Minute + 30*time.Second, Idle: 22 * time.Minute, Resource: 3 * time.Minute, Start: 30 * time.Second}, n.Spent)
	require.Equal(t, 60*time.Minute, n.Spent.Total())
	require.Equal(t, "Order 100 waited 6 m for task 1 alone (etl.Task1).", n.Hint())
}

func TestBuildOfARunningProcess(t *testing.T) {
	r := Build(dialects.Process{Name: "p", Status: "Open", Unfinished: 2, Running: 1}, []dialects.LogEntry{attempt(1, 100, 3, 0, 0, "Running")}, nil, begin.Add(5*time.Minute))
	require.Equal(t, begin.Add(5*time.Minute), r.End)
	require.EqualValues(t, 1, r.Left)
	require.Equal(t, "Open, 1 to start. 02:00:00 to 02:05:00, 5 m", r.Summary(clock))
	require.Nil(t, r.Lonely)
}

func TestNothingHasStarted(t *testing.T) {
	e := Build(dialects.Process{Name: "p"}, nil, nil, begin)
	require.Equal(t, "No task of this process has started.", e.Text(80, clock))
	require.Equal(t, "(no task has run)", e.Chart(60))
	var page bytes.Buffer
	require.NoError(t, e.HTML(&page, "h", "UTC", clock))
	require.Contains(t, page.String(), "No task of this process has started.")
}

// TestOtherProcesses: the time in which a task could have started but its lane worked for somebody else is his.
func TestOtherProcesses(t *testing.T) {
	logs := []dialects.LogEntry{attempt(1, 100, 1, 0, 1, "Succeeded"), attempt(2, 100, 1, 11, 12, "Succeeded"), attempt(3, 100, 2, 2, 4, "Succeeded")}
	others := []dialects.LogEntry{
		attempt(7, 1, 1, 2, 5, "Succeeded"), attempt(8, 1, 1, 5, 10, "Failed"), attempt(6, 1, 2, 1, 2, "Succeeded"), attempt(9, 1, 2, 11.5, 0, "Running"), attempt(10, 1, 3, 0, 9, "Succeeded"),
	}
	b := Build(dialects.Process{}, logs, others, begin.Add(time.Hour))
	// Lane 1 worked for others from 2 to 10, lane 2 from 1 to 2; lane 3 is none of this process. From 11 on no task is left.
	require.Equal(t, Spent{Running: 4 * time.Minute, Others: 9 * time.Minute, Start: 10 * time.Minute, Idle: time.Minute}, b.Spent)
	require.Equal(t, 24*time.Minute, b.Spent.Total())
	require.Zero(t, Build(dialects.Process{}, logs, nil, begin.Add(time.Hour)).Spent.Others)
	require.Equal(t, Part{"Lanes worked for other processes", 9 * time.Minute}, b.Parts()[3])
}

// TestAttemptsAreNoTasks: what failed is counted as what it is; what a user cancelled has not failed.
func TestAttemptsAreNoTasks(t *testing.T) {
	again := attempt(1, 100, 1, 1, 2, "TimedOut")
	again.Attempt = 2
	logs := []dialects.LogEntry{attempt(1, 100, 1, 0, 1, "Failed"), again, attempt(2, 100, 1, 2, 3, "Cancelled")}
	b := Build(dialects.Process{Status: "Failed", Failed: 1}, logs, nil, begin)
	require.Equal(t, "Failed, 1 task failed, 2 attempts failed. 02:00:00 to 02:03:00, 3 m", b.Summary(clock))
	require.Equal(t, 2, b.Waves[0].Failed)
}

// TestAFailureIsSeen: a success in the same cell of the chart does not cover it, before or after.
func TestAFailureIsSeen(t *testing.T) {
	for _, logs := range [][]dialects.LogEntry{
		{attempt(1, 100, 1, 0, 0.001, "Failed"), attempt(2, 100, 1, 0.002, 10, "Succeeded")},
		{attempt(2, 100, 1, 0, 9.999, "Succeeded"), attempt(1, 100, 1, 9.999, 10, "Failed")},
		{attempt(2, 100, 1, 0, 5, "Succeeded"), attempt(1, 100, 1, 5, 5.001, "Failed"), attempt(3, 100, 1, 5.001, 5.002, "Succeeded"), attempt(4, 100, 1, 6, 10, "Succeeded")},
	} {
		require.Equal(t, 1, strings.Count(Build(dialects.Process{}, logs, nil, begin).Chart(40), "×"))
	}
}

// overran is a process of which one task ran on after its timeout, one still does, and one failed after it.
func overran() *Timeline {
	late, still, bad := attempt(1, 100, 1, 0, 10, "Succeeded"), attempt(2, 100, 2, 0, 0, "Running"), attempt(3, 100, 3, 0, 4, "Failed")
	late.Overran, still.Overran, bad.Overran = new(57.0), new(300.0), new(2.0)
	still.TaskStatus = "Stopping"
	return Build(dialects.Process{Name: "nightly", Status: "Open"}, []dialects.LogEntry{late, still, bad, attempt(4, 100, 4, 0, 1, "Succeeded")}, nil, begin.Add(10*time.Minute))
}

// TestOverran: what ran after its timeout is marked, whatever became of it; what is told to end is Stopping.
func TestOverran(t *testing.T) {
	o := overran()
	require.Equal(t, []int64{1, 2, 3}, o.OverranTasks())
	text := o.Text(100, clock)
	require.Contains(t, text, "1 attempt failed, 3 attempts overran.")
	require.Regexp(t, `lane 1  .*!\nlane 2  .*!\nlane 3  .*×\nlane 4  .*┤\n`, text)
	require.Contains(t, text, "! overran its timeout")
	require.Contains(t, text, `After their timeouts
  order 100    task 1        Succeeded, overran 57 s  EXEC etl.Task1
  order 100    task 2        Stopping, overran 5 m  EXEC etl.Task2
  order 100    task 3        Failed, overran 2 s  EXEC etl.Task3`)
	require.NotContains(t, nightly().Text(100, clock), "After their timeouts")
	require.Equal(t, "Stopping, overran 5 m", Recent([]dialects.LogEntry{{StartedAt: begin, Outcome: "Running", TaskStatus: "Stopping", Overran: new(300.0)}}, begin.Add(time.Hour), 2*time.Hour).Bars[0].State())
}

// TestPageOfOverran: the same on the page.
func TestPageOfOverran(t *testing.T) {
	tab := browsertest.Open(t, 1280, false)
	show(t, tab, overran())()
	require.Equal(t, []float64{1, 2}, browsertest.Eval[[]float64](tab, `[...document.querySelectorAll("#chart g[data-task]")].filter((g) => g.querySelector("path.over")).map((g) => +g.dataset.task)`))
	require.Contains(t, browsertest.Eval[string](tab, `document.querySelector(".legend").textContent`), "! overran its timeout")
	require.Equal(t, []string{"Succeeded, overran 57 s", "Stopping, overran 5 m", "Failed, overran 2 s"},
		browsertest.Eval[[]string](tab, `[...[...document.querySelectorAll("section")].at(-1).querySelectorAll("tbody tr")].map((r) => r.cells[2].textContent)`))
	browsertest.Eval[bool](tab, `document.querySelector("#chart svg").dispatchEvent(new KeyboardEvent("keydown", {key: "n", bubbles: true, cancelable: true}))`)
	require.Contains(t, browsertest.Eval[string](tab, `document.querySelector(".tip").textContent`), "Succeeded, overran 57 s: ")
	require.Empty(t, tab.Errors())
	tab.Screenshot("timeline-overran")
}

// TestClockSetBack: an attempt that ends before it began takes no time.
func TestClockSetBack(t *testing.T) {
	b := Build(dialects.Process{}, []dialects.LogEntry{attempt(1, 100, 1, 5, 3, "Succeeded"), attempt(2, 100, 1, 5, 6, "Succeeded")}, nil, begin)
	require.Zero(t, b.Bars[0].Took())
	require.Equal(t, time.Minute, b.Spent.Total())
}

func TestText(t *testing.T) {
	got := nightly().Text(80, clock) + "\n"
	path := filepath.Join("testdata", "nightly.txt")
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// many returns a process of n tasks on 16 lanes, a thousand in each wave.
func many(n int) *Timeline {
	var logs []dialects.LogEntry
	for i := range n {
		outcome := "Succeeded"
		if i%500 == 17 {
			outcome = "Failed"
		}
		at := float64(i/16)*0.02 + float64(i/1000)*0.1
		logs = append(logs, attempt(int64(i+1), 100*(1+i/1000), 1+i%16, at, at+0.018, outcome))
	}
	return Build(dialects.Process{ID: 7, Name: "many <tasks>", Status: "Failed", CreatedBy: "etl"}, logs, nil, begin)
}

func TestMany(t *testing.T) {
	m := many(5000)
	require.Equal(t, m.End.Sub(m.Begin)*16, m.Spent.Total())
	page := pageOf(t, m)
	require.Less(t, len(page), 2_000_000)
	require.NotContains(t, page, "many <tasks>")
	for _, foreign := range []string{"src=", `href="http`, "@import", "url("} {
		require.NotContains(t, strings.ReplaceAll(page, "url(#inside)", ""), foreign, "the page needs nothing else")
	}
}

func pageOf(t *testing.T, l *Timeline) string {
	t.Helper()
	var page bytes.Buffer
	require.NoError(t, l.HTML(&page, "Warehouse on SQL01", "UTC", clock))
	return page.String()
}

// show writes a page, and returns what loads it in a tab.
func show(t *testing.T, tab *browsertest.Tab, l *Timeline) (load func()) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	require.NoError(t, os.WriteFile(path, []byte(pageOf(t, l)), 0o644))
	return func() { tab.Do(chromedp.Navigate("file://" + path)) }
}

// TestPage: bars are where the times say, and keys, wheel and drag work.
func TestPage(t *testing.T) {
	n := nightly()
	tab := browsertest.Open(t, 400, false)
	load := show(t, tab, n)
	for _, width := range []int{400, 1280, 2560} {
		for _, dark := range []bool{false, true} {
			tab.Resize(width, dark)
			load()
			bars := browsertest.Eval[[]struct {
				Task, X, W, Lane float64
				Class            string
			}](tab, `[...document.querySelectorAll("#chart g[data-task]")].map(g => { const r = g.firstChild; return {
				Task: +g.dataset.task, X: +r.getAttribute("x"), W: +r.getAttribute("width"), Lane: +r.getAttribute("y"), Class: r.getAttribute("class")}})`)
			require.Len(t, bars, len(n.Bars))
			inner := browsertest.Eval[float64](tab, `Math.max(document.querySelector("#chart svg").clientWidth, 640)`) - 68
			minute := inner / 30
			at, looks := map[float64][]float64{}, map[float64][]string{}
			for _, b := range bars {
				at[b.Task] = append(at[b.Task], b.X)
				looks[b.Task] = append(looks[b.Task], b.Class)
			}
			require.Equal(t, map[float64][]string{1: {"crit"}, 2: {"other"}, 3: {"crit", "bad"}, 4: {"other"}, 5: {"other"}, 6: {"crit"}}, looks)
			require.InDelta(t, 60, at[1][0], 0.5)
			require.InDelta(t, 60+20*minute, at[6][0], 0.5)
			require.InDelta(t, 60+10*minute, at[3][1], 0.5)
			require.Equal(t, float64(2), browsertest.Eval[float64](tab, `document.querySelectorAll("#chart .again, #chart .wait").length`), "a retry and a wait")
			require.LessOrEqual(t, browsertest.Eval[float64](tab, "document.documentElement.scrollWidth"), float64(width), "the page does not scroll sideways")
			require.Empty(t, tab.Errors())
			tab.Screenshot(fmt.Sprintf("timeline-%d-%t", width, dark))
		}
	}
}

func TestPageOfManyTasks(t *testing.T) {
	tab := browsertest.Open(t, 1280, false)
	show(t, tab, many(5000))()
	counted := `[...document.querySelectorAll("#chart g[data-task]")].reduce((n, g) => n + +g.dataset.count, 0)`
	require.Equal(t, float64(5000), browsertest.Eval[float64](tab, counted), "merged bars are counted")
	groups := browsertest.Eval[float64](tab, `document.querySelectorAll("#chart g[data-task]").length`)
	key := func(name string) {
		browsertest.Eval[bool](tab, `document.querySelector("#chart svg").dispatchEvent(new KeyboardEvent("keydown", {key: "`+name+`", bubbles: true, cancelable: true}))`)
	}
	for range 6 {
		key("+")
	}
	require.Less(t, browsertest.Eval[float64](tab, counted), float64(400), "zoomed in")
	require.Equal(t, float64(1), browsertest.Eval[float64](tab, `+document.querySelector("#chart g[data-task]").dataset.count`), "and each bar is one task")
	before := browsertest.Eval[string](tab, `document.querySelector("#chart g[data-task]").dataset.task`)
	key("ArrowLeft")
	require.NotEqual(t, before, browsertest.Eval[string](tab, `document.querySelector("#chart g[data-task]").dataset.task`))
	key("0")
	require.Equal(t, groups, browsertest.Eval[float64](tab, `document.querySelectorAll("#chart g[data-task]").length`))
	key("n")
	require.Contains(t, browsertest.Eval[string](tab, `document.querySelector(".tip").textContent`), "Task 1, order 100, lane 1")
	require.Empty(t, tab.Errors())
	tab.Screenshot("timeline-5000")
}

// TestFailuresAreNotMerged: the bars that are red are the failures, whatever is beside them.
func TestFailuresAreNotMerged(t *testing.T) {
	var logs []dialects.LogEntry
	for i := range int64(12_000) {
		outcome := "Succeeded"
		if i%1700 == 3 {
			outcome = "Failed"
		}
		logs = append(logs, attempt(i+1, 100, 1, float64(i)/100, float64(i)/100+0.009, outcome))
	}
	logs = append(logs, attempt(20_000, 200, 1, 120, 120.001, "Failed"), attempt(20_001, 200, 1, 120.002, 140, "Succeeded"))
	l := Build(dialects.Process{ID: 7, Name: "dense", Failed: 9}, logs, nil, begin)
	require.EqualValues(t, 9, l.FailedAttempts())
	tab := browsertest.Open(t, 1280, false)
	show(t, tab, l)()
	red := browsertest.Eval[[]struct{ Count, W float64 }](tab, `[...document.querySelectorAll("#chart g[data-task]")].filter((g) => g.querySelector("rect.bad")).map((g) => ({
		Count: +g.dataset.count, W: +g.querySelector("rect").getAttribute("width")}))`)
	require.Len(t, red, 9)
	for _, r := range red {
		require.EqualValues(t, 1, r.Count)
		require.InDelta(t, 2, r.W, 0.1)
	}
	require.Contains(t, browsertest.Eval[string](tab, `document.querySelector(".legend").textContent`), "5,000 of 12,002 attempts: those that failed or overran, the critical path, and the longest")
	require.Equal(t, true, browsertest.Eval[bool](tab, `(() => { const e = new KeyboardEvent("keydown", {key: "Tab", bubbles: true, cancelable: true}); return document.querySelector("#chart svg").dispatchEvent(e); })()`), "Tab leaves the chart")
	require.Empty(t, tab.Errors())
}

// TestPolicy: a text that got into the page as markup would do nothing, and the page's own script and style work.
func TestPolicy(t *testing.T) {
	tab := browsertest.Open(t, 1280, false)
	show(t, tab, nightly())()
	require.Equal(t, float64(7), browsertest.Eval[float64](tab, `document.querySelectorAll("#chart g[data-task]").length`))
	require.NotEqual(t, "0px", browsertest.Eval[string](tab, `getComputedStyle(document.querySelector(".panel")).borderTopWidth`))
	browsertest.Eval[bool](tab, `(() => {
		const s = document.createElement("script");
		s.textContent = "window.evil = true";
		document.body.append(s);
		document.body.insertAdjacentHTML("beforeend", "<button id=b onclick='window.evil = true' style='position: fixed'></button><style>main { display: none }</style>");
		document.getElementById("b").click();
		return true;
	})()`)
	require.False(t, browsertest.Eval[bool](tab, `!!window.evil`))
	require.Equal(t, "static", browsertest.Eval[string](tab, `getComputedStyle(document.getElementById("b")).position`))
	require.NotEqual(t, "none", browsertest.Eval[string](tab, `getComputedStyle(document.querySelector("main")).display`))
	for _, blocked := range []string{"script-src-elem", "script-src-attr", "style-src-attr", "style-src-elem"} {
		require.Contains(t, fmt.Sprint(tab.Errors()), strings.TrimSuffix(strings.TrimSuffix(blocked, "-elem"), "-attr"))
	}
}

// TestPageShowsWhatIsSeen: names and SQL look like no other.
func TestPageShowsWhatIsSeen(t *testing.T) {
	l := attempt(1, 100, 1, 0, 10, "Failed")
	l.SQL, l.ErrorMessage = "EXEC a\u202egnp\u2066", "broken\u200b\x1b[2J"
	page := pageOf(t, Build(dialects.Process{ID: 7, Name: "load\u202e\u2028", Status: "Failed"}, []dialects.LogEntry{l}, nil, begin.Add(time.Hour)))
	require.Contains(t, page, "<title>load   · dbsched</title>")
	require.NotRegexp(t, "[\u202e\u2066\u200b\x1b\u2028]|\\\\u202e|\\\\u2066", page)
}
