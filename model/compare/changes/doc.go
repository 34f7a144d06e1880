// Package changes says what changed in things, and what changed in each row of a comparison.
//
//	collect.go     the things that changed, with their fields     overview.go   what is said of all of them
//	contents.go    what changed in a mesh, an animation, a text   motion.go     keys of animations
//	pictures.go    what changed in a picture                      transform.go  position, rotation and scale
//	clause.go      what changed in a field                        rows.go       what changed in a row
//	ranges.go      ranges of bytes                                wholefiles.go files that are compared as a whole
package changes
