package main

import (
	"cmp"
	"context"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/internal/cli"
)

// version and commit are set by the linker for releases.
var version, commit string

// buildVersion returns the release, or what the Go tool knows about the build.
func buildVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// buildCommit returns the commit that was built: of a release, or as the Go tool noted it; "" if it noted none.
func buildCommit() string {
	if commit != "" {
		return commit
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		return commitOf(info.Settings)
	}
	return ""
}

// commitOf returns the commit in the settings of a build.
func commitOf(settings []debug.BuildSetting) string {
	noted := map[string]string{}
	for _, s := range settings {
		noted[s.Key] = s.Value
	}
	text := noted["vcs.revision"]
	if text != "" && noted["vcs.modified"] == "true" {
		text += ", with changes"
	}
	return text
}

// unknownCommit is shown for a build that the Go tool noted no commit in, as with -buildvcs=false or outside a repository.
const unknownCommit = "built from source, commit unknown"

// build returns what --version adds to the version.
func build(app *cli.App) string {
	text := ", " + unknownCommit
	if c := buildCommit(); c != "" {
		text = ", commit " + c
	}
	for _, d := range app.Dialects {
		sql, _ := d.Version() // it fails for templates that do not render; tests check that
		text += ", " + d.Name() + " " + sql
	}
	return text
}

type versionOptions struct{ cli.NoFlags }

func versionCommand(app *cli.App) *cobra.Command {
	return app.Bind(&cobra.Command{
		Use: "version", Short: "Show the version of this program",
		Long: `Shows the version and the commit of this program, and the version of the SQL that it installs
on each engine. 'dbsched status' shows the version that is installed.`,
	}, func([]string) cli.Options { return &versionOptions{} })
}

// Run shows it.
func (o *versionOptions) Run(_ context.Context, s *cli.Session) (bool, error) {
	v := map[string]string{"dbsched": s.Version(), "commit": cmp.Or(buildCommit(), "unknown"), "go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH}
	lines := [][2]string{{"dbsched", v["dbsched"]}, {"commit", cmp.Or(buildCommit(), unknownCommit)}}
	for _, d := range s.Dialects() {
		sql, err := d.Version()
		if err != nil {
			return false, err
		}
		v[d.Name()], lines = sql, append(lines, [2]string{d.Name(), sql})
	}
	return true, s.One("version", v, append(lines, [2]string{"go", v["go"]}, [2]string{"platform", v["platform"]}))
}
