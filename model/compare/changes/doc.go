// Package changes says what changed in things, and what changed in each row of a comparison.
//
//	collect.go    the things that changed, with their fields    overview.go    what is said of all of them
//	clause.go     what changed in a field                       rows.go        what changed in a row
//	transform.go  position, rotation and scale                  ranges.go      ranges of bytes
//	wholefiles.go files that are compared as a whole            steps.go       where going from change to change stops
//	inside.go     assets that are files themselves
package changes
