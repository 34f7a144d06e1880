// Package compare pairs the nodes of two versions of a file (Documents), and lists what differs row by row.
//
// Nodes of two documents are matched by key, then by content, then by name or position. What follows only from a change
// elsewhere, such as an offset after something that grew, is not a change (model.Role.Layout). Two layouts of one
// format compare by meaning: fields that only one of them has are listed apart.
//
// Everything is computed in one direction, whichever file is called the old one: the comparison of b with a is
// the mirror of that of a with b. Nothing is kept of what is the same, and of elements of long lists only which they
// are.
//
//	documents.go  two documents, and their pairs when they are looked at   options.go  what counts as the same
//	plan.go       nodes that belong together under other parents or keys   alias.go    keys of two versions
//	alike.go      things that were renamed and edited                      engine.go   two nodes
//	children.go   the children of two nodes                                elements.go sequence.go  elements of lists
//	build.go      the pairs below two nodes                                value.go    two values
//	digest.go     contents in short                                        window.go   bytes of the files
//	pair.go runs.go  pairs                                                 rows.go listed.go  rows of a report
//	status.go     states and their numbers                                 ranges.go   files compared as bytes only
//
// The rooms beside it build on the pairs: changes says in words what changed, report writes that, merge compares three
// versions, scenes, tables and texts show differences in place, folders compares the files of folders. align, similar
// and pictures know nothing of documents.
//
// It also compares the files of two folders: which are the same, changed, moved, added or removed.
package compare
