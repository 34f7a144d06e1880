package write

import (
	"context"
	"fmt"
	"io"
)

// TPU identifies an asset: its type, its purpose, and a number that is unique among them.
type TPU struct {
	Type, Purpose uint16
	Unique        uint32
}

// String is the TPU as a key: TTTT-PPPP-UUUUUUUU.
func (t TPU) String() string { return fmt.Sprintf("%04X-%04X-%08X", t.Type, t.Purpose, t.Unique) }

// MetadataEntry is a key with its value. Both may be any bytes, at most 255.
type MetadataEntry struct {
	Key, Value string
}

// Compression ids.
const (
	Stored  = 0
	Deflate = 1 // a zlib stream; readers accept gzip and raw DEFLATE, too
)

// Archive is a container to be written.
type Archive struct {
	// Layout is how numbers are laid out. Without a PositionWidth the narrowest is chosen that holds the archive, and
	// the Flags that go with it.
	Layout            Layout
	Flags             uint32
	Created, Modified int64           // published: milliseconds since 1970
	Metadata          []MetadataEntry // later: left out if an asset has the TPU 0, under which they would stand

	Len int // of the assets, in the order of the file
	// Asset returns the i-th asset. It is called for each in order, and then again for each while they are written.
	Asset func(i int) (Asset, error)
	// Index has the position in the index of each asset that is not deleted; nil: the order of the file.
	Index []int

	EmptySections bool // metadata and trash index are written even if they have no entries
	OldGuard      bool // later: the guard after the metadata that libraries before 2017 wrote
}

// Asset is an asset to be written.
type Asset struct {
	TPU
	Created, Modified int64 // published: milliseconds since 1970
	Size              int64 // of the stored bytes
	Expanded          int64 // size of the content; Size if it is stored as it is
	Compression       uint32
	// Open returns the stored bytes, Size of them. An error of Close ends the writing, too.
	Open func(ctx context.Context) (io.ReadCloser, error)

	Adler32  *uint32   // published; nil: over the stored bytes
	SHA256   *[32]byte // later; nil: over the stored bytes
	Metadata []MetadataEntry
	// Encoded is what another container has of the asset's metadata, to be written as it is: in the published revision
	// all of DATA ENTRY that follows the data, in the later one a metadata block. nil: Metadata are written.
	Encoded []byte

	Deleted bool // what Open returns is in the file as it is, and listed as trash
	Shared  bool // its bytes, and without one its sum, are those of the asset before it
}
