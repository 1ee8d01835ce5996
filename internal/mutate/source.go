package main

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path"
	"slices"
	"strings"

	"github.com/pmezard/go-difflib/difflib"

	"github.com/dbsched/dbsched/internal/sandboxtest"
	"github.com/dbsched/dbsched/templates"
)

// every returns all mistakes of the templates that are asked for: those of a sample in the order in which it takes them.
func (o options) every() (all []mutant, err error) {
	for _, dialect := range o.dialects() {
		if o.named {
			list, err := named(dialect)
			if err != nil {
				return nil, err
			}
			all = append(all, evenly(list, o.wanted())...)
			continue
		}
		var list []mutant
		err := fs.WalkDir(templates.Files(), dialect, func(file string, _ fs.DirEntry, err error) error {
			if err != nil || path.Ext(file) != ".sql" || !strings.Contains(path.Dir(file), o.topic) {
				return err
			}
			source, err := fs.ReadFile(templates.Files(), file)
			list = append(list, mutants(dialect, file, string(source))...)
			return err
		})
		if err != nil {
			return nil, err
		}
		if o.ids != "" {
			list = slices.DeleteFunc(list, func(m mutant) bool { return !slices.Contains(strings.Split(o.ids, ","), m.id) })
		} else if !o.all {
			random := rand.New(rand.NewPCG(o.seed, 0))
			random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		}
		all = append(all, list...)
	}
	if len(all) == 0 && o.ids == "" {
		return nil, fmt.Errorf("no template is in a folder whose path contains %q", o.topic)
	}
	if o.ids != "" && len(all) < 1+strings.Count(o.ids, ",") {
		return nil, fmt.Errorf("only %d of these mistakes exist; -list shows all: %s", len(all), o.ids)
	}
	return all, nil
}

// source returns the mutant's template without the mistake.
func (m mutant) source() string {
	text, err := fs.ReadFile(templates.Files(), m.file)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(text)
}

// diff shows the mistake.
func (m mutant) diff() string {
	source := m.source()
	text, err := difflib.GetUnifiedDiffString(difflib.UnifiedDiff{A: difflib.SplitLines(source), B: difflib.SplitLines(m.in(source))})
	if err != nil {
		return err.Error()
	}
	_, text, _ = strings.Cut(text, "\n") // the lines' numbers
	return text
}

// harmless adds a comment to a template: what fails with it looks at the text of the SQL, not at what it does.
func harmless(source string) string {
	for _, t := range slices.Backward(tokens(source)) {
		if t.kind != action && !t.is(";") {
			line := strings.LastIndexByte(source[:t.start], '\n') + 1
			return source[:line] + "-- harmless\n" + source[line:]
		}
	}
	return source
}

// place is where a mistake is in an installation.
type place struct {
	unit   string // in upper case; empty: no unit
	line   int
	main   bool // an installation contains it
	stored bool // in a unit, which the server compiles; otherwise in a batch that runs

	sound, mistaken string // the batch
}

// where returns the places of a mistake, one for each way to render the templates; none if they cannot be rendered with it, or say the same.
func (m mutant) where() (all []place) {
	mistaken := patched{templates.Files(), m.file, []byte(m.in(m.source()))}
	for n, render := range m.renderings() {
		sound, err := render(nil)
		if err != nil {
			panic(fmt.Sprintf("render the templates: %v", err))
		}
		wrong, err := render(mistaken)
		if err != nil || len(wrong) != len(sound) {
			return nil
		}
		for i, b := range wrong {
			if p, differs := m.place(b, sound[i].SQL, n > 0); differs {
				p.main, p.sound, p.mistaken = n == 0, sound[i].SQL, b.SQL
				all = append(all, p)
				break
			}
		}
	}
	return all
}

// place returns where a batch differs from the sound one; longer: of another rendering than the usual one, where units may have other lengths.
func (m mutant) place(b templates.Batch, sound string, longer bool) (place, bool) {
	if strings.Join(strings.Fields(b.SQL), " ") == strings.Join(strings.Fields(sound), " ") {
		return place{}, false
	}
	at := 0
	for at < len(b.SQL) && at < len(sound) && b.SQL[at] == sound[at] {
		at++
	}
	line := 1 + strings.Count(b.SQL[:at], "\n")
	switch stored := b.Object.Name != "" && b.Kind == templates.KindModule; {
	case !stored:
		return place{unit: sandboxtest.Comment(b.SQL), line: line}, true
	case b.Object.Type == "package": // its body has the name, too, and other lines
		return place{stored: true}, true
	}
	p := place{unit: strings.ToUpper(b.Object.Name), line: line - linesBefore(m.dialect, b.SQL), stored: true}
	if longer && m.dialect == "oracle" { // see sandboxtest.Reach
		p.unit += fmt.Sprint("~", strings.Count(sound, "\n")+1-linesBefore(m.dialect, b.SQL))
	}
	return p, true
}

// linesBefore is how many lines of a batch the server does not count.
func linesBefore(dialect, sql string) int {
	if dialect == "mssql" {
		return 0
	}
	for _, t := range tokens(sql) {
		if t.is("CREATE") {
			return strings.Count(sql[:t.start], "\n")
		}
	}
	return 0
}

// renderings are the ways in which the templates are rendered.
func (m mutant) renderings() []func(fs.FS) ([]templates.Batch, error) {
	p := templates.Params{Schema: "dbsched", Lanes: 1, Version: "1"}
	with := func(render func(templates.Params) ([]templates.Batch, error), runner string) func(fs.FS) ([]templates.Batch, error) {
		return func(files fs.FS) ([]templates.Batch, error) {
			p := p
			p.Files, p.Runner = files, runner
			return render(p)
		}
	}
	if m.dialect == "oracle" {
		p.Schema = "APP"
		return []func(fs.FS) ([]templates.Batch, error){with(templates.Oracle, ""), with(templates.Oracle, "RUNNER"), with(templates.OracleRunner, "RUNNER"), with(templates.OracleUninstall, "")}
	}
	trust := func(p templates.Params) ([]templates.Batch, error) {
		return templates.MSSQLTrust(p, templates.Trust{Users: []string{"u"}, Targets: []string{"d"}})
	}
	return []func(fs.FS) ([]templates.Batch, error){with(templates.MSSQL, ""), with(templates.MSSQLUninstall, ""), with(templates.MSSQLKillScript, ""), with(trust, "")}
}
