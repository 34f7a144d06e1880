package model

import (
	"context"
	"io"
	"slices"
	"strings"
	"time"
)

// FileType is a file type for the user and the desktop: the data for shared-mime-info, a registry or a bundle's
// Info.plist.
type FileType struct {
	MIME    string
	Title   string   // "gameplay bundle"
	Icon    string   // short name of the icon: "gpb"; empty for the format's name
	Picture []byte   // the icon, a PNG of 256 x 256 pixels; nil for the program's
	Globs   []string // "*.gpb"; empty if other types have the extension too, so that the content decides
	// "*.pac": other types have it too; on a system that does not check the content, the program is only one choice
	Shared []string
	Parent string  // MIME type that it is a kind of; empty for plain bytes
	Magic  []Magic // any of these identifies the type
	Scene  bool    // its files are drawn as scenes
}

// Extensions returns the extensions of the type's files, in lower case and with their dots.
func (t *FileType) Extensions() []string { return trimGlobs(slices.Concat(t.Globs, t.Shared)) }

// OwnExtensions returns the extensions that no files of other types have.
func (t *FileType) OwnExtensions() []string { return trimGlobs(slices.Clone(t.Globs)) }

func trimGlobs(globs []string) []string {
	for i, glob := range globs {
		globs[i] = strings.TrimPrefix(glob, "*")
	}
	return globs
}

// IsText reports whether the type's files are texts, which any editor shows.
func (t *FileType) IsText() bool { return t.Parent == "text/plain" }

// Magic are bytes that a file of a type has.
type Magic struct {
	Bytes []byte
	From  int     // offset
	To    int     // last offset to check; From if 0
	And   []Magic // one of them must match too
}

// Packer is how packages of a format are written.
type Packer struct {
	Extension string   // of the packages, with its dot
	Variants  []string // the possible layouts; the first is the default
	// Files returns the package of some files.
	Files func(files []PackedFile, o PackOptions) (ArchivePlan, error)
	// Stack returns the package with the effective assets of packages that are loaded in order: of assets with one key
	// the last. Contents are copied as they are stored.
	Stack func(ctx context.Context, layers []*Document) (ArchivePlan, error)
	// Patch returns the package that, loaded over old, gives the content of new, except for the assets with removed
	// keys. Equal recorded digests count as equal contents.
	Patch func(ctx context.Context, old, new *Document) (*Patch, error)
	// Replace returns the package that, loaded over another, gives its i-th asset the content of a file.
	Replace func(ctx context.Context, d *Document, i int, content PackedFile) (ArchivePlan, error)
	// Merge compares two packages with their common base.
	Merge func(ctx context.Context, base, mine, theirs *Document) (*ArchiveMerge, error)
}

// PackedFile is a file that is to be an asset.
type PackedFile struct {
	Name    string // relative, with forward slashes
	Size    int64
	ModTime time.Time
	// Open returns the content. The error of Close wraps ErrChanged if Size or ModTime has changed.
	Open func(ctx context.Context) (io.ReadCloser, error)
}

// PackOptions are how files become a package.
type PackOptions struct {
	Variant string            // of Packer.Variants; empty: the first
	Types   map[string]string // by the extension of a file, in lower case and without its dot
}

// ArchivePlan is a package that is to be written.
type ArchivePlan interface {
	// Len is the number of assets.
	Len() int
	// ComputesSums reports whether Write computes every checksum from the content that it writes. Those that it copies
	// are to be compared with the content.
	ComputesSums() bool
	// Write writes the package. The error wraps ErrChanged if a copied file changed meanwhile.
	Write(ctx context.Context, w io.Writer) error
}

// Patch is an ArchivePlan, and the keys that it cannot remove.
type Patch struct {
	ArchivePlan
	Added, Changed int      // numbers of its assets that old does not have, and that have another content in old
	Removed        []string // keys of assets that only the old package has
}

// Version is one of the three files of a merge: the base, and two versions of it.
type Version uint8

// The versions.
const (
	Base Version = iota
	Mine
	Theirs
)

// ArchiveMerge compares two packages with their common base.
type ArchiveMerge struct {
	Assets   []MergedAsset // changed by either, in the order of their keys
	Metadata MergedMetadata
	// Key returns the key of one of Assets.
	Key func(i int) string
	// AssetMetadata returns the metadata of one of Assets in each version, in a line: the values that differ; may be
	// empty.
	AssetMetadata func(i int) [3]string
	// Plan returns the package with the picked version of each of Assets, all unchanged assets, and the metadata of a
	// version. If the result is equal to one of the two packages, it is that package, byte for byte.
	Plan func(ctx context.Context, picks []Pick, metadata Version) (ArchivePlan, error)
}

// MergedMetadata is the metadata of a package in the three versions.
type MergedMetadata struct {
	Nodes   [3]*Node  // its node in each Version; nil if absent
	Texts   [3]string // in a line: the values that differ; may be empty
	Changed [3]bool   // whether Mine and Theirs changed it
	// SameChange is set if both changed it in the same way.
	SameChange bool
}

// MergedAsset is an asset that one of two packages changed. There may be a million.
type MergedAsset struct {
	Indexes      [3]int32 // its index among the Payloads of each Version; -1 if it is absent
	Changed      [3]bool  // whether Mine and Theirs changed it
	SameChange   bool     // both changed it in the same way, except for times
	SameMetadata bool     // the metadata without times is the same in all versions that have it
}

// Pick is which version of an asset a package gets.
type Pick struct {
	Version Version     // a version without the asset omits it
	Content *PackedFile // instead of the content that the version has; nil: that
}
