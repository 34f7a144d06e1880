package gpb

import (
	"fmt"

	"assay/formats/decode"
	"assay/model"
)

// header is what all versions begin with: identifier, version, references. It is the same in every layout.
type header struct {
	src          *model.Source
	major, minor uint8
	hasVersion   bool
	table
	whole        bool  // the header was read to its end
	objectsStart int64 // where the header ends
}

// readHeader reads the header with a probe.
func readHeader(c *decode.Cursor) *header {
	h := &header{src: c.Source()}
	h.whole = c.Try(func() {
		h.version(c)
		h.scan(c)
	})
	h.objectsStart = c.Pos()
	h.table.index()
	return h
}

// version: identifier, version byte[2].
func (h *header) version(c *decode.Cursor) {
	c.Magic("identifier", []byte(Identifier))
	if b := c.Peek(2); b != nil {
		h.major, h.minor, h.hasVersion = b[0], b[1], true
	}
	c.Array("version", "byte[2]", model.U8, 2)
	c.Symbol(h.versionText())
	if !h.isKnownVersion() {
		c.Warn("unknown version %d.%d (known: 1.0 to 1.5); decoded with the layout that fits best", h.major,
			h.minor)
	}
}

func (h *header) versionText() string { return fmt.Sprintf("%d.%d", h.major, h.minor) }

func (h *header) isKnownVersion() bool { return h.major == 1 && h.minor <= 5 }

// knownLayouts returns the layouts that files of the version are known to have, the likeliest first; of a version that
// is not known, those that are tried first.
func (h *header) knownLayouts() []*layout {
	if h.major != 1 {
		return layoutsOf(1)
	}
	return layoutsOf(h.minor)
}
