// Package pack writes archives: of the files in a folder, and of what an ArchivePlan copies from other archives. Each
// is a new file, whole or not at all, which is read back before it gets its name.
//
//	files.go  files that become assets, and their types    write.go  the new file
package pack
