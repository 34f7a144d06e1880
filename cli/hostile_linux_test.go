package cli

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/klauspost/compress/zlib"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb"
	"assay/formats/gpb/gpbtest"
	"assay/formats/ppac/ppactest"
	"assay/model"
)

var identity = [16]float32{0: 1, 5: 1, 10: 1, 15: 1}

// hostileChain returns a bundle with a chain of nested nodes, and a mesh at its end. move is the position of the last
// node.
func hostileChain(depth int, move float32) *gpb.File {
	mesh := hostileMesh("mesh", 3)
	n := &gpb.Node{ID: fmt.Sprint("n", depth-1), Transform: identity, Model: &gpb.Model{Mesh: "#mesh"}}
	n.Transform[12] = move
	for i := depth - 2; i >= 0; i-- {
		n.Parent = fmt.Sprint("n", i)
		n = &gpb.Node{ID: n.Parent, Transform: identity, Children: []*gpb.Node{n}}
	}
	return &gpb.File{Meshes: []*gpb.Mesh{mesh}, Objects: []gpb.Object{&gpb.Scene{ID: "scene", Nodes: []*gpb.Node{n}}}}
}

// hostileMesh returns a fan of triangles with weights.
func hostileMesh(id string, vertices int) *gpb.Mesh {
	const floats = 3 + 4 + 4
	v := make([]float32, 0, floats*vertices)
	var indices []uint32
	for i := range vertices {
		v = append(v, float32(i%100), float32(i/100), float32(i%7), 1, 0, 0, 0, 0, 0, 0, 0)
		if i > 1 {
			indices = append(indices, 0, uint32(i-1), uint32(i))
		}
	}
	n := gpbtest.Floats(v...)
	return &gpb.Mesh{ID: id, Format: []gpb.VertexElement{{Usage: 1, Size: 3}, {Usage: 6, Size: 4}, {Usage: 7, Size: 4}},
		Vertices: model.Blob{Source: n.Source, Span: model.Span{Size: n.Count * 4}},
		Bounds:   gpb.Bounds{Max: [3]float32{100, 100, 7}, Radius: 200},
		Parts:    []*gpb.MeshPart{gpbtest.Part(gpb.Triangles, gpb.Index32, indices...)}}
}

// hostileReferences returns a bundle with a table of n references past its end.
func hostileReferences(n int) []byte {
	b := binary.LittleEndian.AppendUint32([]byte("\xABGPB\xBB\r\n\x1A\n\x01\x02"), uint32(n))
	for i := range n {
		id := fmt.Sprintf("%07d", i)
		b = append(binary.LittleEndian.AppendUint32(b, uint32(len(id))), id...)
		b = binary.LittleEndian.AppendUint32(b, uint32(gpb.TypeMesh))
		b = binary.LittleEndian.AppendUint32(b, uint32(1<<30+i))
	}
	return append(b, make([]byte, 8)...)
}

// hostileInstances returns a bundle of n nodes with the same mesh, each with a skin of its own if skins is set.
func hostileInstances(n, vertices int, skins bool) *gpb.File {
	s := &gpb.Scene{ID: "scene"}
	for i := range n {
		m := &gpb.Model{Mesh: "#mesh", Materials: []string{fmt.Sprint("material", i)}}
		if skins {
			m.Skin = &gpb.Skin{BindShape: identity, Joints: []string{"#n0"}, BindPoses: gpbtest.Floats(identity[:]...)}
		}
		node := &gpb.Node{ID: fmt.Sprint("n", i), Transform: identity, Model: m}
		node.Transform[12] = float32(i)
		s.Nodes = append(s.Nodes, node)
	}
	return &gpb.File{Meshes: []*gpb.Mesh{hostileMesh("mesh", vertices)}, Objects: []gpb.Object{s}}
}

// hostileTIFF returns a TIFF that claims width × height pixels, but has few.
func hostileTIFF(width, height int) []byte {
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	_, _ = w.Write(make([]byte, 1<<20))
	w.Close()
	le := binary.LittleEndian
	b := []byte("II*\x00\x08\x00\x00\x00")
	fields := [][4]int{ // tag, type, count, value
		{256, 4, 1, width}, {257, 4, 1, height}, {258, 3, 1, 8}, {259, 3, 1, 8}, {262, 3, 1, 2}, {273, 4, 1, 0},
		{277, 3, 1, 3}, {278, 4, 1, height}, {279, 4, 1, packed.Len()},
	}
	at := len(b) + 2 + 12*len(fields) + 4
	b = le.AppendUint16(b, uint16(len(fields)))
	for _, f := range fields {
		switch f[0] {
		case 258:
			f[2], f[3] = 3, at
		case 273:
			f[3] = at + 6
		}
		b = le.AppendUint16(le.AppendUint16(b, uint16(f[0])), uint16(f[1]))
		b = le.AppendUint32(le.AppendUint32(b, uint32(f[2])), uint32(f[3]))
	}
	b = append(b, 0, 0, 0, 0, 8, 0, 8, 0, 8, 0)
	return append(b, packed.Bytes()...)
}

func bundleOf(t *testing.T, f *gpb.File) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, gpbtest.Write(&b, f, gpbtest.V12, gpbtest.ByID))
	return b.Bytes()
}

func packageOf(t *testing.T, a ppactest.Archive) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, ppactest.Write(&b, a))
	return b.Bytes()
}

// hostileFiles returns small files that need much memory or time, in proportion to n.
func hostileFiles(t *testing.T, n int) map[string][]byte {
	t.Helper()
	named := []ppactest.MetadataEntry{{Key: "name", Value: "a.tiff"}}
	tiff := ppactest.Asset{TPU: ppactest.NewTPU(1, 1, 1), Metadata: named, Content: hostileTIFF(19_000, 12_700)}
	bomb := ppactest.Asset{TPU: ppactest.NewTPU(1, 1, 1), Content: make([]byte, 20_000*n), Codec: ppactest.RawDeflate}
	var hidden []ppactest.Asset
	for i := range n / 10 {
		hidden = append(hidden, ppactest.Asset{TPU: ppactest.NewTPU(1, 1, uint32(i)), Content: make([]byte, 64<<10),
			Codec: ppactest.Zlib, Same: i > 0})
	}
	return map[string][]byte{
		"deep.gpb":       bundleOf(t, hostileChain(n, 1)),
		"references.gpb": hostileReferences(20 * n),
		"instances.gpb":  bundleOf(t, hostileInstances(n/10, 1000, false)),
		"skins.gpb":      bundleOf(t, hostileInstances(n/10, 1000, true)),
		"tiff.ppac":      packageOf(t, ppactest.Archive{Assets: []ppactest.Asset{tiff}}),
		"hidden.ppac":    packageOf(t, ppactest.Archive{Assets: hidden}),
		"bomb.ppac":      packageOf(t, ppactest.Archive{Assets: []ppactest.Asset{bomb}}),
	}
}

// hostileVerbs returns command lines for a file and another version of it.
func hostileVerbs(file, other, folder string) [][]string {
	return [][]string{
		{"tree", file}, {"dump", file}, {"verify", "--deep", file}, {"extract", "--list", file},
		{"extract", "--list", "--json", file}, {"extract", "-o", filepath.Join(folder, "out"), file},
		{"diff", other, file}, {"thumbnail", "-s", "128", file, filepath.Join(folder, "small.png")},
	}
}

// The maximum memory of a command for one of these files, and for a thumbnail. The files have a fifth of the size of
// those for which 400 MB are permitted: 50,000 nested nodes, a million references. Commands collect garbage more often
// only near their limits, so diff takes up to 160 MB, more under load.
const (
	maxMemory          = 200 << 20
	maxThumbnailMemory = 400 << 20
)

// peakInto is the environment variable that makes this program run another one, and write its peak memory in bytes into
// a file. A process starts with the peak of its parent, and the tests need much memory.
const peakInto = "ASSAY_TEST_PEAK_INTO"

func TestMain(m *testing.M) {
	if path := os.Getenv(peakInto); path != "" {
		os.Exit(runForPeak(path, os.Args[1:]))
	}
	os.Exit(m.Run())
}

// runForPeak runs a command, writes its peak memory into the file at path, and returns its exit status.
func runForPeak(path string, command []string) int {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, err)
		return -1
	}
	most := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
	if err := os.WriteFile(path, strconv.AppendInt(nil, most, 10), 0o600); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return -1
	}
	return cmd.ProcessState.ExitCode()
}

// TestCommandsOnHostileFilesAreBounded tests the maximum memory of commands.
func TestCommandsOnHostileFilesAreBounded(t *testing.T) {
	program, folder := buildWithoutWindow(t), t.TempDir()
	other := filepath.Join(folder, "other.gpb")
	n := 10_000
	if testing.Short() {
		n = 2_000
	}
	require.NoError(t, os.WriteFile(other, bundleOf(t, hostileChain(n, 2)), 0o600))
	for name, content := range hostileFiles(t, n) {
		file := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(file, content, 0o600))
		for _, args := range hostileVerbs(file, other, folder) {
			peakFile := filepath.Join(folder, "peak")
			cmd := exec.Command(os.Args[0], append([]string{program}, args...)...)
			cmd.Env = append(os.Environ(), peakInto+"="+peakFile)
			var messages bytes.Buffer
			cmd.Stderr = &messages
			err := cmd.Run()
			var ended *exec.ExitError
			if err != nil && !errors.As(err, &ended) {
				require.NoError(t, err)
			}
			assert.Contains(t, []int{0, 1, 2}, cmd.ProcessState.ExitCode(), "%s %s: %s", args[0], name, messages.String())
			assert.NotContains(t, messages.String(), "goroutine", "%s %s", args[0], name)
			text, err := os.ReadFile(peakFile)
			require.NoError(t, err)
			peak, err := strconv.ParseInt(string(text), 10, 64)
			require.NoError(t, err)
			most := int64(maxMemory)
			if args[0] == "thumbnail" {
				most = maxThumbnailMemory
			}
			assert.Less(t, peak, most, "%s %s", args[0], name)
		}
		require.NoError(t, os.RemoveAll(filepath.Join(folder, "out")))
	}
}

// TestWorkGrowsWithTheFile tests that the work of commands is linear: files twice as large need about twice the
// allocations.
func TestWorkGrowsWithTheFile(t *testing.T) {
	n := 600
	if testing.Short() {
		n = 300
	}
	allocated := func(args []string) float64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		status := run(t.Context(), args, strings.NewReader(""), io.Discard, io.Discard)
		runtime.ReadMemStats(&after)
		assert.LessOrEqual(t, status, ExitError)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	files := [2]map[string][]byte{hostileFiles(t, n), hostileFiles(t, 2*n)}
	for name := range files[0] {
		var took [2][]float64
		var names []string
		for k := range files {
			folder := t.TempDir()
			file, other := filepath.Join(folder, name), filepath.Join(folder, "other.gpb")
			require.NoError(t, os.WriteFile(file, files[k][name], 0o600))
			require.NoError(t, os.WriteFile(other, bundleOf(t, hostileChain((k+1)*n, 2)), 0o600))
			for _, args := range hostileVerbs(file, other, folder) {
				took[k] = append(took[k], allocated(args))
				names = append(names, args[0])
			}
		}
		for i := range took[0] {
			assert.Less(t, took[1][i], 3*took[0][i]+(4<<20), "%s %s", names[i], name)
		}
	}
}

// TestExtractRefusesDecompressionBombs extracts 130 assets of 9 MB each that share their stored bytes.
func TestExtractRefusesDecompressionBombs(t *testing.T) {
	var all []ppactest.Asset
	for i := range 130 {
		all = append(all, ppactest.Asset{TPU: ppactest.NewTPU(1, 1, uint32(i)), Content: make([]byte, 9<<20),
			Same: i > 0})
	}
	folder := t.TempDir()
	file, out := filepath.Join(folder, "shared.ppac"), filepath.Join(folder, "out")
	require.NoError(t, os.WriteFile(file, packageOf(t, ppactest.Archive{Assets: all}), 0o600))
	const why = "exporting 130 assets would write at least 1.2 GB, 130 times the 9.4 MB stored"
	status, _, messages := do(t, "extract", "-o", out, file)
	assert.Equal(t, 2, status)
	assert.Contains(t, messages, "nothing written: "+why)
	assert.Contains(t, messages, "--any-size")
	assert.NoDirExists(t, out)
	status, list, messages := do(t, "extract", "--list", file)
	assert.Equal(t, 1, status)
	assert.Equal(t, 130, strings.Count(list, "     9437184  "), "each with its own size")
	assert.Contains(t, messages, why)
	status, _, messages = do(t, "extract", "-o", out, "--only", "0001-0001-00000001", file)
	assert.Zero(t, status, messages)
	status, _, messages = do(t, "extract", "-o", out, "--only", "0001-0001-00000002", "--any-size", file)
	assert.Zero(t, status, messages)
}
