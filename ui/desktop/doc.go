// Package desktop is where Assay meets the system it runs on, without a toolkit: the one running instance that later
// starts hand their files to, and the file types that double-clicking knows.
package desktop
