package export

import (
	"bufio"
	"encoding/json"
	"io"
	"slices"
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
	several := r.severalFiles()
	return writeRows(w, len(r.Rows), func(i int) jsonRow { return r.Rows[i].json(several) })
}

// WriteListing writes the rows as WriteJSON does, with the media types and forms of the assets. A run into Nowhere finds
// out what a listing tells.
func (r *Report) WriteListing(w io.Writer) error {
	several := r.severalFiles()
	return writeRows(w, len(r.Rows), func(i int) jsonRow {
		row := r.Rows[i].json(several)
		row.MediaType, row.Forms = &r.Rows[i].MediaType, r.Rows[i].Forms
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

func (r *Report) severalFiles() bool {
	return slices.ContainsFunc(r.Rows, func(row Row) bool { return row.File != r.Rows[0].File })
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
