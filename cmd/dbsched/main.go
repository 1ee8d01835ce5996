// Command dbsched installs, drives and observes a task scheduler inside a database.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects/registry"
	"github.com/dbsched/dbsched/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	app := cli.New(registry.All(), buildVersion())
	app.Build = func() string { return build(app) }
	os.Exit(app.Main(ctx, os.Args[1:], commands(startSandbox)...))
}

// commands returns every command.
func commands(start sandboxStarter) []cli.Group {
	type list = []func(*cli.App) *cobra.Command
	return []cli.Group{
		{Title: "Install", Commands: list{installCommand, uninstallCommand, verifyCommand, certifyCommand, renderCommand, grantCommand, revokeCommand}},
		{Title: "Run", Commands: list{startCommand, stopCommand, workersCommand, execCommand, runCommand, waitCommand, cancelCommand, retryCommand}},
		{Title: "Look", Commands: list{statusCommand, processesCommand, timelineCommand, tasksCommand, taskCommand, logsCommand, alarmsCommand, watchCommand, consoleCommand, metricsCommand}},
		{Title: "Set", Commands: list{policyCommand, optionsCommand, hookCommand, purgeCommand, resourceCommand, roundCommand, scheduleCommand}},
		{Title: "Try and learn", Commands: list{demoCommand(start), sandboxCommand(start), benchCommand(start), versionCommand}},
	}
}
