package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/browsertest"
)

// busyScheduler is a sandbox on which one process has ended with a failure, and another runs.
func busyScheduler(t *testing.T, e engine) client {
	t.Helper()
	c := serveEngine(t, e.dialect.Name())
	c.ok("install", "--lanes=4")
	c.ok("start")
	short, long := e.dialect.Sleep(time.Second), e.dialect.Sleep(time.Hour)
	plan := "process: nightly %s\non-error: Continue\nwaves:\n- {order: 100, tasks: [\"%[2]s\", \"%[2]s\", \"no such <b>statement</b>\"]}\n- {order: 200, tasks: [\"%[2]s\", \"%[3]s\"]}\n- {order: 300, tasks: [\"%[3]s\"]}\n"
	c.run("run", planFile(t, fmt.Sprintf(plan, "2026-11-21", short, short)), "--wait", "--timeout=1m")
	c.ok("run", planFile(t, fmt.Sprintf(plan, "2026-11-22", short, long)))
	return c
}

// TestConsole: a browser opens every page of both engines' consoles, sees them refresh by themselves, and acts.
func TestConsole(t *testing.T) {
	t.Parallel()
	for _, e := range []engine{mssqlEngine, oracleEngine} {
		t.Run(e.dialect.Name(), func(t *testing.T) {
			t.Parallel()
			c := busyScheduler(t, e)
			url := c.listen("console", "--write")
			base := strings.Split(url, "/?")[0]
			tab := browsertest.Open(t, 1280, false)
			for _, size := range []struct {
				width int
				dark  bool
			}{{1280, false}, {400, true}, {2560, true}} {
				tab.Resize(size.width, size.dark)
				tab.Do(chromedp.Navigate(url))
				tab.Until(`document.querySelector("#live span")?.textContent === "live"`)
				require.False(t, browsertest.Eval[bool](tab, `location.search.includes("token")`))
				require.Equal(t, "Running", browsertest.Eval[string](tab, `document.querySelector("h1").textContent`))
				require.Contains(t, browsertest.Eval[string](tab, `document.querySelector(".banner").textContent`), "failed.")
				tab.Until(`document.querySelectorAll(".chart rect").length >= 1`)
				for _, page := range []string{"/", "/processes", "/process/2", "/process/3", "/tasks?status=Failed", "/task/3", "/logs?text=such", "/resources", "/alarms"} {
					tab.Do(chromedp.Navigate(base + page))
					tab.Until(`document.querySelector("#live span")?.textContent === "live"`)
					require.LessOrEqual(t, browsertest.Eval[int](tab, `document.documentElement.scrollWidth`), size.width, page)
					if page == "/process/3" {
						tab.Until(`document.querySelectorAll(".chart rect.crit").length >= 1 && document.querySelectorAll(".chart rect.bad").length === 1`)
						require.Equal(t, "Processes", browsertest.Eval[string](tab, `document.querySelector("[aria-current]").textContent`))
					}
					require.False(t, browsertest.Eval[bool](tab, `!!document.querySelector("main b statement, main td b")`), "SQL is text")
					tab.Screenshot(fmt.Sprintf("console%s-%d", strings.NewReplacer("/", "-", "?", "-", "=", "-").Replace(page), size.width))
				}
				require.Empty(t, tab.Errors())
			}

			tab.Resize(1280, false)
			tab.Do(chromedp.Navigate(base + "/process/3"))
			tab.Until(`[...document.querySelectorAll("summary")].some((s) => s.textContent === "Cancel")`)
			tab.Until(`(() => { const s = [...document.querySelectorAll("details")].find((d) => d.querySelector("summary").textContent === "Cancel"); s.open = true; s.querySelector("button").click(); return true; })()`)
			tab.Until(`document.querySelector(".said")?.textContent === "Process 3 cancelled."`)
			tab.Until(`document.querySelector("header").textContent.includes("cancelled")`)
			tab.Do(chromedp.Navigate(base + "/"))
			tab.Until(`(() => { const f = document.querySelector("form.inline"); f.n.value = 0; f.querySelector("button").click(); return true; })()`)
			tab.Until(`document.querySelector(".said")?.textContent === "0 workers allowed."`)
			require.Equal(t, "Paused", browsertest.Eval[string](tab, `document.querySelector("h1").textContent`))
			c.ok("workers", "4")
			tab.Until(`document.querySelector("h1").textContent !== "Paused"`)
			require.Empty(t, tab.Errors())
		})
	}
}

// TestConsoleSchedules: a browser sees schedules and their firings, and acts, whatever characters a name contains.
func TestConsoleSchedules(t *testing.T) {
	t.Parallel()
	for _, e := range []engine{mssqlEngine, oracleEngine} {
		t.Run(e.dialect.Name(), func(t *testing.T) {
			t.Parallel()
			c := serveEngine(t, e.dialect.Name())
			c.ok("install", "--lanes=2")
			c.ok("start")
			url := c.listen("console", "--write")
			base := strings.Split(url, "/?")[0]
			tab := browsertest.Open(t, 1280, false)
			open := func(path string) {
				tab.Do(chromedp.Navigate(base + path))
				tab.Until(`document.querySelector("#live span")?.textContent === "live"`)
			}
			shows := func(text string) {
				tab.Until(fmt.Sprintf(`document.querySelector("main").textContent.includes(%q)`, text))
			}
			press := func(verb, says string) {
				tab.Until(fmt.Sprintf(`(() => { const s = [...document.querySelectorAll("details")].find((d) => d.querySelector("summary").textContent === %q); s.open = true; s.querySelector("button").click(); return true; })()`, verb))
				tab.Until(fmt.Sprintf(`document.querySelector(".said")?.textContent === %q`, says))
			}
			tab.Do(chromedp.Navigate(url))
			tab.Until(`document.querySelector("#live span")?.textContent === "live"`)
			open("/schedules")
			shows("There is no schedule. Add one: dbsched schedule add")

			const name = `month/end <b>load</b> & "100 %"`
			c.ok("schedule", "add", name, "--cron=0 6 L * *", "--zone=Europe/Warsaw", "--sql", e.dialect.Sleep(time.Second))
			c.ok("schedule", "add", "otherOne", "--cron=0 2 * * *", "--disabled", "--sql", e.dialect.Sleep(time.Second))
			shows("0 6 L * *")
			require.Equal(t, "Schedules", browsertest.Eval[string](tab, `document.querySelector("[aria-current]").textContent`))
			require.Equal(t, 2, browsertest.Eval[int](tab, `document.querySelectorAll("tbody tr").length`))
			require.Equal(t, name, browsertest.Eval[string](tab, `document.querySelector("tbody a").textContent`), "a name is text")
			open("/schedules?status=Disabled&text=ONE")
			require.Equal(t, "otherOne", browsertest.Eval[string](tab, `[...document.querySelectorAll("tbody a")].map((a) => a.textContent).join()`))
			open("/schedules?text=nothing")
			shows("No schedule matches.")
			open("/")
			shows("next schedule " + name + " at ")

			open("/schedules")
			tab.Until(`(() => { document.querySelector("tbody a").click(); return true; })()`)
			tab.Until(`document.querySelector("h1").textContent.startsWith("month/end")`)
			require.Equal(t, "Schedules", browsertest.Eval[string](tab, `document.querySelector("[aria-current]").textContent`))
			require.Equal(t, 10, browsertest.Eval[int](tab, `document.querySelectorAll(".pair tbody")[0].rows.length`), "the next instants")
			require.Contains(t, browsertest.Eval[string](tab, `document.querySelector(".pair tbody td + td").textContent`), " 06:00:00 +0")
			shows("It has not fired.")
			press("Run now", `Schedule "month/end <b>load</b> & \"100 %\"" fires now.`)
			tab.Until(`document.querySelector("section a[href^='/process/']")?.closest("tr").textContent.includes("succeeded")`)
			shows("by hand")
			tab.Screenshot("console-schedule-1280")
			press("Pause", `Schedule "month/end <b>load</b> & \"100 %\"" is paused.`)
			shows("Schedule · paused")
			require.Equal(t, "Disabled", data[dialects.Schedule](c, "schedule", "show", name).Status)
			press("Resume", `Schedule "month/end <b>load</b> & \"100 %\"" is enabled.`)
			shows("Schedule · enabled")
			require.Equal(t, "Enabled", data[dialects.Schedule](c, "schedule", "show", name).Status)

			path := browsertest.Eval[string](tab, `location.pathname + location.search`)
			require.Empty(t, tab.Errors())
			for _, size := range []struct {
				width int
				dark  bool
			}{{1280, false}, {400, true}, {2560, true}} {
				tab.Resize(size.width, size.dark)
				for i, page := range []string{"/schedules", path} {
					open(page)
					require.LessOrEqual(t, browsertest.Eval[int](tab, `document.documentElement.scrollWidth`), size.width, page)
					require.False(t, browsertest.Eval[bool](tab, `!!document.querySelector("main td b, main h1 b")`), "a name is text")
					tab.Screenshot(fmt.Sprintf("console-schedules-%d-%d", i, size.width))
				}
				require.Empty(t, tab.Errors())
			}
		})
	}
}

// TestConsoleRefuses: requests without token, with another host name, or from another origin; and addresses that it must not listen on.
func TestConsoleRefuses(t *testing.T) {
	t.Parallel()
	c := serve(t)
	for _, command := range []string{"console", "metrics"} {
		c.refused(2, "Use 127.0.0.1, or add --tls-cert and --tls-key", command, "--listen=0.0.0.0:0")
		c.refused(2, "Use 127.0.0.1, or add --tls-cert and --tls-key", command, "--listen=:0")
		c.refused(2, "belong together", command, "--tls-cert=x.pem")
		c.refused(2, "belong together", command, "--tls-key=x.pem")
		c.refused(2, "must be an address and a port", command, "--listen=8420")
		c.refused(2, "the certificate cannot be used", command, "--tls-cert=x.pem", "--tls-key=x.pem")
		c.refused(2, "a token of at least 20 characters", command, "--token-file="+planFile(t, "short"))
		c.refused(2, "must be a readable file", command, "--token-file=none")
	}
	c.refused(4, "dbsched install", "console")
	c.ok("install", "--lanes=1")
	url := c.listen("console", "--write")
	base := strings.Split(url, "/?")[0]
	var jar *http.Cookie
	send := func(method, path string, change func(*http.Request)) int {
		r, err := http.NewRequestWithContext(t.Context(), method, base+path, nil)
		require.NoError(t, err)
		change(r)
		resp, err := (&http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}).Do(r)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		for _, held := range resp.Cookies() {
			jar = held
		}
		return resp.StatusCode
	}
	require.Equal(t, http.StatusSeeOther, send("GET", strings.TrimPrefix(url, base), func(*http.Request) {}))
	require.Equal(t, "dbsched-"+base[strings.LastIndex(base, ":")+1:], jar.Name)
	require.NotContains(t, url, jar.Value)
	require.Equal(t, http.StatusOK, send("GET", "/", func(r *http.Request) { r.AddCookie(jar) }))
	require.Equal(t, http.StatusUnauthorized, send("GET", "/", func(*http.Request) {}))
	require.Equal(t, http.StatusUnauthorized, send("GET", "/?token=x", func(*http.Request) {}))
	require.Equal(t, http.StatusUnauthorized, send("GET", "/style.css", func(*http.Request) {}))
	require.Equal(t, http.StatusMisdirectedRequest, send("GET", "/", func(r *http.Request) { r.AddCookie(jar); r.Host = "evil.example" }))
	require.Equal(t, http.StatusUnauthorized, send("POST", "/start", func(*http.Request) {}))
	require.Equal(t, http.StatusForbidden, send("POST", "/start", func(r *http.Request) { r.AddCookie(jar); r.Header.Set("Origin", "http://evil.example") }))
	require.Equal(t, http.StatusForbidden, send("POST", "/start", func(r *http.Request) { r.AddCookie(jar); r.Header.Set("Sec-Fetch-Site", "cross-site") }))
	require.Contains(t, c.run("status").out, "the scheduler is stopped")
	require.Equal(t, http.StatusSeeOther, send("POST", "/start", func(r *http.Request) { r.AddCookie(jar); r.Header.Set("Sec-Fetch-Site", "same-origin") }))
	require.Contains(t, c.ok("status"), "started")
	require.Equal(t, http.StatusNotFound, send("GET", "/task/99", func(r *http.Request) { r.AddCookie(jar) }))
	require.Equal(t, http.StatusNotFound, send("GET", "/schedule?name=x", func(r *http.Request) { r.AddCookie(jar) }))
	require.Equal(t, http.StatusNotFound, send("GET", "/schedule", func(r *http.Request) { r.AddCookie(jar) }))
	require.Equal(t, http.StatusForbidden, send("POST", "/schedule/run?name=x", func(r *http.Request) { r.AddCookie(jar); r.Header.Set("Sec-Fetch-Site", "cross-site") }))
	require.Equal(t, http.StatusBadRequest, send("GET", "/task/x", func(r *http.Request) { r.AddCookie(jar) }))

	reading := c.listen("console")
	base = strings.Split(reading, "/?")[0]
	require.Equal(t, http.StatusUnauthorized, send("GET", "/", func(r *http.Request) { r.AddCookie(jar) }), "another console's")
	require.Equal(t, http.StatusSeeOther, send("GET", strings.TrimPrefix(reading, base), func(*http.Request) {}))
	require.Equal(t, http.StatusNotFound, send("POST", "/start", func(r *http.Request) { r.AddCookie(jar) }), "without --write")
	require.Equal(t, http.StatusNotFound, send("POST", "/schedule/run?name=x", func(r *http.Request) { r.AddCookie(jar) }), "without --write")
}

// TestTokenOfAFile: it is not printed, and a new one ends what the old one opened.
func TestTokenOfAFile(t *testing.T) {
	t.Parallel()
	c := serve(t)
	c.ok("install", "--lanes=1")
	const first, second = "the-first-of-two-tokens", "the-second-of-two-tokens"
	path := planFile(t, first+"\n")
	var held *http.Cookie // the last that came
	ask := func(url string, change func(*http.Request)) int {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
		require.NoError(t, err)
		change(r)
		resp, err := (&http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}).Do(r)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		for _, one := range resp.Cookies() {
			held = one
		}
		return resp.StatusCode
	}
	bare := func(*http.Request) {}
	url := c.listen("console", "--token-file", path)
	require.True(t, strings.HasSuffix(url, "/?token="), url)
	require.Equal(t, http.StatusSeeOther, ask(url+first, bare))
	base := strings.TrimSuffix(url, "?token=")
	opened := held
	session := func(r *http.Request) { r.AddCookie(opened) }
	require.Equal(t, http.StatusOK, ask(base, session))

	metrics := c.listen("metrics", "--token-file", path)
	bearer := func(token string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token) }
	}
	require.Equal(t, http.StatusUnauthorized, ask(metrics, bare))
	require.Equal(t, http.StatusUnauthorized, ask(strings.TrimSuffix(metrics, "metrics"), bare))
	require.Equal(t, http.StatusUnauthorized, ask(metrics+"?token="+first, bare))
	require.Equal(t, http.StatusOK, ask(metrics, bearer(first)))

	require.NoError(t, os.WriteFile(path, []byte(second), 0o600))
	require.Equal(t, http.StatusUnauthorized, ask(base, session))
	require.Equal(t, http.StatusUnauthorized, ask(url+first, bare))
	require.Equal(t, http.StatusSeeOther, ask(url+second, bare))
	require.Equal(t, http.StatusUnauthorized, ask(metrics, bearer(first)))
	require.Equal(t, http.StatusOK, ask(metrics, bearer(second)))
}

// TestServedByTLS: on all addresses of a machine, with the name of the certificate.
func TestServedByTLS(t *testing.T) {
	t.Parallel()
	c := serve(t)
	c.ok("install", "--lanes=1")
	cert, key, pool := certificate(t, "jobs.example")
	for _, command := range []string{"console", "metrics"} {
		url := c.listenAt("0.0.0.0:0", command, "--tls-cert", cert, "--tls-key", key)
		require.Regexp(t, `^https://jobs\.example:\d+/`, url)
		port := regexp.MustCompile(`:(\d+)/`).FindStringSubmatch(url)[1]
		client := &http.Client{Transport: &http.Transport{
			TLSClientConfig: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12},
			DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
				return new(net.Dialer).DialContext(ctx, network, "127.0.0.1:"+port)
			},
		}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		status := func(host string) int {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
			require.NoError(t, err)
			if host != "" {
				r.Host = host
			}
			resp, err := client.Do(r)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			for _, held := range resp.Cookies() {
				require.True(t, held.Secure)
			}
			return resp.StatusCode
		}
		require.Less(t, status(""), 400)
		require.Equal(t, http.StatusMisdirectedRequest, status("evil.example"))
		require.Equal(t, http.StatusMisdirectedRequest, status("localhost"))
	}
}

// certificate writes one of its own for a name.
func certificate(t *testing.T, name string) (cert, key string, pool *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{name}, NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	require.NoError(t, err)
	leaf, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	pool = x509.NewCertPool()
	pool.AddCert(leaf)
	pkcs, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	cert, key = filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	require.NoError(t, os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	require.NoError(t, os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs}), 0o600))
	return cert, key, pool
}
