// Package report writes comparisons as text, Markdown, HTML and JSON.
//
//	report.go    text                              markdown.go      Markdown
//	stat.go      a line for each thing             json.go          diff --json
//	jsonranges.go  its ranges of bytes             summary.go       its summary in words
//	html.go      the page, with page.css           pagerows.go      its rows
//	pagepictures.go  its pictures and texts        foldersreport.go  two folders
package report
