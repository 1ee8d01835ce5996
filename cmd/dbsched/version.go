package main

import (
	"context"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/internal/cli"
)

// version is set by the linker for releases.
var version = ""

// buildVersion is the release, or what the Go tool knows of the build.
func buildVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

type versionOptions struct{ cli.NoFlags }

func versionCommand(app *cli.App) *cobra.Command {
	return app.Bind(&cobra.Command{Use: "version", Short: "Show the version of this program"},
		func([]string) cli.Options { return &versionOptions{} })
}

// Run shows it.
func (o *versionOptions) Run(_ context.Context, s *cli.Session) (bool, error) {
	v := map[string]string{"dbsched": s.Version(), "go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH}
	return true, s.One("version", v, [][2]string{{"dbsched", v["dbsched"]}, {"go", v["go"]}, {"platform", v["platform"]}})
}
