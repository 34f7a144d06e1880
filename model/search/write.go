package search

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"assay/model"
)

// Writer writes the results of a search.
type Writer interface {
	// Write writes a part of the results for a file; path is its path in the output.
	Write(path string, f FileResults) error
	// End writes the end of the output.
	End() error
}

// maxLine is the maximum number of characters of a path or of a name in the output.
const maxLine = 4096

// NewText returns a Writer of a line for each hit: the file, the assets, the node, the offset and the text. The offset
// is marked if it is in expanded content.
func NewText(w io.Writer) Writer { return &textWriter{w} }

type textWriter struct{ w io.Writer }

func (t *textWriter) Write(path string, f FileResults) error {
	path = model.OneLine(path, maxLine)
	for i := range f.Hits {
		h := &f.Hits[i]
		line := path
		if len(h.Assets) > 0 {
			line += ": " + assetPath(h.Assets)
		}
		if h.Path != "" {
			line += ": " + model.OneLine(h.Path, maxLine)
		}
		if h.Span.Size >= 0 {
			line += fmt.Sprintf(" @ %#x +%d", h.Span.Offset, h.Span.Size)
			if h.Expanded > 0 {
				line += " (decompressed)"
			}
		}
		if h.Text != "" {
			line += ": " + h.Text
		} else if h.Path != "" && len(h.Assets) == h.Expanded {
			line += ": " + h.Name
		}
		if _, err := io.WriteString(t.w, line+"\n"); err != nil {
			return err
		}
	}
	return nil
}

func (t *textWriter) End() error { return nil }

// hitJSON is a line of JSON: a hit, or a problem of a file.
type hitJSON struct {
	File     string   `json:"file"`
	Assets   []string `json:"assets,omitempty"`
	Expanded int      `json:"expanded,omitempty"`
	Path     string   `json:"path,omitempty"`
	Offset   *int64   `json:"offset,omitempty"`
	Size     *int64   `json:"size,omitempty"`
	Name     string   `json:"name,omitempty"`
	Type     string   `json:"type,omitempty"`
	Text     string   `json:"text,omitempty"`
	Problem  string   `json:"problem,omitempty"`
}

// NewJSON returns a Writer of a JSON object in a line for each hit. The offset of a hit is in the file or, if expanded
// is positive, in the content of the expanded-th of its assets.
func NewJSON(w io.Writer) Writer { return &jsonWriter{json.NewEncoder(w)} }

type jsonWriter struct{ out *json.Encoder }

func (j *jsonWriter) Write(path string, f FileResults) error {
	for i := range f.Hits {
		h := &f.Hits[i]
		one := hitJSON{File: path, Expanded: h.Expanded, Path: h.Path, Name: h.Name, Type: h.Type, Text: h.Text}
		for _, a := range h.Assets {
			one.Assets = append(one.Assets, a.Name)
		}
		if h.Span.Size >= 0 {
			one.Offset, one.Size = &h.Span.Offset, &h.Span.Size
		}
		if err := j.out.Encode(one); err != nil {
			return err
		}
	}
	if f.Problem != "" {
		return j.out.Encode(hitJSON{File: path, Problem: f.Problem})
	}
	return nil
}

func (j *jsonWriter) End() error { return nil }

// NewCSV returns a Writer of a table with a row for each hit.
func NewCSV(w io.Writer) Writer {
	out := csv.NewWriter(w)
	_ = out.Write([]string{"file", "assets", "path", "offset", "size", "name", "type", "text"}) // End returns the error
	return &csvWriter{out}
}

type csvWriter struct{ out *csv.Writer }

func (c *csvWriter) Write(path string, f FileResults) error {
	for i := range f.Hits {
		h := &f.Hits[i]
		offset, size := "", ""
		if h.Span.Size >= 0 {
			offset, size = strconv.FormatInt(h.Span.Offset, 10), strconv.FormatInt(h.Span.Size, 10)
		}
		row := []string{path, assetPath(h.Assets), h.Path, offset, size, h.Name, h.Type, h.Text}
		if err := c.out.Write(row); err != nil {
			return err
		}
	}
	return c.End()
}

func (c *csvWriter) End() error {
	c.out.Flush()
	return c.out.Error()
}
