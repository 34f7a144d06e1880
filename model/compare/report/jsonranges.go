package report

import (
	"encoding/json"
	"fmt"
	"io"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/align"
	"assay/model/compare/changes"
)

// jsonRange is a range of diff --json; bytes are the first 16 in hex.
type jsonRange struct {
	Status   string   `json:"status"`
	Old      jsonSpan `json:"old"`
	New      jsonSpan `json:"new"`
	OldBytes string   `json:"old_bytes,omitempty"`
	NewBytes string   `json:"new_bytes,omitempty"`
}

// writeRanges writes the member "ranges", if the files were compared as bytes only.
func writeRanges(c *compare.Comparison, w io.Writer) {
	if c.Ranges == nil {
		return
	}
	fmt.Fprintf(w, ",\n\"more_ranges\":%d,\n\"ranges\":[", c.Ranges.Omitted)
	comma := ""
	for e := range changes.Ranges(c) {
		b, _ := json.Marshal(jsonRangeOf(e, changes.BlockOf(c.Old), changes.BlockOf(c.New)))
		fmt.Fprintf(w, "%s\n%s", comma, b)
		comma = ","
	}
	io.WriteString(w, "]")
}

func jsonRangeOf(e align.Edit, from, to changes.Block) jsonRange {
	hex := func(b changes.Block, s model.Span) string {
		data, err := b.First(s)
		if err != nil {
			return ""
		}
		return fmt.Sprintf("%x", data)
	}
	return jsonRange{changes.StatusOf(e).String(), jsonSpan(e.Old), jsonSpan(e.New), hex(from, e.Old), hex(to, e.New)}
}
