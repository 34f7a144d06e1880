// Package folders compares the files of two folders: which are the same, changed, moved, added or removed.
//
//	folders.go  the files and those that have other names
package folders
