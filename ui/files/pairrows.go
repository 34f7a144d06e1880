package files

import (
	"fmt"
	"image"
	"time"

	"assay/model/compare"
	"assay/model/compare/folders"
	"assay/ui/comparison/compared"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/wording"
)

// The columns of a list of files.
const (
	fileSign = iota
	fileName
	fileSystem
	fileChange
	fileOldDate
	fileNewDate
	fileOldSize
	fileNewSize
)

// The widths of the columns of a list of files.
const (
	systemWide = 124
	dateWide   = 136
	sizeWide   = 92
	fileLeast  = 600 // width of name and change: where there is less, dates and sizes are not shown
)

// shareFiles divides the width among the columns of a list of files.
func shareFiles(width float32) []float32 {
	widths := make([]float32, fileNewSize+1)
	widths[fileSign], widths[fileSystem] = compared.SignWide, systemWide
	left := width - compared.SignWide - systemWide
	for _, columns := range [][2]int{{fileOldDate, fileNewDate}, {fileOldSize, fileNewSize}} {
		wide := float32(dateWide)
		if columns[0] == fileOldSize {
			wide = sizeWide
		}
		if left-2*wide >= fileLeast {
			widths[columns[0]], widths[columns[1]] = wide, wide
			left -= 2 * wide
		}
	}
	widths[fileName] = left * .4
	widths[fileChange] = left - widths[fileName]
	return widths
}

// pairRows is the list as the rows see it.
type pairRows Pair

// Len is the number of rows.
func (f *pairRows) Len() int64 { return int64(len(f.shown)) }

// Cell is what stands in a column of a row.
func (f *pairRows) Cell(row int64, column int) rows.Cell {
	file := f.files[f.shown[row]]
	tone := compared.StatusTone(file.Status)
	switch column {
	case fileSign:
		sign := compared.Sign(file.Status)
		if file.Pending {
			sign = "…"
		}
		return rows.Cell{Text: sign, Tone: tone, Bold: true}
	case fileName:
		if file.Status == compare.Changed {
			tone = paint.Normal
		}
		return rows.Cell{Text: file.Name, Tone: tone, Ends: true, Lead: pictureWide}
	case fileSystem:
		return rows.Cell{Text: f.found[file.Name].system, Tone: paint.Dim}
	case fileOldDate:
		return dateCell(file.OldTime)
	case fileNewDate:
		return dateCell(file.NewTime)
	case fileOldSize:
		return sizeCell(file.Old)
	case fileNewSize:
		return sizeCell(file.New)
	}
	if file.Problem != "" {
		tone = paint.Warning
	}
	return rows.Cell{Text: (*Pair)(f).change(file), Tone: tone}
}

// Frame has the pictures of what is in view drawn.
func (f *pairRows) Frame(c *paint.Canvas, _, height int) {
	f.pictures.want(c, height)
}

// PaintLead paints the picture of a file.
func (f *pairRows) PaintLead(c *paint.Canvas, row int64, _ int, lead image.Rectangle) {
	f.pictures.paint(c, f.shown[row], lead)
}

// dateCell is when a file was changed.
func dateCell(t time.Time) rows.Cell {
	if t.IsZero() {
		return rows.Cell{}
	}
	return rows.Cell{Text: t.Format("2006-01-02 15:04"), Tone: paint.Dim}
}

// sizeCell is the size of a file, if it is there.
func sizeCell(size int64) rows.Cell {
	if size < 0 {
		return rows.Cell{}
	}
	return rows.Cell{Text: wording.Number(size), Tone: paint.Dim, Mono: true}
}

// change describes the difference of a file in a few words.
func (f *Pair) change(file folders.File) string {
	was := ""
	if file.OldName != "" {
		was = "was " + file.OldName
	}
	switch found := f.found[file.Name].summary; {
	case file.Problem != "":
		return file.Problem
	case file.Pending:
		return "not looked into yet"
	case file.Status == compare.Moved:
		return was
	case found != "" && was != "":
		return was + "; " + found
	case found != "":
		return found
	case was != "":
		return was + ", edited"
	case file.Status == compare.Changed && file.Old != file.New:
		return compared.Signed(file.New-file.Old) + " bytes"
	case file.Status == compare.Changed:
		return fmt.Sprintf("differs from byte %#x on", file.At)
	}
	return file.Status.String()
}
