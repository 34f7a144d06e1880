package export

import (
	"math"
	"math/rand/v2"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSafePathStaysInTheFolderOnEverySystem(t *testing.T) {
	long := strings.Repeat("é", 200)
	for name, c := range map[string]struct{ in, want string }{
		"plain":             {"textures/rock.png", "textures/rock.png"},
		"backslashes":       {`textures\rock.png`, "textures/rock.png"},
		"climbing":          {"../../etc/passwd", "etc/passwd"},
		"climbing inside":   {"a/../../b", "a/b"},
		"absolute":          {"/etc/passwd", "etc/passwd"},
		"network share":     {`\\server\share\x`, "server/share/x"},
		"drive":             {`C:\windows\x.dll`, "C_/windows/x.dll"},
		"drive without":     {"C:x", "C_x"},
		"stream":            {"a.txt:hidden", "a.txt_hidden"},
		"nul":               {"a\x00.png", "a_.png"},
		"control":           {"a\x1b[31m\n.png", "a_[31m_.png"},
		"bidi":              {"cod\u202egnp.exe", "cod_gnp.exe"},
		"zero width":        {"a\u200bb\ufeffc", "a_b_c"},
		"joiner stays":      {"\u0646\u200c\u0645", "\u0646\u200c\u0645"},
		"not UTF-8":         {"a\xff\xfeb", "a__b"},
		"wild":              {`<a>|"b"?*`, "_a___b___"},
		"reserved":          {"con", "_con"},
		"reserved with ext": {"NUL.tar.gz", "_NUL.tar.gz"},
		"reserved blank":    {"aux .txt", "_aux .txt"},
		"reserved port":     {"d/COM¹.x", "d/_COM¹.x"},
		"not reserved":      {"COM10/console", "COM10/console"},
		"trailing dots":     {"a. . ./b...", "a/b"},
		"trailing blanks":   {"a \u00a0", "a"},
		"nothing":           {"", "unnamed"},
		"only dots":         {"...", "unnamed"},
		"only slashes":      {"///", "unnamed"},
		"hidden":            {".config", ".config"},
		"long":              {long + ".png", strings.Repeat("é", 125) + ".png"},
		"long extension":    {"a." + strings.Repeat("x", 300), "a." + strings.Repeat("x", 253)},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, SafePath(c.in)) })
	}
}

func TestSafePathIsNotDeep(t *testing.T) {
	p := SafePath(strings.Repeat("d/", 10_000) + "end.png")
	assert.Equal(t, maxDepth, strings.Count(p, "/")+1)
	assert.Equal(t, "end.png", path.Base(p))
}

func FuzzSafePath(f *testing.F) {
	for _, s := range []string{"a/b.png", `..\..\x`, "C:/x", "con.txt", "a. .", "\u202ex", "\xff",
		strings.Repeat("ä", 300) + ".gltf", ". .", " .a", "_._/COM1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p := SafePath(s)
		require.True(t, filepath.IsLocal(p), "%q leads out", p)
		require.Equal(t, p, SafePath(p), "of %q", s)
		require.True(t, utf8.ValidString(p))
		for _, name := range strings.Split(p, "/") {
			checkName(t, name)
		}
		q := numberedPath(p, 17)
		require.Equal(t, q, SafePath(q))
		checkName(t, path.Base(q))
	})
}

func checkName(t *testing.T, name string) {
	require.NotEmpty(t, name)
	require.LessOrEqual(t, len(name), maxNameBytes)
	require.False(t, isReserved(name), name)
	require.Equal(t, name, trimName(name))
	for _, r := range name {
		require.False(t, unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r), "%q", name)
		require.NotContains(t, `\:*?"<>|`, string(r))
	}
}

func TestTakenNamesGetNumbers(t *testing.T) {
	for name, c := range map[string]struct{ in, want []string }{
		"different":          {[]string{"a", "b"}, []string{"a", "b"}},
		"same":               {[]string{"a.png", "a.png", "a.png"}, []string{"a.png", "a (2).png", "a (3).png"}},
		"case":               {[]string{"Rock.png", "rock.PNG"}, []string{"Rock.png", "rock (2).PNG"}},
		"composed":           {[]string{"\u00e9", "e\u0301"}, []string{"\u00e9", "e\u0301 (2)"}},
		"number is taken":    {[]string{"a (2)", "a", "a"}, []string{"a (2)", "a", "a (3)"}},
		"folders of one":     {[]string{"Dir/a", "dir/b", "DIR/A"}, []string{"Dir/a", "Dir/b", "Dir/A (2)"}},
		"file then folder":   {[]string{"a", "a/b", "a/c"}, []string{"a", "a (2)/b", "a (2)/c"}},
		"folder then file":   {[]string{"a/b", "A"}, []string{"a/b", "A (2)"}},
		"below renamed":      {[]string{"a", "A/b/c", "a/B/d"}, []string{"a", "A (2)/b/c", "A (2)/b/d"}},
		"numbered then real": {[]string{"a", "a/x", "a (2)"}, []string{"a", "a (2)/x", "a (2) (2)"}},
	} {
		t.Run(name, func(t *testing.T) {
			set := newPathSet(0)
			var got []string
			for _, p := range c.in {
				got = append(got, set.reserve(p))
			}
			assert.Equal(t, c.want, got)
		})
	}
}

func TestManyItemsOfOneNameGetDistinctPaths(t *testing.T) {
	set, seen := newPathSet(0), map[string]bool{}
	for range 100_000 {
		seen[set.reserve("same.bin")] = true
	}
	assert.Len(t, seen, 100_000)
}

func TestHarmlessNamesAreSafe(t *testing.T) {
	for _, p := range []string{"a.txt", "0001-0006-DEADBEEF.png", "a", "_x-9.tar.gz"} {
		assert.True(t, isSafe(p), p)
		assert.Equal(t, p, SafeName(p))
	}
	for _, p := range []string{"", ".", "..", ".a", "a.", "a/b", "con", "CON.txt", "com1.x", "ä", "a b",
		strings.Repeat("x", 300)} {
		assert.False(t, isSafe(p), p)
	}
}

func TestHashSetAgreesWithAMap(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	numbers := 20_000
	if testing.Short() {
		numbers = 4_000
	}
	for _, room := range []int{0, 1000} {
		s, want := newHashes(room), map[uint64]bool{}
		for range numbers {
			h := random.Uint64N(1 << random.IntN(64)) // some repeat
			if random.IntN(10) == 0 {
				h = math.MaxUint64 - h%8 // in the last slots, after which the first follows
			}
			h = max(h, 1)
			require.Equal(t, want[h], s.has(h))
			require.Equal(t, !want[h], s.add(h))
			require.True(t, s.has(h))
			want[h] = true
		}
		require.Equal(t, len(want), s.n)
	}
	s := newHashes(0)
	require.True(t, s.add(0))
	require.False(t, s.add(1), "0 is stored as 1")
}
