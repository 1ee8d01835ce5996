package parser

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// known are the statements whose full syntax the judge knows: it is lenient with others.
var known = regexp.MustCompile(`(?i)^\W*(select|with|insert|update|delete|merge|begin|declare|create (or replace )?(procedure|function|package|trigger))`)

// TestMutations corrupts the corpus one token at a time and asks a judge (CONTRIBUTING) whether the outcome is right. The judge takes some
// texts that are not documented, so a difference is a question, not a failure, but only a few may remain.
func TestMutations(t *testing.T) {
	dir := os.Getenv("JUDGES")
	if dir == "" {
		t.Skip("JUDGES names no folder with the judges: see CONTRIBUTING")
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join("../../../..", dir)
	}
	seed, _ := strconv.ParseUint(cmp.Or(os.Getenv("DBSCHED_TEST_SEED"), "1"), 10, 64)
	r := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // mutations are not secret
	files := corpus(t)
	if more := os.Getenv("MUTATED"); more != "" { // other statements, separated by lines with a slash
		files = []string{more}
	}
	judge := filepath.Join(dir, "zpa.jar")
	var whole, texts []string
	for _, file := range files {
		for _, text := range statements(t, file) {
			if known.MatchString(text) {
				whole = append(whole, text)
			}
		}
	}
	for i, refused := range judged(t, judge, whole) {
		if refused {
			continue
		}
		for range 10 + min(len(whole[i])/100, 50) {
			if text := mutated(r, whole[i]); text != "" {
				texts = append(texts, text)
			}
		}
	}
	refused := judged(t, judge, texts)
	different := 0
	for i, text := range texts {
		_, err := Statement(text)
		var e *Error
		wrong := errors.As(err, &e) && !e.Refused()
		if wrong == refused[i] || wrong && (!e.syntax || e.Number == 923) { // the judge knows only syntax, and a later version's SELECT without FROM
			continue
		}
		different++
		t.Logf("wrong for the judge: %t, for the parser: %q\n%s", refused[i], fmt.Sprint(err), text)
	}
	t.Logf("%d texts, %d different", len(texts), different)
	require.Less(t, different*20, len(texts))
}

// mutated deletes, doubles, swaps, replaces or inserts a token of text, or truncates the text.
func mutated(r *rand.Rand, text string) string {
	toks := lex(text).toks
	toks = toks[:len(toks)-1]
	var words []string
	for _, t := range toks {
		words = append(words, text[t.pos.Offset:t.end])
	}
	at, other := r.IntN(len(words)), words[r.IntN(len(words))]
	switch r.IntN(6) {
	case 0:
		words = slices.Delete(words, at, at+1)
	case 1:
		words = slices.Insert(words, at, words[at])
	case 2:
		next := (at + 1) % len(words)
		words[at], words[next] = words[next], words[at]
	case 3:
		words[at] = other
	case 4:
		words = slices.Insert(words, at, other)
	case 5:
		words = words[:at]
	}
	return strings.Join(words, " ")
}

// judged reports which texts the judge refuses.
func judged(t *testing.T, jar string, texts []string) []bool {
	t.Helper()
	dir := t.TempDir()
	args := []string{"-jar", jar}
	for i, text := range texts {
		path := filepath.Join(dir, fmt.Sprintf("%d.sql", i))
		require.NoError(t, os.WriteFile(path, []byte(text+"\n/\n"), 0o600))
		args = append(args, path)
	}
	out, _ := exec.CommandContext(t.Context(), "java", args...).CombinedOutput() // it fails when anything is refused
	require.Contains(t, string(out), "refused")
	refused := make([]bool, len(texts))
	for line := range strings.Lines(string(out)) {
		name, _, _ := strings.Cut(filepath.Base(strings.TrimSpace(line)), ".sql:")
		if i, err := strconv.Atoi(name); err == nil && strings.HasPrefix(line, dir) {
			refused[i] = true
		}
	}
	return refused
}
