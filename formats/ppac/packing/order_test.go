package packing

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/ppac/ppactest"
	"assay/model"
)

// of returns a package of files, as it is made of a folder; the content of each is its name, but for those that are
// changed. The order of the TPUs is none of the names.
func of(changed string, names ...string) ppactest.Archive {
	a := ppactest.Archive{Layout: ppactest.Layout{Later: true}, Flags: 2}
	for _, name := range names {
		content := name
		if name == changed {
			content += ", changed"
		}
		a.Assets = append(a.Assets, ppactest.Asset{TPU: ppactest.NewTPU(1, 0, uint32(name[len(name)-1]*37%64)),
			Content: []byte(content), Metadata: ppactest.Pairs("filename", name)})
	}
	return a
}

// names returns the file names of a package, in the order of its index.
func names(t *testing.T, b []byte) (all []string) {
	t.Helper()
	p := opened(t, b).Payloads
	for i := range p.Len() {
		all = append(all, p.At(i).Name)
	}
	return all
}

func bytesOf(t *testing.T, p model.ArchivePlan) []byte {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, p.Write(t.Context(), &out))
	return out.Bytes()
}

// A patch that is loaded over the old package gives the new one, byte for byte.
func TestALoadedPatchIsTheNewPackage(t *testing.T) {
	for name, test := range map[string]struct{ old, new ppactest.Archive }{
		"changed":          {of("", "d", "b", "a", "c"), of("b", "d", "b", "a", "c")},
		"new between":      {of("", "a", "b/c", "b.d"), of("", "a", "b/c", "b/e", "b.d")},
		"new at the ends":  {of("", "b", "c"), of("", "a", "b", "c", "d")},
		"all are new":      {of(""), of("", "d", "b", "a", "c")},
		"without names":    {nameless(1, 5, 7), nameless(1, 3, 5, 6, 7, 8)},
		"one is not there": {nameless(7, 5, 1), nameless(7, 5, 1)},
	} {
		old, new := written(t, test.old), written(t, test.new)
		p, err := patch(t.Context(), opened(t, old), opened(t, new))
		require.NoError(t, err)
		s, err := stack(t.Context(), []*model.Document{opened(t, old), opened(t, bytesOf(t, p))})
		require.NoError(t, err)
		assert.True(t, bytes.Equal(new, bytesOf(t, s)), name)
	}
}

// nameless is a package of assets without file names.
func nameless(uniques ...uint32) (a ppactest.Archive) {
	for _, u := range uniques {
		a.Assets = append(a.Assets, ppactest.Asset{TPU: ppactest.NewTPU(1, 0, u), Content: []byte{byte(u)}})
	}
	return a
}

// A merged package has the order of mine, with what theirs added where it stands there.
func TestOrderOfMergedPackages(t *testing.T) {
	for _, test := range []struct{ base, mine, theirs, want []string }{
		{[]string{"c", "a"}, []string{"c", "m", "a"}, []string{"c", "t", "a", "u"}, []string{"c", "m", "t", "a", "u"}},
		{[]string{"a", "d"}, []string{"a", "c", "d"}, []string{"a", "b", "d"}, []string{"a", "b", "c", "d"}},
		{[]string{"c", "a"}, []string{"a", "c", "m"}, []string{"c", "a", "b"}, []string{"a", "c", "b", "m"}},
		{[]string{"c", "b", "a"}, []string{"m", "c", "a"}, []string{"c", "b", "t", "a"}, []string{"m", "c", "t", "a"}},
	} {
		m, err := merge(t.Context(), opened(t, written(t, of("", test.base...))),
			opened(t, written(t, of("", test.mine...))), opened(t, written(t, of("", test.theirs...))))
		require.NoError(t, err)
		picks := make([]model.Pick, len(m.Assets))
		for i, a := range m.Assets {
			if picks[i].Version = model.Mine; a.Changed == byTheirs {
				picks[i].Version = model.Theirs
			}
		}
		p, err := m.Plan(t.Context(), picks, model.Mine)
		require.NoError(t, err)
		assert.Equal(t, test.want, names(t, bytesOf(t, p)))
	}
}
