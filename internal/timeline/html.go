package timeline

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"slices"
	"time"

	"github.com/dbsched/dbsched/internal/format"
)

//go:embed page.gohtml chart.js style.css
var files embed.FS

// Style and Script are what a page that shows a Chart needs.
var (
	Style  = template.CSS(mustRead("style.css")) //nolint:gosec // our own file
	Script = template.JS(mustRead("chart.js"))   //nolint:gosec // our own file
)

// drawing draws the chart of a page of its own.
const drawing = `
const data = document.getElementById("data");
if (data) dbschedChart(document.getElementById("chart"), JSON.parse(data.textContent));
`

// policy lets the page do what it needs, and nothing else: a text that got past the escaping would still not run.
var policy = fmt.Sprintf("default-src 'none'; img-src data:; style-src '%s'; script-src '%s'", digest(string(Style)), digest(string(Script)+drawing))

// digest returns the source of a policy that allows one text.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func mustRead(name string) string {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(text)
}

var page = template.Must(template.New("page.gohtml").Funcs(template.FuncMap{
	"took": format.Duration, "percent": format.Percent, "line": format.Line, "count": format.Count[int64],
}).ParseFS(files, "page.gohtml"))

// chartBar is a bar for the script: times in milliseconds since the beginning.
type chartBar struct {
	Task     int64  `json:"t"`
	Attempt  int    `json:"a"`
	Order    int    `json:"o"`
	Lane     int    `json:"l"`
	Start    int64  `json:"s"`
	End      int64  `json:"e"`
	Wait     int64  `json:"w,omitempty"` // only for a resource
	Resource string `json:"r,omitempty"`
	Kind     string `json:"k"` // run, bad, crit or other
	Outcome  string `json:"x"`
	Overran  bool   `json:"v,omitempty"`
	Label    string `json:"n"`
	SQL      string `json:"q"`
	Error    string `json:"m,omitempty"`
}

type chartWave struct {
	Order int   `json:"o"`
	Start int64 `json:"s"`
	End   int64 `json:"e"`
}

// ChartData returns what the script draws, as JSON.
func (t *Timeline) ChartData() (template.JS, error) {
	ms := func(at time.Time) int64 { return at.Sub(t.Begin).Milliseconds() }
	data := struct {
		Begin int64       `json:"begin"` // milliseconds since 1970
		End   int64       `json:"end"`   // since the beginning
		Lanes []int       `json:"lanes"`
		Waves []chartWave `json:"waves"`
		Bars  []chartBar  `json:"bars"`
		Note  string      `json:"note,omitempty"` // which attempts have no bar
	}{Begin: t.Begin.UnixMilli(), End: max(ms(t.End), 1), Lanes: t.Lanes, Waves: []chartWave{}, Bars: []chartBar{}}
	drawn := t.drawn()
	if len(drawn) < len(t.Bars) {
		data.Note = fmt.Sprintf("%s of %s: those that failed or overran, the critical path, and the longest", format.Count(len(drawn)), format.Plural(len(t.Bars), "attempt"))
	}
	for _, w := range t.Waves {
		data.Waves = append(data.Waves, chartWave{w.Order, ms(w.Start), ms(w.End)})
	}
	for _, b := range drawn {
		c := chartBar{
			Task: b.Task, Attempt: b.Attempt, Order: b.Order, Lane: b.Lane, Start: ms(b.Start), End: ms(b.End),
			Kind: "other", Outcome: b.State(), Overran: b.Overran != nil, Label: clip(format.Label(b.Name, b.SQL), 60), SQL: clip(b.SQL, 400), Error: clip(b.Error, 400),
		}
		if b.Resource != "" {
			c.Wait, c.Resource = b.Wait.Milliseconds(), b.Resource
		}
		switch {
		case b.Failed():
			c.Kind = "bad"
		case b.Critical:
			c.Kind = "crit"
		case b.Running:
			c.Kind = "run"
		}
		data.Bars = append(data.Bars, c)
	}
	text, err := json.Marshal(data) // Marshal escapes <, > and &, so the result can be part of a script
	return template.JS(text), err   //nolint:gosec // see above
}

// mostDrawn is how many bars a chart has: more are slow in a browser.
const mostDrawn = 5000

// drawn returns the bars of a chart, by start: all, or those that failed, run or are critical, and then the longest.
func (t *Timeline) drawn() []Bar {
	if len(t.Bars) <= mostDrawn {
		return t.Bars
	}
	rank := func(b Bar) int {
		switch {
		case b.Failed() || b.Overran != nil:
			return 0
		case b.Critical || b.Running:
			return 1
		}
		return 2
	}
	all := slices.Clone(t.Bars)
	slices.SortStableFunc(all, func(a, b Bar) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.Took(), a.Took())) })
	all = all[:mostDrawn]
	slices.SortStableFunc(all, func(a, b Bar) int { return a.Start.Compare(b.Start) })
	return all
}

// HTML writes a standalone page. Clock formats times in the zone that zone names.
func (t *Timeline) HTML(w io.Writer, target, zone string, clock func(time.Time) string) error {
	data, err := t.ChartData()
	if err != nil {
		return err
	}
	var failed []Bar
	for _, b := range t.Bars {
		if b.Failed() || b.Overran != nil {
			failed = append(failed, b)
		}
	}
	var b bytes.Buffer
	err = page.Execute(&b, map[string]any{
		"T": t, "Target": target, "Zone": zone, "Clock": clock, "Data": data, "Critical": t.Longest(), "Shorter": int64(len(t.Critical) - min(len(t.Critical), listed)),
		"Failed": failed[max(0, len(failed)-listed):], "Failures": int64(len(failed)), "Fewer": len(failed) > listed,
		"Whole": t.End.Sub(t.Begin), "Style": Style, "Script": Script + drawing, "Policy": policy,
	})
	if err == nil {
		_, err = io.WriteString(w, format.CleanLines(b.String()))
	}
	if err != nil {
		return fmt.Errorf("the page cannot be written: %w", err)
	}
	return nil
}
