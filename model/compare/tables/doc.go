// Package tables compares two lists as one table: a row for each element of either, those that belong together as one.
//
//	table.go  the joined table    align.go  rows that only their cells tell apart
package tables
