// Package texts compares two texts line by line, and two lines word by word.
//
//	texts.go  lines and hunks    rules.go  what does not count    words.go  words of a line
package texts
