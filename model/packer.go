package model

import (
	"context"
	"io"
	"time"
)

// Packer is how archives of a format are written.
type Packer struct {
	Extension string   // of the archives, with its dot
	Variants  []string // the layouts that can be asked for; the first is the default
	// Files returns the archive of some files.
	Files func(files []PackedFile, o PackOptions) (ArchivePlan, error)
	// Stack returns the archive of what is seen where archives are loaded one over the other: of assets with one key
	// the last. Contents are copied as they are stored.
	Stack func(ctx context.Context, layers []*Document) (ArchivePlan, error)
	// Patch returns the archive that, loaded over old, shows what new has, but for the assets with the keys that are
	// removed. Recorded digests that are the same may stand for the contents.
	Patch func(ctx context.Context, old, new *Document) (*Patch, error)
	// Replace returns the archive that, loaded over another, gives its i-th asset the content of a file.
	Replace func(ctx context.Context, d *Document, i int, with PackedFile) (ArchivePlan, error)
	// Merge compares two archives with the one that both were made from.
	Merge func(ctx context.Context, base, mine, theirs *Document) (*ArchiveMerge, error)
}

// PackedFile is a file that is to be an asset.
type PackedFile struct {
	Name    string // relative, with forward slashes
	Size    int64
	ModTime time.Time
	// Open returns the content. The error of Close wraps ErrChanged if it is no longer that of Size and ModTime.
	Open func(ctx context.Context) (io.ReadCloser, error)
}

// PackOptions are how files become an archive.
type PackOptions struct {
	Variant string            // of Packer.Variants; empty: the first
	Types   map[string]string // by the extension of a file, in lower case and without its dot
}

// ArchivePlan is an archive that is to be written.
type ArchivePlan interface {
	// Len is the number of assets.
	Len() int
	// ComputesSums reports whether Write computes every checksum from the content that it writes. Those that it copies
	// are to be compared with the content.
	ComputesSums() bool
	// Write writes the archive. The error wraps ErrChanged if what is copied changed meanwhile.
	Write(ctx context.Context, w io.Writer) error
}

// Patch is an ArchivePlan, and what it cannot do.
type Patch struct {
	ArchivePlan
	Added, Changed int
	Removed        []string // keys of assets that only the old archive has
}

// Version is one of three files of which the last two were made from the first.
type Version uint8

// The versions.
const (
	Base Version = iota
	Mine
	Theirs
)

// ArchiveMerge is two archives beside the one that both were made from.
type ArchiveMerge struct {
	Assets   []MergedAsset // that either of the two changed, in the order of their keys
	Metadata MergedMetadata
	// Key returns the key of one of Assets.
	Key func(i int) string
	// Plan returns the archive that has what is picked for each of Assets, what neither changed, and the metadata of
	// a version. If that is all what one of the two archives has, it is that archive, byte for byte.
	Plan func(ctx context.Context, picks []Pick, metadata Version) (ArchivePlan, error)
}

// MergedMetadata is what is recorded about an archive itself.
type MergedMetadata struct {
	Nodes   [3]*Node  // where it stands in each Version; nil: the version has none
	Texts   [3]string // in a line: of what is not the same in all of them; empty for nothing
	Changed [3]bool   // whether Mine and Theirs changed it
	// SameChange is set if both changed it in the same way.
	SameChange bool
}

// MergedAsset is an asset that one of two archives changed. There may be a million.
type MergedAsset struct {
	At           [3]int32 // where it is among the Payloads of each Version; -1: it is not there
	Changed      [3]bool  // whether Mine and Theirs changed it
	SameChange   bool     // both changed it in the same way, but for times
	SameMetadata bool     // what is recorded about it besides times is the same wherever it is there
}

// Pick is which version of an asset an archive gets.
type Pick struct {
	Version Version     // one that does not have it leaves it out
	Content *PackedFile // instead of the content that the version has; nil: that
}
