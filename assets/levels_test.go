package assets_test

import (
	"bytes"
	"encoding/binary"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats"
	"assay/formats/kaitai/gallery"
	"assay/model"
)

var levelsFolder = flag.String("levels", "", "write two versions of a level, and the description of such files, to this folder")

// levelRules describe the levels of a game in a format of its own.
const levelRules = `meta:
  id: level
  title: Level of a game
  file-extension: lvl
  endian: le
seq:
  - id: magic
    contents: LVL7
  - id: count
    type: u4
  - id: parts
    type: part
    repeat: expr
    repeat-expr: count
types:
  part:
    -webide-representation: '{name}'
    seq:
      - id: len_name
        type: u2
      - id: name
        type: str
        size: len_name
        encoding: UTF-8
        doc: What the part is called in the game.
      - id: kind
        type: u2
        enum: kinds
      - id: x
        type: f4
      - id: len_data
        type: u4
      - id: data
        size: len_data
enums:
  kinds:
    1: text
    2: picture
`

// levelPart is a part of a level.
type levelPart struct {
	name string
	kind uint16
	x    float32
	data []byte
}

func level(t *testing.T, parts ...levelPart) []byte {
	b := []byte("LVL7")
	b = binary.LittleEndian.AppendUint32(b, uint32(len(parts)))
	for _, p := range parts {
		b = binary.LittleEndian.AppendUint16(b, uint16(len(p.name)))
		b = append(b, p.name...)
		var err error
		b, err = binary.Append(b, binary.LittleEndian, struct {
			Kind uint16
			X    float32
			Size uint32
		}{p.kind, p.x, uint32(len(p.data))})
		require.NoError(t, err)
		b = append(b, p.data...)
	}
	return b
}

// TestLevels holds that the description of the readme's pictures reads all of its files.
func TestLevels(t *testing.T) {
	folder := *levelsFolder
	if folder == "" {
		folder = t.TempDir()
	}
	text := levelPart{"intro.txt", 1, 0, bytes.Repeat([]byte("Once upon a time in a pond.\n"), 4)}
	duck, lily := levelPart{"duck.png", 2, 7.25, sticker(t, 4)}, levelPart{"lily.png", 2, 3, sticker(t, 7)}
	moved := duck
	moved.x = 8.5
	rules := filepath.Join(folder, filepath.FromSlash(gallery.ProjectFolder))
	require.NoError(t, os.MkdirAll(rules, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(rules, "level.ksy"), []byte(levelRules), 0o644))
	for name, b := range map[string][]byte{"one.lvl": level(t, text, duck, lily),
		"two.lvl": level(t, text, moved, levelPart{"reed.png", 2, 1, sticker(t, 10)}, lily)} {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, b, 0o644))
		d, err := model.OpenDocument(t.Context(), path, "", formats.Opener{Gallery: &gallery.Gallery{}}.Open)
		require.NoError(t, err)
		assert.Equal(t, "level", d.Format)
		report, err := d.Check(t.Context(), nil)
		require.NoError(t, err)
		assert.Empty(t, report.Problems)
		require.NoError(t, d.Source.Close())
	}
}
