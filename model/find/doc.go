// Package find searches a document: its nodes by name, type, value and key, and its bytes for patterns. Searches
// stream, tell how far they have come, and end when their context does; what they keep is bounded.
package find
