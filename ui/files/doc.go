// Package files has the tabs that list files: those of a folder, and those of two folders that are compared.
package files
