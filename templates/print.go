package templates

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// Print writes the batches as one script that sqlcmd runs unchanged (with
// -b, so that it stops at the first error). sqlcmd connects with
// QUOTED_IDENTIFIER OFF by default, and modules keep the setting
// that they were created with, so the script sets it itself.
func Print(w io.Writer, batches []Batch) error {
	out := bufio.NewWriter(w)
	fmt.Fprint(out, contents(batches)+"SET ANSI_NULLS, QUOTED_IDENTIFIER ON;\nGO\n")
	for _, b := range batches {
		if err := checkBody(b); err != nil {
			return err
		}
		fmt.Fprintf(out, "%s\nGO\n", strings.TrimRight(b.SQL, "\n"))
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write script: %w", err)
	}
	return nil
}

var (
	partOf = regexp.MustCompile(`/(\d-[\w-]+)/`)
	ofLane = regexp.MustCompile(`^Lane_\d\d_`)
)

// contents returns the table of contents of an installation: its parts in order, how many lines each has, and what it contains. Other
// scripts have none.
func contents(batches []Batch) string {
	type part struct {
		title string
		lines int
		names []string
	}
	var parts []part
	for _, b := range batches {
		title := "tables"
		if m := partOf.FindStringSubmatch(b.File); m != nil {
			title = m[1]
		}
		if len(parts) == 0 || parts[len(parts)-1].title != title {
			parts = append(parts, part{title: title})
		}
		p := &parts[len(parts)-1]
		p.lines += strings.Count(b.SQL, "\n")
		name := ofLane.ReplaceAllString(b.Object.Name, "Lane_NN_")
		if name == "" {
			_, name, _ = strings.Cut(b.Name, "_")
		}
		if !slices.Contains(p.names, name) {
			p.names = append(p.names, name)
		}
	}
	if len(parts) < 2 {
		return ""
	}
	var out strings.Builder
	out.WriteString("--\n-- Contents. Each object begins with a header: search for its name.\n")
	for _, p := range parts {
		line := fmt.Sprintf("--   %s (%d lines):", p.title, p.lines)
		for _, name := range p.names {
			if len(line)+len(name) > 120 {
				out.WriteString(line + "\n")
				line = "--     "
			}
			line += " " + name
		}
		out.WriteString(line + "\n")
	}
	return out.String()
}
