// Package compare holds two versions of a file side by side: by structure (Documents) and by bytes (Bytes).
//
// Nodes of two documents are matched by key, then by content, then by name or position. What follows only from a change
// elsewhere, such as an offset after something that grew, is no change (model.Role.Layout). Two layouts of one format
// compare by meaning: fields that only one of them has are listed apart.
//
// Everything is computed in one direction, whichever file is called the old one: the comparison of b with a is
// the mirror of that of a with b. Nothing is kept of what is the same, and of elements of long lists only which they
// are.
package compare
