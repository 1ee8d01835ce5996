package web

import (
	"crypto/sha256"
	"crypto/subtle"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

// Guard refuses requests, and says so in the log.
type Guard struct {
	Names func(host string) bool // without a port; see [Site.Named]
	Log   *slog.Logger

	mu     sync.Mutex
	logged time.Time
	silent int // refusals since
}

// Host passes requests that name this site.
func (g *Guard) Host(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		if !g.Names(strings.Trim(host, "[]")) {
			g.Refuse(w, r, http.StatusMisdirectedRequest, "This server is not called "+r.Host+".")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Bearer passes requests that have the token in their Authorization header.
func (g *Guard) Bearer(token Token, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given, found := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !found || !token.Is(given) {
			w.Header().Set("WWW-Authenticate", "Bearer")
			g.Refuse(w, r, http.StatusUnauthorized, "The token of --token-file is required, as 'Authorization: Bearer TOKEN'.")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// quiet is the time between two lines about refusals: whoever is refused must not fill the log.
const quiet = 10 * time.Second

// Refuse answers, and ends the connection without reading what is left of the request.
func (g *Guard) Refuse(w http.ResponseWriter, r *http.Request, status int, text string) {
	w.Header().Set("Connection", "close")
	_ = http.NewResponseController(w).SetReadDeadline(time.Now()) // a recorder of tests has none
	http.Error(w, text, status)
	g.mu.Lock()
	defer g.mu.Unlock()
	if time.Since(g.logged) < quiet {
		g.silent++
		return
	}
	g.Log.Warn("a request was refused", "status", status, "from", r.RemoteAddr, "host", r.Host, "path", r.URL.Path, "also_refused", g.silent)
	g.logged, g.silent = time.Now(), 0
}

// Token returns the present token; it is empty, and nobody has it, while it cannot be read.
type Token func() string

// Fixed is a token that stays.
func Fixed(token string) Token { return func() string { return token } }

// shortest is how many characters a token of a file must have.
const shortest = 20

// FromFile is the token in a file. It changes with the file.
func FromFile(path string) Token {
	return func() string {
		text, err := os.ReadFile(path)
		token := strings.TrimSpace(string(text))
		if err != nil || len(token) < shortest {
			return ""
		}
		return token
	}
}

// Is reports whether a text is the token.
func (t Token) Is(given string) bool {
	want, got := sha256.Sum256([]byte(t())), sha256.Sum256([]byte(given))
	return given != "" && subtle.ConstantTimeCompare(want[:], got[:]) == 1
}
