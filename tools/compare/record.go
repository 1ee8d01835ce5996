package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/dbsched/dbsched/internal/trace"
)

// cache is the folder with the traces of commits, by their names.
const cache = ".cache/traces"

// git runs a command of git and returns what it prints.
func git(ctx context.Context, args ...string) (string, error) {
	var out, says bytes.Buffer
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Stdout, cmd.Stderr = &out, &says
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(says.String()))
	}
	return strings.TrimSpace(out.String()), nil
}

// commitToCompare finds the commit to compare with: "" if there is none in this clone.
func commitToCompare(ctx context.Context, name string) (string, error) {
	if name != "" {
		return git(ctx, "rev-parse", "--verify", name+"^{commit}")
	}
	head, err := git(ctx, "rev-parse", "HEAD")
	if err != nil {
		return "", err
	}
	if left, err := git(ctx, "merge-base", "HEAD", "origin/main"); err == nil && left != head {
		return left, nil
	}
	parent, err := git(ctx, "rev-parse", "--verify", "HEAD~1^{commit}")
	if err != nil {
		return "", nil //nolint:nilerr // the first commit, or the last one of a shallow clone
	}
	return parent, nil
}

// tracesOf returns what the sandboxes of a commit's tests do.
func tracesOf(ctx context.Context, commit string) (all map[string][]trace.Trace, err error) {
	kept := filepath.Join(cache, commit)
	if _, err := os.Stat(kept); err == nil {
		return trace.Read(kept)
	}
	dir, err := os.MkdirTemp("", "compare")
	if err != nil {
		return nil, err
	}
	tree := filepath.Join(dir, "tree")
	if _, err := git(ctx, "worktree", "add", "--detach", tree, commit); err != nil {
		return nil, err
	}
	defer func() {
		_, gone := git(context.WithoutCancel(ctx), "worktree", "remove", "--force", tree)
		err = errors.Join(err, gone, os.RemoveAll(dir))
	}()
	written := filepath.Join(dir, "traces")
	began := time.Now()
	if err := test(ctx, tree, written); err != nil {
		fmt.Printf("Tests of %.8s fail. What they did until then is compared. %v\n", commit, err)
		return trace.Read(written)
	}
	fmt.Printf("The tests of %.8s took %v.\n", commit, time.Since(began).Round(time.Second))
	if err := keep(written, commit); err != nil {
		return nil, err
	}
	return trace.Read(kept)
}

// keep puts the traces of a commit into the cache.
func keep(file, commit string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return errors.Join(os.MkdirAll(cache, 0o755), os.WriteFile(filepath.Join(cache, commit), text, 0o644))
}

// tidy keeps the traces of this commit, which is the next one's parent, unless there are changes besides, and forgets those of others than the two.
func tidy(ctx context.Context, base, file string, passed bool) error {
	head, err := git(ctx, "rev-parse", "HEAD")
	if err != nil {
		return err
	}
	changes, err := git(ctx, "status", "--porcelain")
	if err == nil && changes == "" && passed {
		err = keep(file, head)
	}
	if err != nil {
		return err
	}
	all, err := os.ReadDir(cache)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range all {
		if e.Name() != base && e.Name() != head {
			err = errors.Join(err, os.Remove(filepath.Join(cache, e.Name())))
		}
	}
	return err
}

// tracing matches a package whose tests have sandboxes that are traced.
var tracing = regexp.MustCompile(`(?m)^(\S+):.* \S+/internal/sandboxtest(?: |$)`)

// test runs the tests of a tree that make sandboxes, with all that they do written to a file.
func test(ctx context.Context, tree, to string) error {
	list := exec.CommandContext(ctx, "go", "list", "-f", `{{.ImportPath}}: {{join .TestImports " "}} {{join .XTestImports " "}}`, "./...")
	list.Dir, list.Stderr = tree, os.Stderr
	out, err := list.Output()
	if err != nil {
		return err
	}
	args := []string{"test", "-count=1", "-vet=off", "-timeout=30m"}
	for _, m := range tracing.FindAllStringSubmatch(string(out), -1) {
		if !strings.HasSuffix(m[1], "/simulation") { // histories have no wire and no line
			args = append(args, m[1])
		}
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "DBSCHED_") })
	cmd.Env = append(cmd.Env, "DBSCHED_TRACES="+to)
	cmd.Dir = tree
	if out, err := cmd.CombinedOutput(); err != nil {
		const most = 4000
		return fmt.Errorf("%w\n%s", err, out[max(0, len(out)-most):])
	}
	return nil
}
