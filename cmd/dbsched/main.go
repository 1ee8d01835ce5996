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
	os.Exit(cli.New(registry.All(), buildVersion()).Main(ctx, os.Args[1:], commands(startSandbox)...))
}

// commands returns every verb.
func commands(start sandboxStarter) []func(*cli.App) *cobra.Command {
	return []func(*cli.App) *cobra.Command{
		installCommand, uninstallCommand, renderCommand, verifyCommand,
		startCommand, stopCommand, statusCommand, workersCommand, policyCommand, optionsCommand, purgeCommand, hookCommand,
		execCommand, runCommand, waitCommand, cancelCommand, retryCommand, processesCommand, tasksCommand, taskCommand, logsCommand, alarmsCommand,
		resourceCommand, roundCommand, grantCommand, revokeCommand,
		demoCommand(start), sandboxCommand(start), versionCommand,
	}
}
