package export

import (
	"bufio"
	"encoding/json"
	"io"
	"strconv"

	"assay/model"
)

// jsonRow is a row of a report in JSON. Of an asset that was not written there is no more than why.
type jsonRow struct {
	Key      string          `json:"key"`
	Name     string          `json:"name"`
	File     string          `json:"file,omitempty"`
	Path     string          `json:"path,omitempty"`
	Bytes    json.RawMessage `json:"bytes,omitempty"`
	SHA256   json.RawMessage `json:"sha256,omitempty"`
	Form     string          `json:"form,omitempty"`
	Verified json.RawMessage `json:"verified,omitempty"`
	Problem  string          `json:"problem,omitempty"`

	MediaType *string  `json:"media_type,omitempty"` // these two in listings only
	Forms     []string `json:"forms,omitempty"`
}

var null = json.RawMessage("null")

// WriteJSON writes the rows as JSON: [{key, name, path, bytes, sha256, form, verified: true, false or null, problem?}],
// path relative to the folder. What was not written has key, name and problem only. Where assets come from several files, a row names
// its file.
func (r *Report) WriteJSON(w io.Writer) error {
	several := severalFiles(len(r.Rows), func(i int) string { return r.Rows[i].File })
	return writeRows(w, len(r.Rows), func(i int) jsonRow { return r.Rows[i].json(several) })
}

// WriteListing writes the rows as WriteJSON does, with the media types and forms of the assets.
func (r *Report) WriteListing(w io.Writer) error {
	several := severalFiles(len(r.Rows), func(i int) string { return r.Rows[i].File })
	return writeRows(w, len(r.Rows), func(i int) jsonRow {
		row := r.Rows[i].json(several)
		row.MediaType, row.Forms = &r.Rows[i].MediaType, r.Rows[i].Forms
		return row
	})
}

// WriteListing writes what the plan says without a look at any content: sums and verdicts are null, and bytes are
// where nobody has recorded them. A run into Nowhere finds them out.
func (p *Plan) WriteListing(w io.Writer) error {
	several := severalFiles(len(p.Items), func(i int) string { return p.Items[i].File })
	return writeRows(w, len(p.Items), func(i int) jsonRow {
		item := &p.Items[i]
		row := jsonRow{Key: item.Key, Name: item.Name, Path: item.Target, Problem: item.Problem, MediaType: &item.MediaType, Forms: item.Forms}
		if several {
			row.File = item.File
		}
		if item.Target != "" {
			row.Form, row.Bytes, row.SHA256, row.Verified = item.Form, null, null, null
			if item.Size >= 0 {
				row.Bytes = strconv.AppendInt(nil, item.Size, 10)
			}
		}
		return row
	})
}

func (r *Row) json(several bool) jsonRow {
	row := jsonRow{Key: r.Key, Name: r.Name, Problem: r.Problem}
	if several {
		row.File = r.File
	}
	if r.Outcome != Exported {
		return row
	}
	row.Path, row.Form, row.Bytes = r.Path, r.Form, strconv.AppendInt(nil, r.Bytes, 10)
	row.SHA256, row.Verified = null, null
	if r.SHA256 != "" {
		row.SHA256 = strconv.AppendQuote(nil, r.SHA256)
	}
	switch r.Verdict {
	case model.Valid:
		row.Verified = json.RawMessage("true")
	case model.Invalid:
		row.Verified = json.RawMessage("false")
	}
	return row
}

func severalFiles(n int, file func(int) string) bool {
	for i := 1; i < n; i++ {
		if file(i) != file(0) {
			return true
		}
	}
	return false
}

// writeRows writes one row a line.
func writeRows(out io.Writer, n int, row func(int) jsonRow) error {
	w := bufio.NewWriter(out)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	between := "["
	for i := range n {
		if _, err := w.WriteString(between); err != nil {
			return err
		}
		if err := e.Encode(row(i)); err != nil {
			return err
		}
		between = ","
	}
	if n == 0 {
		_, _ = w.WriteString("[")
	}
	_, _ = w.WriteString("]\n")
	return w.Flush()
}
