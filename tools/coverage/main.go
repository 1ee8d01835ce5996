// Command unentered reports what in the sandbox no product test enters: it reads a coverage profile of the tests outside sandbox/, compares
// whole functions with kept.txt, which says who needs them, and prints the share of statements. `make unentered` runs it. Code that raises,
// refuses or passes on an error does not count: tests of failures cover it. Functions of one line do not count, either.
package main

import (
	"bufio"
	"cmp"
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
)

// errorArm matches the text of a block that only raises, refuses or passes on an error.
var errorArm = regexp.MustCompile(`panic\(|NotSupported|\brefuse|\bfail\(|\braise|\bRaise|message\.(MS|ORA|PLS)|sqlerr\.|errors\.|err != nil|return .*\berr\b|return .*[eE]rr[A-Z]\w*\(`)

// mostUnentered is the share of statements that may be left, in percent.
const mostUnentered = 20

// printed matches the methods by which values show themselves in logs and test failures.
var printed = regexp.MustCompile(`^(Error|String|GoString|LogValue)$`)

// kept lists the functions that stay, below the reason: "# reason", then "file: function …".
//
//go:embed kept.txt
var kept string

// longestArm is how many lines such a block has at most.
const longestArm = 6

// block is a basic block of a coverage profile: its lines, its statements, and how often it was entered.
type block struct{ from, to, statements, entered int }

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: unentered PROFILE")
		os.Exit(2)
	}
	if err := report(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "unentered:", err)
		os.Exit(1)
	}
}

func report(profile string) error {
	files, err := read(profile)
	if err != nil {
		return err
	}
	listed := map[string]bool{} // false once it has been found
	for line := range strings.Lines(kept) {
		file, names, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		for name := range strings.FieldsSeq(names) {
			listed[file+": "+name] = true
		}
	}
	all, without, functions, lines := 0, 0, 0, 0
	var unlisted []string
	for _, file := range slices.Sorted(maps.Keys(files)) {
		source, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		text := strings.Split(string(source), "\n")
		for _, b := range files[file] {
			if b.to > len(text) {
				return fmt.Errorf("%s is older than %s: make a new profile with `make unentered`", profile, file)
			}
			all += b.statements
			arm := b.to-b.from < longestArm && errorArm.MatchString(strings.Join(text[b.from-1:b.to], " "))
			if b.entered == 0 && !arm {
				without += b.statements
			}
		}
		names, n, err := unentered(file, source, files[file])
		if err != nil {
			return err
		}
		for _, name := range names {
			if _, ok := listed[file+": "+name]; !ok {
				unlisted = append(unlisted, file+": "+name)
			}
			listed[file+": "+name] = false
		}
		functions, lines = functions+len(names), lines+n
	}
	for _, name := range slices.Sorted(maps.Keys(listed)) {
		if listed[name] {
			fmt.Println("entered or gone, remove it from kept.txt:", name)
		}
	}
	share := 100 * float64(without) / float64(max(all, 1))
	fmt.Printf("%d functions of %d lines, %d of %d statements (%.1f %%)\n", functions, lines, without, all, share)
	if share > mostUnentered {
		return fmt.Errorf("more than %d %% of the statements are left: remove what has no user, or test it through the product", mostUnentered)
	}
	if len(unlisted) > 0 {
		return fmt.Errorf("no product test enters these: remove them, or list them in kept.txt below who needs them:\n%s", strings.Join(unlisted, "\n"))
	}
	return nil
}

// read returns the blocks of each file below sandbox/; what the tests of several packages entered is added up.
func read(profile string) (map[string][]block, error) {
	in, err := os.Open(profile)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	type place struct{ file, span string }
	found := map[place]block{}
	for s := bufio.NewScanner(in); s.Scan(); {
		path, rest, ok := strings.Cut(s.Text(), ".go:")
		_, file, inSandbox := strings.Cut(path, "/dbsched/sandbox/")
		if !ok || !inSandbox {
			continue
		}
		var b block
		var c0, c1, n int
		if _, err := fmt.Sscanf(rest, "%d.%d,%d.%d %d %d", &b.from, &c0, &b.to, &c1, &b.statements, &n); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Text(), err)
		}
		span, _, _ := strings.Cut(rest, " ")
		p := place{"sandbox/" + file + ".go", span}
		b.entered = found[p].entered + n
		found[p] = b
	}
	files := map[string][]block{}
	for p, b := range found {
		files[p.file] = append(files[p.file], b)
	}
	return files, nil
}

// unentered returns the functions of a file of which no block was entered, and how many lines they have.
func unentered(file string, source []byte, blocks []block) (names []string, lines int, err error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, 0, err
	}
	slices.SortFunc(blocks, func(a, b block) int { return cmp.Compare(a.from, b.from) })
	for _, d := range tree.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		from, to := set.Position(f.Body.Pos()).Line, set.Position(f.End()).Line
		inside := func(b block) bool { return b.from >= from && b.to <= to }
		if !slices.ContainsFunc(blocks, inside) || slices.ContainsFunc(blocks, func(b block) bool { return inside(b) && b.entered > 0 }) {
			continue
		}
		text := string(source[set.Position(f.Body.Pos()).Offset:set.Position(f.End()).Offset])
		if to == from || to-from < longestArm && (errorArm.MatchString(text) || printed.MatchString(f.Name.Name)) {
			continue
		}
		names, lines = append(names, f.Name.Name), lines+to-from+1
	}
	return names, lines, nil
}
