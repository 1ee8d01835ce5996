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

// Tab is a tab with cookies of its own.
type Tab struct {
	t      *testing.T
	ctx    context.Context
	mu     sync.Mutex
	errors []string
}

// Open returns a new tab that is width pixels wide, with dark colors or light ones. Without a Chromium the test is skipped, unless
// DBSCHED_CHROMIUM names one. A tab is a window, which takes a second to make: prefer to Resize it.
func Open(t *testing.T, width int, dark bool) *Tab {
	t.Helper()
	return open(t, shared.hold(t), width, dark, chromedp.WithNewBrowserContext())
}

// Another opens a further tab that has the same cookies, as wide as Open says.
func (tab *Tab) Another(width int, dark bool) *Tab {
	tab.t.Helper()
	return open(tab.t, tab.ctx, width, dark)
}

// Press presses keys, one for each character.
func (tab *Tab) Press(keys string) {
	tab.t.Helper()
	tab.Do(chromedp.KeyEvent(keys))
}

func open(t *testing.T, from context.Context, width int, dark bool, options ...chromedp.ContextOption) *Tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(from, options...)
	t.Cleanup(cancel)
	tab := &Tab{t: t, ctx: ctx}
	tab.Do(chromedp.Func(func(_ context.Context, target *chromedp.Target) error {
		watch(ctx, tab, target, log.EntryAdded, func(e log.EventEntryAdded) string {
			if e.Entry.Level != log.EntryLevelError {
				return ""
			}
			return e.Entry.Text + " " + e.Entry.URL
		})
		watch(ctx, tab, target, runtime.ExceptionThrown, func(e runtime.EventExceptionThrown) string { return e.ExceptionDetails.Text })
		_, err := cdp.Call(ctx, target, log.Enable, cdp.Empty{})
		return err
	}))
	tab.Resize(width, dark)
	return tab
}

// Resize changes the width and the colors.
func (tab *Tab) Resize(width int, dark bool) {
	tab.t.Helper()
	tab.Do(chromedp.EmulateViewport(int64(width), 900), chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		scheme := map[bool]string{true: "dark", false: "light"}[dark]
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		})
		return err
	}))
}

// browser is a Chromium that several tests use: to start one takes longer than most tests.
type browser struct {
	mu    sync.Mutex
	users int
	ctx   context.Context
	stop  func()
}

var shared browser // by the tests of one package

// hold returns the browser, and keeps it until the end of the test. The last one that ends stops it.
func (b *browser) hold(t *testing.T) context.Context {
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
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.users == 0 {
		b.start(t, path)
	}
	b.users++
	t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.users--; b.users == 0 {
			b.stop()
		}
	})
	return b.ctx
}

func (b *browser) start(t *testing.T, path string) {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-features", "SpareRendererForSitePerProcess"))
	allocator, freed := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, stop := chromedp.NewContext(allocator)
	b.ctx, b.stop = ctx, func() { stop(); freed() }
	if _, err := chromedp.Run(ctx, chromedp.Steps()); err != nil {
		b.stop()
		require.NoError(t, err)
	}
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

// Until waits until a JavaScript expression is true. If another page replaces this one, it evaluates the expression there. While a page loads,
// what the expression looks for may be missing: then it is not true yet.
func (tab *Tab) Until(expression string) {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, time.Minute)
	defer cancel()
	poll := "(() => { try { return " + expression + "; } catch (e) { if (e instanceof TypeError) return false; throw e; } })()"
	for {
		_, err := chromedp.Run(ctx, chromedp.Poll[bool](poll, chromedp.WithPollingInterval(20*time.Millisecond))) // cheaper than to draw and look at each frame
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
