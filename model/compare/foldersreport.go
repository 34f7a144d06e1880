package compare

import (
	"bufio"
	"io"
	"time"

	"github.com/dustin/go-humanize"
)

// FileReport is a file of two folders with what was found in it.
type FileReport struct {
	File
	System  string // the format of both versions
	Summary string // what changed, in a sentence
}

// WriteFolders writes what differs between two folders as one HTML page that needs no other file.
func WriteFolders(out io.Writer, old, new string, files []FileReport) error {
	w := &page{Writer: bufio.NewWriterSize(out, 64<<10)}
	var n Counts
	for _, f := range files {
		n.Count(f.Status)
	}
	w.put("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\n")
	w.put("<title>%s → %s</title>\n<style>\n%s</style></head><body>\n", escaped(old), escaped(new), pageStyle)
	w.put("<h1>%s → %s</h1>\n<p class=\"headline\">%s</p>\n", breakable(old), breakable(new), escaped(n.String()))
	w.put("<table><thead><tr><th></th><th>File</th><th>System</th><th>Changed on</th><th>Bytes</th><th>What changed</th></tr></thead><tbody>\n")
	for _, f := range files {
		if f.Status == Same {
			continue
		}
		w.put("<tr class=\"%s\"><td class=\"state\"><span class=\"sign\">%s</span>%s</td><td class=\"where\">%s",
			f.Status, escaped(f.Status.Sign()), f.Status,
			breakable(f.Name))
		if f.OldName != "" {
			w.put("<br><i>was %s</i>", breakable(f.OldName))
		}
		w.put("</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>\n", escaped(f.System),
			fromToText(dateText(f.OldTime), dateText(f.NewTime)),
			fromToText(sizeText(f.Old), sizeText(f.New)), escaped(f.Summary))
	}
	w.put("</tbody></table></body></html>\n")
	return w.Flush()
}

func fromToText(old, new string) string {
	switch {
	case old == new || old == "":
		return new
	case new == "":
		return old
	}
	return old + " → " + new
}

func dateText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format("2006-01-02")
}

func sizeText(n int64) string {
	if n < 0 {
		return ""
	}
	return humanize.Comma(n)
}
