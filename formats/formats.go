// Package formats recognises files and opens them. Content decides; the extension only where content leaves it open.
// A new format is one new folder and one line in the table.
package formats

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"assay/formats/casset"
	"assay/formats/decode"
	"assay/formats/dprsim"
	"assay/formats/gpb"
	"assay/formats/ppac"
	"assay/formats/raw"
	"assay/model"
)

// headSize is how many of a file's first bytes the formats judge.
const headSize = 64 << 10

// Format is one file system that Assay opens.
type Format struct {
	Name       string   // as Document.Format has it
	Title      string   // for people
	Extensions []string // with their dots, lower case
	Sniff      func(head []byte, size int64) decode.Sure
	Open       func(ctx context.Context, src *model.Source) (*model.Document, error)
}

// All lists the formats.
func All() []Format {
	return []Format{
		{"gpb", "gameplay bundle", []string{".gpb"}, gpb.Sniff, gpb.Open},
		{"casset", "CrystalEngine package or bundle", []string{".casset"}, casset.Sniff, casset.Open},
		{"ppac", "PhoenixLAB packaged asset container", []string{".ppac", ".pac"}, ppac.Sniff, ppac.Open},
		{"dprsim", "DPRSim world or state", []string{".world", ".state"}, dprsim.SniffState, dprsim.Open},
		{"dprsim", "DPRSim experiment", []string{".experiment"}, dprsim.SniffExperiment, dprsim.Open},
	}
}

// Recognise gives the format of src, or nil if it is none of them. It reads the first bytes only.
func Recognise(src *model.Source) *Format {
	head := make([]byte, min(headSize, src.Size()))
	n, _ := src.ReadAt(head, 0)
	head = head[:n]
	extension := strings.ToLower(filepath.Ext(src.Name()))
	var maybe *Format
	for _, f := range All() {
		switch f.Sniff(head, src.Size()) {
		case decode.Yes:
			return &f
		case decode.Maybe:
			if slices.Contains(f.Extensions, extension) {
				maybe = &f
			}
		}
	}
	return maybe
}

// Open opens src in the format that it is recognised as, as plain bytes if in none.
func Open(ctx context.Context, src *model.Source) (*model.Document, error) {
	if f := Recognise(src); f != nil {
		return f.Open(ctx, src)
	}
	return raw.Open(src, expected(src.Name()))
}

// expected gives the title of the format that a file's name promises, or an empty string.
func expected(name string) string {
	extension := strings.ToLower(filepath.Ext(name))
	for _, f := range All() {
		if slices.Contains(f.Extensions, extension) {
			return f.Title
		}
	}
	return ""
}

// OpenFile opens the file at path. Closing the document's Source closes the file.
func OpenFile(ctx context.Context, path string) (*model.Document, error) {
	src, err := model.OpenFile(path)
	if err != nil {
		return nil, err
	}
	d, err := Open(ctx, src)
	if err != nil {
		src.Close()
		return nil, err
	}
	return d, nil
}
