package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/dbsched/dbsched/dialects"
)

// config is the file of named targets.
type config struct {
	Targets map[string]namedTarget `yaml:"targets"`
}

// namedTarget is one entry.
type namedTarget struct {
	DSN    string `yaml:"dsn"`
	Schema string `yaml:"schema"`
}

// configPath returns the path of the file.
func (a *App) configPath() (string, error) {
	if path := a.Getenv("DBSCHED_CONFIG"); path != "" {
		return path, nil
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", dialects.Usagef("--target needs a configuration file, and this user has no configuration folder. Set DBSCHED_CONFIG (%v)", err)
	}
	return filepath.Join(dir, "dbsched", "config.yaml"), nil
}

// readConfig reads the file.
func (a *App) readConfig() (path string, c config, err error) {
	if path, err = a.configPath(); err != nil {
		return "", config{}, err
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return path, config{}, err
	}
	if err != nil {
		return path, config{}, dialects.Usagef("the configuration file cannot be read: %v", err)
	}
	if err := yaml.UnmarshalWithOptions(text, &c, yaml.Strict()); err != nil {
		return path, config{}, dialects.Usagef("the configuration file %s is invalid: %s", path, place(err))
	}
	return path, c, nil
}

// targetNames lists the targets of the file, if it can be read.
func (a *App) targetNames() []string {
	_, c, _ := a.readConfig() // called for completion in a shell, which cannot handle an error
	return slices.Sorted(maps.Keys(c.Targets))
}

// named returns the target that --target names.
func (s *Session) named(name string) (namedTarget, error) {
	path, c, err := s.app.readConfig()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return namedTarget{}, dialects.Usagef("--target %s needs the configuration file %s, which does not exist. Create it with this content:\ntargets:\n  %s:\n    dsn: sqlserver://user@host?database=name&encrypt=true", name, path, name)
	case err != nil:
		return namedTarget{}, err
	}
	t, ok := c.Targets[name]
	if !ok {
		known := slices.Sorted(maps.Keys(c.Targets))
		if len(known) == 0 {
			known = []string{"none"}
		}
		return namedTarget{}, dialects.Usagef("there is no target %s in %s. Targets: %s", name, path, strings.Join(known, ", "))
	}
	if t.DSN == "" && s.app.globals.dsn == "" {
		return namedTarget{}, dialects.Usagef("the target %s in %s has no dsn", name, path)
	}
	if hasPassword(t.DSN) {
		s.warnIfOthersRead(path)
	}
	return t, nil
}

// place returns where a YAML error is. It quotes nothing of the file, which may contain a password.
func place(err error) string {
	at := ""
	e, ok := errors.AsType[yaml.Error](err)
	if ok && e.GetToken() != nil {
		at = fmt.Sprintf("[%d:%d] ", e.GetToken().Position.Line, e.GetToken().Position.Column)
	}
	if is[*yaml.UnknownFieldError](err) {
		return at + "unknown field. A target has a dsn and a schema"
	}
	return at + "it must be YAML of this form:\ntargets:\n  NAME:\n    dsn: URL\n    schema: NAME"
}

// warnIfOthersRead warns if other users can read a file that contains a password. On Windows the user's folder protects it.
func (s *Session) warnIfOthersRead(path string) {
	info, err := os.Stat(path)
	if err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		s.Warn(fmt.Sprintf("%s contains a password and other users can read it. Run chmod 600 %s, or remove the password and set %s", path, path, passwordVariable))
	}
}
