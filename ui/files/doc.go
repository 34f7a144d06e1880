// Package files has the tabs that list files: those of a folder, and those of two folders that are compared. Both are a
// list of the assets of a document: which columns it has, the document says.
package files
