// Package parsecache lets engines of one process share what they have parsed.
package parsecache

import "sync"

// Texts caches what was found out about texts for all engines that share it: a program that starts many engines parses each
// text once. What it keeps is never changed. A nil Texts keeps nothing.
type Texts[T any] struct {
	mu    sync.Mutex
	known map[string]T
}

// most is the maximum number of texts kept.
const most = 5000

// Kept is a cache that lasts when an image is restored: whoever fills it drops what is no longer true.
type Kept[K comparable, V any] struct{ All map[K]V }

// Keep returns an empty one.
func Keep[K comparable, V any]() Kept[K, V] { return Kept[K, V]{map[K]V{}} }

// Of returns what is known about a text, or finds it out.
func (m *Texts[T]) Of(text string, find func() T) T {
	if m == nil {
		return find()
	}
	m.mu.Lock()
	v, ok := m.known[text]
	m.mu.Unlock()
	if ok {
		return v
	}
	v = find()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil || len(m.known) >= most {
		m.known = map[string]T{}
	}
	m.known[text] = v
	return v
}
