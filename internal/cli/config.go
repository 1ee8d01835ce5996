package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/dbsched/dbsched/dialects"
)

// config is the file that gives targets a name.
type config struct {
	Targets map[string]namedTarget `yaml:"targets"`
}

// namedTarget is what --target stands for.
type namedTarget struct {
	DSN    string `yaml:"dsn"`
	Schema string `yaml:"schema"`
}

// configPath is where the file is.
func (a *App) configPath() (string, error) {
	if path := a.Getenv("DBSCHED_CONFIG"); path != "" {
		return path, nil
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", dialects.Usagef("--target needs a configuration file, and this user has no folder for one: set DBSCHED_CONFIG (%v)", err)
	}
	return filepath.Join(dir, "dbsched", "config.yaml"), nil
}

// named returns the target that --target names.
func (s *Session) named(name string) (namedTarget, error) {
	path, err := s.app.configPath()
	if err != nil {
		return namedTarget{}, err
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return namedTarget{}, dialects.Usagef("--target %s needs the configuration file %s, and there is none; it would read\ntargets:\n  %s:\n    dsn: sqlserver://user@host?database=name", name, path, name)
	}
	if err != nil {
		return namedTarget{}, dialects.Usagef("the configuration file cannot be read: %v", err)
	}
	var c config
	if err := yaml.UnmarshalWithOptions(text, &c, yaml.Strict()); err != nil {
		return namedTarget{}, dialects.Usagef("the configuration file %s is wrong: %s", path, place(err))
	}
	t, ok := c.Targets[name]
	if !ok {
		known := make([]string, 0, len(c.Targets))
		for n := range c.Targets {
			known = append(known, n)
		}
		slices.Sort(known)
		if len(known) == 0 {
			known = []string{"none"}
		}
		return namedTarget{}, dialects.Usagef("there is no target %s in %s; known are: %s", name, path, strings.Join(known, ", "))
	}
	if t.DSN == "" && s.app.globals.dsn == "" {
		return namedTarget{}, dialects.Usagef("the target %s in %s has no dsn", name, path)
	}
	if hasPassword(t.DSN) {
		s.warnIfOthersRead(path)
	}
	return t, nil
}

// place is what an error of the YAML library says, without the lines of the file that it shows: they may hold a password.
func place(err error) string {
	text := err.Error()
	if e, ok := errors.AsType[yaml.Error](err); ok {
		text = e.FormatError(false, false)
	}
	first, _, _ := strings.Cut(text, "\n")
	return quoted.ReplaceAllString(first, "...")
}

// quoted is a value that an error quotes.
var quoted = regexp.MustCompile(`\w+://\S+`)

// hasPassword tells whether a DSN holds a password, or may hold one.
func hasPassword(dsn string) bool {
	u, err := url.Parse(dsn)
	if err != nil {
		return true
	}
	p, _ := u.User.Password()
	for k := range u.Query() {
		if k = strings.ToLower(k); strings.Contains(k, "pass") || strings.Contains(k, "pwd") || strings.Contains(k, "token") {
			return true
		}
	}
	return p != ""
}

// warnIfOthersRead warns of a file that holds a password and others may read. Windows has other rights, which its user folder sets.
func (s *Session) warnIfOthersRead(path string) {
	info, err := os.Stat(path)
	if err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		s.Warn(fmt.Sprintf("%s holds a password, and others may read it: chmod 600 %s, or leave the password out and set %s", path, path, passwordVariable))
	}
}
