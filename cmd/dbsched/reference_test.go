package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/cpuguy83/go-md2man/v2/md2man"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects/registry"
	"github.com/dbsched/dbsched/internal/cli"
)

// generated marks where the part of cli.md begins that is generated from the commands.
const generated = "<!-- From here on generated from the commands: go test ./cmd/dbsched -update -->\n"

// TestReference: docs/cli.md and the man page match the commands. With -update they are written.
func TestReference(t *testing.T) {
	app := cli.New(registry.All(), "")
	root := app.Root(commands(nil))
	root.InitDefaultCompletionCmd()
	path := filepath.Join("..", "..", "docs", "cli.md")
	page, err := os.ReadFile(path)
	require.NoError(t, err)
	before, _, found := strings.Cut(string(page), generated)
	require.True(t, found)
	want := before + generated + reference(root)
	man := "% DBSCHED 1\n\n# NAME\n\ndbsched - " + root.Short + "\n\n# DESCRIPTION\n\n" + forMan(want[strings.Index(want, "\n")+1:])
	roff := string(md2man.Render([]byte(man)))
	manPath := filepath.Join("..", "..", "docs", "dbsched.1")
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(want), 0o644))
		require.NoError(t, os.WriteFile(manPath, []byte(roff), 0o644))
		return
	}
	require.Equal(t, want, string(page), "run go test ./cmd/dbsched -update")
	got, err := os.ReadFile(manPath)
	require.NoError(t, err)
	require.Equal(t, roff, string(got), "run go test ./cmd/dbsched -update")
}

// reference returns the part of cli.md that describes the commands.
func reference(root *cobra.Command) string {
	var b strings.Builder
	for _, g := range root.Groups() {
		fmt.Fprintf(&b, "\n## %s\n", strings.TrimSuffix(g.Title, ":"))
		for _, c := range root.Commands() {
			if c.GroupID == g.ID && c.Name() != "help" {
				describe(&b, c, "###")
			}
		}
	}
	return b.String()
}

func describe(b *strings.Builder, c *cobra.Command, heading string) {
	name := strings.TrimPrefix(c.CommandPath(), "dbsched ")
	fmt.Fprintf(b, "\n%s `%s`\n\n%s.\n", heading, name, strings.TrimSuffix(c.Short, "."))
	if c.Name() != "completion" { // its text is about installing it in each shell
		for paragraph := range strings.SplitSeq(c.Long, "\n\n") {
			if title, lines, found := strings.Cut(paragraph, ":\n  "); found {
				fmt.Fprintf(b, "\n%s:\n\n```text\n%s\n```\n", title, strings.ReplaceAll("  "+lines, "\n  ", "\n")[2:])
			} else if paragraph != "" {
				fmt.Fprintf(b, "\n%s\n", marked(paragraph))
			}
		}
	}
	if see := c.Annotations["see"]; see != "" {
		fmt.Fprintf(b, "\nSee %s.\n", see)
	}
	fmt.Fprintf(b, "\n```sh\n%s\n", c.UseLine())
	if c.HasExample() {
		fmt.Fprintf(b, "\n%s\n", regexp.MustCompile(`(?m)^  `).ReplaceAllString(c.Example, ""))
	}
	b.WriteString("```\n")
	own, common := cli.Flags(c)
	if own.HasAvailableFlags() {
		b.WriteString("\n| Flag | Default | Meaning |\n|---|---|---|\n")
		own.VisitAll(func(f *pflag.Flag) {
			meaning, value := usage(f)
			fmt.Fprintf(b, "| `--%s` | %s | %s |\n", f.Name, value, meaning)
		})
	}
	var shared []string
	common.VisitAll(func(f *pflag.Flag) {
		if c.Root().PersistentFlags().Lookup(f.Name) == nil {
			shared = append(shared, "`--"+f.Name+"`")
		}
	})
	if len(shared) > 0 {
		fmt.Fprintf(b, "\nShared flags: %s.\n", strings.Join(shared, ", "))
	}
	for _, sub := range c.Commands() {
		if c.Name() != "completion" {
			describe(b, sub, "####")
		}
	}
}

// usage returns what a flag means, as a sentence, and its default.
func usage(f *pflag.Flag) (meaning, value string) {
	meaning, value = f.Usage, f.DefValue
	if m := regexp.MustCompile(`^(.*) \(default:? (.*)\)$`).FindStringSubmatch(meaning); m != nil {
		meaning, value = m[1], m[2]
	} else if cut, found := strings.CutSuffix(meaning, " (required)"); found {
		meaning, value = cut, "required"
	}
	switch value {
	case "", "[]":
		value = "none"
	case "false":
		value = "no"
	}
	return strings.ToUpper(meaning[:1]) + meaning[1:], value
}

// marked marks the commands and flags of a paragraph as code.
func marked(text string) string {
	text = regexp.MustCompile(`'(dbsched[^']*)'`).ReplaceAllStringFunc(text, func(s string) string {
		return "`" + strings.Join(strings.Fields(strings.Trim(s, "'")), " ") + "`"
	})
	parts := strings.Split(text, "`")
	for i := 0; i < len(parts); i += 2 { // those outside code
		parts[i] = regexp.MustCompile("(^|[ (\n])(--[a-z-]+)").ReplaceAllString(parts[i], "$1`$2`")
	}
	return strings.Join(parts, "`")
}

// forMan returns Markdown that suits a man page: without links, which it cannot follow, and with lists instead of tables, which it cannot wrap.
func forMan(text string) string {
	text = regexp.MustCompile(`(?m)^\|.*\n\|---.*\n`).ReplaceAllString(text, "")
	text = regexp.MustCompile(`(?m)^\| ([^|]*) \| ([^|]*) \|$`).ReplaceAllString(text, "* **$1** $2")
	text = regexp.MustCompile(`(?m)^\| ([^|]*) \| ([^|]*) \| ([^|]*) \|$`).ReplaceAllString(text, "* **$1** ($2) $3")
	text = regexp.MustCompile(`(?m)^##(#*) `).ReplaceAllString(text, "#$1 ")
	text = regexp.MustCompile(`(?m)^See \[.*\n\n?`).ReplaceAllString(text, "")
	return regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(text, "$1")
}
