package certify

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/dbsched/dbsched/internal/timeline"
)

//go:embed page.gohtml
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{"mark": mark}).Parse(pageText))

// mark returns the class of a verdict's mark.
func mark(v Verdict) string {
	switch v {
	case Works, Handled:
		return ""
	case NotTried:
		return " wait"
	case Unknown, Fails:
	}
	return " bad"
}

// HTML writes a standalone page, without scripts. What went wrong comes first.
func (r *Report) HTML(w io.Writer) error {
	probes := slices.Clone(r.Results)
	for i, p := range probes {
		probes[i].Assumed = strings.ReplaceAll(p.Assumed, "`", "")
	}
	rank := func(x Result) int { // those of other tests last
		if x.Elsewhere != "" {
			return -1
		}
		return slices.Index(order, x.Verdict)
	}
	slices.SortStableFunc(probes, func(a, b Result) int { return rank(b) - rank(a) })
	sum := sha256.Sum256([]byte(timeline.Style))
	var b bytes.Buffer
	err := page.Execute(&b, map[string]any{
		"R": r, "Engine": map[string]string{"mssql": "SQL Server", "oracle": "Oracle Database"}[r.Dialect], "Version": r.fact("version"), "Probes": probes, "Style": timeline.Style,
		"Policy": fmt.Sprintf("default-src 'none'; img-src data:; style-src 'sha256-%s'", base64.StdEncoding.EncodeToString(sum[:])),
	})
	if err == nil {
		_, err = b.WriteTo(w)
	}
	if err != nil {
		return fmt.Errorf("the page cannot be written: %w", err)
	}
	return nil
}

// fact returns a property of the server.
func (r *Report) fact(name string) string {
	if i := slices.IndexFunc(r.Server, func(f Fact) bool { return f.Name == name }); i >= 0 {
		return r.Server[i].Value
	}
	return ""
}
