package console

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/dbsched/dbsched/internal/web"
)

// A session lasts a day, and ends when the token changes. Beyond so many, the oldest ends.
const (
	lasts        = 24 * time.Hour
	mostSessions = 1000
)

// session is one browser that has shown the token.
type session struct {
	agent string   // its User-Agent header
	token [32]byte // what the token was, hashed
	ends  time.Time

	mu   sync.Mutex
	said string // the result of its last action, until a page has shown it
}

// say sets what the next page shows, and returns what it shows now.
func (s *session) say(text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.said
	s.said = text
	return before
}

// sessions are those that are open, by the hash of what the browser's cookie holds: a random text of their own. The cookie does not hold the
// token, because browsers send a cookie to every port of a host.
type sessions struct {
	token web.Token
	mu    sync.Mutex
	all   map[[32]byte]*session
}

// cookie is the name of a session's cookie: two consoles on one host have two ports.
func cookie(r *http.Request) string {
	_, port, err := net.SplitHostPort(r.Host)
	switch {
	case err == nil:
	case r.TLS != nil:
		port = "443"
	default:
		port = "80"
	}
	return "dbsched-" + port
}

// open begins a session and gives its cookie to the browser.
func (s *sessions) open(w http.ResponseWriter, r *http.Request) {
	value := rand.Text()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = map[[32]byte]*session{}
	}
	maps.DeleteFunc(s.all, func(_ [32]byte, one *session) bool { return !time.Now().Before(one.ends) })
	if len(s.all) >= mostSessions {
		delete(s.all, slices.MinFunc(slices.Collect(maps.Keys(s.all)), func(a, b [32]byte) int { return cmp.Compare(s.all[a].ends.UnixNano(), s.all[b].ends.UnixNano()) }))
	}
	s.all[sha256.Sum256([]byte(value))] = &session{agent: r.UserAgent(), token: sha256.Sum256([]byte(s.token())), ends: time.Now().Add(lasts)}
	http.SetCookie(w, &http.Cookie{Name: cookie(r), Value: value, Path: "/", HttpOnly: true, Secure: r.TLS != nil, SameSite: http.SameSiteStrictMode, MaxAge: int(lasts.Seconds())})
}

// of returns the session of a request; nil if there is none.
func (s *sessions) of(r *http.Request) *session {
	held, err := r.Cookie(cookie(r))
	if err != nil {
		return nil
	}
	s.mu.Lock()
	one := s.all[sha256.Sum256([]byte(held.Value))]
	s.mu.Unlock()
	token := s.token()
	if one == nil || one.agent != r.UserAgent() || token == "" || one.token != sha256.Sum256([]byte(token)) || !time.Now().Before(one.ends) {
		return nil
	}
	return one
}

type sessionKey struct{}

// with returns a context that holds the session.
func (s *session) with(ctx context.Context) context.Context {
	return context.WithValue(ctx, sessionKey{}, s)
}

// sessionOf returns the session of a request that the guard has passed.
func sessionOf(r *http.Request) *session { return r.Context().Value(sessionKey{}).(*session) }
