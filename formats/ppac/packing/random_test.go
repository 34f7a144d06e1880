package packing

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/formats/ppac/ppactest"
	"assay/model"
)

// random makes packages that have much in common.
type random struct {
	*rand.Rand
	later bool
}

// layout returns one of those of the revision.
func (r *random) layout() ppactest.Layout {
	if r.later {
		return ppactest.Layout{Later: true}
	}
	return []ppactest.Layout{narrow, wide, {}, {SizeWidth: 8, PositionWidth: 4}}[r.IntN(4)]
}

func (r *random) asset(unique uint32) ppactest.Asset {
	a := ppactest.Asset{TPU: ppactest.NewTPU(uint16(r.IntN(2)), 0, unique), Created: r.Int64N(3),
		Modified: r.Int64N(3), Content: bytes.Repeat([]byte{byte('a' + r.IntN(3))}, 20*r.IntN(3))}
	if r.IntN(2) == 0 {
		a.Metadata = ppactest.Pairs("filename", fmt.Sprint("f", r.IntN(2)))
	}
	if r.IntN(3) == 0 {
		a.Codec = ppactest.Zlib
	}
	return a
}

// changed returns a package that was made of another: assets are left out, changed, added, some under a TPU that is
// taken, and stand in another order.
func (r *random) changed(from ppactest.Archive) ppactest.Archive {
	a := ppactest.Archive{Layout: r.layout(), Modified: r.Int64N(9), NoSums: r.later && r.IntN(2) == 0,
		AdlerOverEntry: !r.later && r.IntN(4) == 0, Metadata: ppactest.Pairs("of", fmt.Sprint(r.IntN(2))),
		Assets: []ppactest.Asset{r.asset(9)}}
	for _, x := range from.Assets {
		switch tpu := x.TPU; r.IntN(7) {
		case 0:
			continue
		case 1:
			x = r.asset(0)
			x.TPU = tpu
		case 2:
			x.Modified++
		case 3:
			x.Metadata = ppactest.Pairs("filename", "z")
		}
		a.Assets = append(a.Assets, x)
	}
	for range r.IntN(3) {
		a.Assets = append(a.Assets, r.asset(uint32(r.IntN(9))))
	}
	r.Shuffle(len(a.Assets), func(i, k int) { a.Assets[i], a.Assets[k] = a.Assets[k], a.Assets[i] })
	return a
}

// visible returns what a program sees of a package: the assets by their keys, in words.
func visible(t *testing.T, d *model.Document) map[string]string {
	t.Helper()
	f, err := fileOf(t.Context(), d)
	require.NoError(t, err)
	assets := make(map[string]string)
	for i := range f.Len() {
		a, err := f.Asset(i)
		require.NoError(t, err)
		in, err := d.Payloads.At(i).Open(t.Context())
		require.NoError(t, err)
		content, err := io.ReadAll(in)
		require.NoError(t, err)
		require.NoError(t, in.Close())
		metadata, err := encodedMetadata(f, &a)
		require.NoError(t, err)
		if f.Layout.Later && len(metadata) == 12 {
			metadata = nil // a block without an entry says no more than none
		}
		assets[a.Entry.TPU.String()] = fmt.Sprintf("%d %q %q, %d, %d", a.Entry.Compression, content, metadata, a.Created,
			a.Modified)
	}
	return assets
}

// reopened opens what is written of a packing, in which no sum is wrong; some packages have none.
func reopened(t *testing.T, p model.ArchivePlan) *model.Document {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, p.Write(t.Context(), &out))
	d := opened(t, out.Bytes())
	for i := range p.Len() {
		v, said, err := d.Payloads.At(i).Verify(t.Context())
		require.NoError(t, err)
		require.NotEqual(t, model.Invalid, v, said)
	}
	return d
}

// A patch over what it was made for shows what it leads to, and a merge shows what was picked; no sum is wrong.
func TestRandomPackages(t *testing.T) {
	for seed := range uint64(60) {
		r := &random{Rand: rand.New(rand.NewPCG(seed, 0)), later: seed%2 == 0}
		base := r.changed(ppactest.Archive{})
		docs, shown := make([]*model.Document, 3), make([]map[string]string, 3)
		for v, a := range []ppactest.Archive{base, r.changed(base), r.changed(base)} {
			docs[v] = opened(t, written(t, a))
			shown[v] = visible(t, docs[v])
		}
		p, err := patch(t.Context(), docs[0], docs[1])
		require.NoError(t, err)
		all, err := stack(t.Context(), []*model.Document{docs[0], reopened(t, p)})
		require.NoError(t, err)
		patched := visible(t, reopened(t, all))
		for _, key := range p.Removed {
			require.NotContains(t, shown[1], key, "seed %d", seed)
			delete(patched, key)
		}
		require.Equal(t, shown[1], patched, "seed %d", seed)

		m, err := merge(t.Context(), docs[0], docs[1], docs[2])
		require.NoError(t, err)
		picks, want := make([]model.Pick, len(m.Assets)), shown[model.Mine]
		for i, a := range m.Assets {
			key := m.Key(i)
			require.Equal(t, shown[0][key] != shown[1][key] || shown[0][key] != shown[2][key], a.Changed != byNone)
			picks[i].Version = model.Version(r.IntN(3))
			if want[key] = shown[picks[i].Version][key]; want[key] == "" {
				delete(want, key)
			}
		}
		merged, err := m.Plan(t.Context(), picks, model.Base)
		require.NoError(t, err)
		require.Equal(t, want, visible(t, reopened(t, merged)), "seed %d", seed)
	}
}
