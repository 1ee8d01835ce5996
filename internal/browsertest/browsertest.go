// Package browsertest opens pages in a headless Chromium.
package browsertest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// Tab is a tab in its own browser.
type Tab struct {
	t      *testing.T
	ctx    context.Context
	mu     sync.Mutex
	errors []string
}

// Open starts a browser and returns a tab that is width pixels wide, with dark colors or light ones. Without a Chromium the test is
// skipped, unless DBSCHED_CHROMIUM names one.
func Open(t *testing.T, width int, dark bool) *Tab {
	t.Helper()
	path := os.Getenv("DBSCHED_CHROMIUM")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); path == "" && err == nil {
			path = found
		}
	}
	if path == "" {
		t.Skip("no Chromium on this machine; DBSCHED_CHROMIUM can name one")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.WindowSize(width, 900))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	return prepare(t, ctx, width, dark)
}

// Another opens a further tab of the same browser, as wide as Open says.
func (tab *Tab) Another(width int, dark bool) *Tab {
	tab.t.Helper()
	ctx, cancel := chromedp.NewContext(tab.ctx)
	tab.t.Cleanup(cancel)
	return prepare(tab.t, ctx, width, dark)
}

// Press presses keys, one for each character.
func (tab *Tab) Press(keys string) {
	tab.t.Helper()
	tab.Do(chromedp.KeyEvent(keys))
}

// prepare sets up a tab and records its errors.
func prepare(t *testing.T, ctx context.Context, width int, dark bool) *Tab {
	t.Helper()
	tab := &Tab{t: t, ctx: ctx}
	tab.Do(chromedp.EmulateViewport(int64(width), 900), chromedp.Func(func(_ context.Context, target *chromedp.Target) error {
		watch(ctx, tab, target, log.EntryAdded, func(e log.EventEntryAdded) string {
			if e.Entry.Level != log.EntryLevelError {
				return ""
			}
			return e.Entry.Text + " " + e.Entry.URL
		})
		watch(ctx, tab, target, runtime.ExceptionThrown, func(e runtime.EventExceptionThrown) string { return e.ExceptionDetails.Text })
		scheme := map[bool]string{true: "dark", false: "light"}[dark]
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		})
		if err == nil {
			_, err = cdp.Call(ctx, target, log.Enable, cdp.Empty{})
		}
		return err
	}))
	return tab
}

// watch records the text of an event.
func watch[E any](ctx context.Context, tab *Tab, target *chromedp.Target, event cdp.Event[E], text func(E) string) {
	events := cdp.Events(ctx, target, event)
	go func() {
		for e, err := range events {
			if err != nil {
				return
			}
			if s := text(e); s != "" {
				tab.mu.Lock()
				tab.errors = append(tab.errors, s)
				tab.mu.Unlock()
			}
		}
	}()
}

// Errors returns what went wrong in the page so far: in its scripts and in the browser's log.
func (tab *Tab) Errors() []string {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	return tab.errors
}

// Do runs actions.
func (tab *Tab) Do(actions ...chromedp.Action[chromedp.Void]) {
	tab.t.Helper()
	_, err := chromedp.Run(tab.ctx, chromedp.Steps(actions...))
	require.NoError(tab.t, err)
}

// Eval evaluates a JavaScript expression.
func Eval[T any](tab *Tab, expression string) T {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, time.Minute)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	require.NoError(tab.t, err, expression)
	return value
}

// Until waits until a JavaScript expression is true. If another page replaces this one, it evaluates the expression there.
func (tab *Tab) Until(expression string) {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, time.Minute)
	defer cancel()
	for {
		_, err := chromedp.Run(ctx, chromedp.Poll[bool](expression))
		if replaced(err) && ctx.Err() == nil {
			continue
		}
		require.NoError(tab.t, err, expression)
		return
	}
}

// Screenshot writes a picture of the page, if DBSCHED_SCREENSHOTS names a folder.
func (tab *Tab) Screenshot(name string) {
	tab.t.Helper()
	folder := os.Getenv("DBSCHED_SCREENSHOTS")
	if folder == "" {
		return
	}
	png, err := chromedp.Run(tab.ctx, chromedp.FullScreenshot(100))
	require.NoError(tab.t, err)
	require.NoError(tab.t, os.MkdirAll(folder, 0o755))
	require.NoError(tab.t, os.WriteFile(filepath.Join(folder, name+".png"), png, 0o644)) //nolint:gosec // a picture
}

// replaced reports whether a script ended because its page did.
func replaced(err error) bool {
	return err != nil && (strings.Contains(err.Error(), "Inspected target navigated") || strings.Contains(err.Error(), "Cannot find context with specified id") ||
		strings.Contains(err.Error(), "Execution context was destroyed"))
}
