package work

import "context"

// Lookup looks up in the background what rows show, when they come into view. Use it on the UI thread.
type Lookup[K comparable, V any] struct {
	group *Group
	found func()
	known map[K]V
}

// lookupMost is how many values are remembered.
const lookupMost = 2000

// NewLookup makes a lookup whose work ends with the group. found is called when a value is known.
func NewLookup[K comparable, V any](g *Group, found func()) *Lookup[K, V] {
	return &Lookup[K, V]{group: g, found: found, known: make(map[K]V)}
}

// Forget is called when the keys stand for something else.
func (l *Lookup[K, V]) Forget() { l.known = make(map[K]V) }

// Of returns the value of a key, which is zero until read has returned it. read is called on another goroutine.
func (l *Lookup[K, V]) Of(key K, read func() V) V {
	if value, ok := l.known[key]; ok {
		return value
	}
	if len(l.known) > lookupMost {
		clear(l.known)
	}
	known := l.known
	var unknown V
	known[key] = unknown
	l.group.Go(func(context.Context) func() {
		value := read()
		return func() {
			known[key] = value
			l.found()
		}
	})
	return known[key]
}
