package export

import (
	"bufio"
	"encoding/json"
	"io"
	"iter"
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

	MediaType *string  `json:"media_type,omitempty"` // these three in listings only
	Recorded  string   `json:"recorded_type,omitempty"`
	Forms     []string `json:"forms,omitempty"`
}

var null = json.RawMessage("null")

// WriteJSON writes the rows as JSON: [{key, name, path, bytes, sha256, form, verified: true, false or null, problem?}],
// path relative to the folder. What was not written has key, name and problem only. Where assets come from several
// files, a row names its file.
func (r *Report) WriteJSON(w io.Writer) error {
	several := severalFiles(r.plan.picks)
	return writeRows(w, func(yield func(jsonRow) bool) {
		for row := range r.Rows() {
			if !yield(row.json(several)) {
				return
			}
		}
	})
}

func severalFiles(picks []Pick) bool {
	return slices.ContainsFunc(picks, func(pick Pick) bool { return pick.File != picks[0].File })
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

// writeRows writes one row a line.
func writeRows(out io.Writer, rows iter.Seq[jsonRow]) error {
	w := bufio.NewWriter(out)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	_, _ = w.WriteString("[")
	between := ""
	for row := range rows {
		if _, err := w.WriteString(between); err != nil {
			return err
		}
		if err := e.Encode(row); err != nil {
			return err
		}
		between = ","
	}
	_, _ = w.WriteString("]\n")
	return w.Flush()
}
