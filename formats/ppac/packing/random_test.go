package packing

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/ppac/ppactest"
	"assay/model"
)

// randomPackages makes packages of small assets in one revision.
type randomPackages struct {
	*rand.Rand
	later bool
}

func (r randomPackages) asset(unique uint32) ppactest.Asset {
	a := ppactest.Asset{TPU: ppactest.NewTPU(uint16(r.IntN(2)), 0, unique), Created: r.Int64N(3),
		Modified: r.Int64N(3), Content: bytes.Repeat([]byte{"abc"[r.IntN(3)]}, r.IntN(3)*20)}
	if r.IntN(2) == 0 {
		a.Metadata = ppactest.Pairs("filename", fmt.Sprint("f", r.IntN(2)))
	}
	if r.IntN(3) == 0 {
		a.Codec = ppactest.Zlib
	}
	return a
}

// archive returns a package of assets in some layout.
func (r randomPackages) archive(assets ...ppactest.Asset) ppactest.Archive {
	a := ppactest.Archive{Layout: ppactest.Layout{Later: true}, Modified: r.Int64N(9), Assets: assets}
	if !r.later {
		a.Layout = []ppactest.Layout{narrow, wide, {SizeWidth: 8, PositionWidth: 4}}[r.IntN(3)]
	}
	a.NoSums, a.AdlerOverEntry = r.IntN(2) == 0, r.IntN(4) == 0
	if r.IntN(2) == 0 {
		a.Metadata = ppactest.Pairs("m", fmt.Sprint(r.IntN(2)))
	}
	return a
}

// first returns a package from which others are made.
func (r randomPackages) first() ppactest.Archive {
	assets := []ppactest.Asset{r.asset(0)}
	for u := range uint32(r.IntN(5)) {
		assets = append(assets, r.asset(u+1))
	}
	return r.archive(assets...)
}

// next returns a package made from another: assets are removed, changed and added, some TPUs are there twice.
func (r randomPackages) next(base ppactest.Archive) ppactest.Archive {
	assets := []ppactest.Asset{r.asset(9)}
	for _, a := range base.Assets {
		switch r.IntN(7) {
		case 0:
			continue
		case 1:
			tpu := a.TPU
			a = r.asset(0)
			a.TPU = tpu
		case 2:
			a.Modified++
		case 3:
			a.Metadata = ppactest.Pairs("filename", "z")
		}
		assets = append(assets, a)
	}
	for range r.IntN(3) {
		assets = append(assets, r.asset(uint32(r.IntN(9))))
	}
	r.Shuffle(len(assets), func(i, j int) { assets[i], assets[j] = assets[j], assets[i] })
	return r.archive(assets...)
}

// seenAsset is what a program sees of an asset; without one it is the zero value.
type seenAsset struct {
	content, metadata string
	created, modified int64
}

// visibleAssets returns the assets that a program which loads a package sees, by TPU. All must match their sums.
func visibleAssets(t *testing.T, d *model.Document) map[string]seenAsset {
	t.Helper()
	all := map[string]seenAsset{}
	f, err := fileOf(t.Context(), d)
	require.NoError(t, err)
	for i := range f.Len() {
		a, err := f.Asset(i)
		require.NoError(t, err)
		v, said, err := a.Verify(t.Context())
		require.NoError(t, err)
		require.NotEqual(t, model.Invalid, v, said)
		r, err := d.Payloads.At(i).Open(t.Context())
		require.NoError(t, err)
		content, err := io.ReadAll(r)
		require.NoError(t, err)
		metadata, err := encodedMetadata(f, &a)
		require.NoError(t, err)
		all[a.Entry.TPU.String()] = seenAsset{fmt.Sprint(a.Entry.Compression, content), string(metadata), a.Created,
			a.Modified}
	}
	return all
}

// isOld reports whether an asset is as it was, but for its times.
func (s seenAsset) isOld(old seenAsset) bool {
	return s.content == old.content && s.metadata == old.metadata
}

// TestRandomPackagesArePatchedAndMerged tests the promises of model.Packer about patches and merges, for random
// packages.
func TestRandomPackagesArePatchedAndMerged(t *testing.T) {
	seeds := uint64(1000)
	if testing.Short() {
		seeds = 60
	}
	for seed := range seeds {
		r := randomPackages{rand.New(rand.NewPCG(seed, 1)), seed%2 == 0}
		base := r.first()
		var docs []*model.Document
		for _, a := range []ppactest.Archive{base, r.next(base), r.next(base)} {
			docs = append(docs, openBytes(t, encode(t, a)))
		}
		require.True(t, t.Run(fmt.Sprint(seed), func(t *testing.T) {
			patchHasAll(t, docs[model.Base], docs[model.Mine])
			mergeHasPicks(t, r, docs)
		}))
	}
}

// patchHasAll tests that a patch over the old package has the assets of the new one, and those that it lists as
// removed.
func patchHasAll(t *testing.T, old, new *model.Document) {
	p, err := patch(t.Context(), old, new)
	require.NoError(t, err)
	s, err := stack(t.Context(), []*model.Document{old, openBytes(t, bytesOf(t, p))})
	require.NoError(t, err)
	got, want, before := visibleAssets(t, openBytes(t, bytesOf(t, s))), visibleAssets(t, new), visibleAssets(t, old)
	for _, key := range p.Removed {
		require.NotContains(t, want, key)
		want[key] = before[key]
	}
	assert.Equal(t, want, got)
}

// mergeHasPicks tests that each change has its author, and that the merged package has the picks and the unchanged
// assets, in the order of mine.
func mergeHasPicks(t *testing.T, r randomPackages, docs []*model.Document) {
	m, err := merge(t.Context(), docs[model.Base], docs[model.Mine], docs[model.Theirs])
	require.NoError(t, err)
	var all [3]map[string]seenAsset
	for v, d := range docs {
		all[v] = visibleAssets(t, d)
	}
	base, mine, theirs := all[model.Base], all[model.Mine], all[model.Theirs]
	picks, want := make([]model.Pick, len(m.Assets)), mine
	changed := map[string]bool{}
	for i, a := range m.Assets {
		key := m.Key(i)
		changed[key] = true
		byMine, byTheirs := !mine[key].isOld(base[key]), !theirs[key].isOld(base[key])
		if byMine || byTheirs {
			assert.Equal(t, [3]bool{false, byMine, byTheirs}, a.Changed, key)
			assert.Equal(t, a.Changed == byBoth && mine[key].isOld(theirs[key]), a.Changed == byBoth && a.SameChange)
		}
	}
	for _, version := range all {
		for key := range version {
			same := base[key] == mine[key] && base[key] == theirs[key]
			require.Equal(t, !same, changed[key], key)
		}
	}
	for i := range m.Assets {
		picks[i].Version = model.Version(r.IntN(3))
		key := m.Key(i)
		if picked, exists := all[picks[i].Version][key]; exists {
			want[key] = picked
		} else {
			delete(want, key)
		}
	}
	p, err := m.Plan(t.Context(), picks, model.Version(r.IntN(3)))
	require.NoError(t, err)
	merged := openBytes(t, bytesOf(t, p))
	assert.Equal(t, want, visibleAssets(t, merged))
	if _, isTheirs := p.(verbatim); !isTheirs {
		notIn := func(keys []string) func(string) bool {
			return func(key string) bool { return !slices.Contains(keys, key) }
		}
		before, after := keys(t, docs[model.Mine]), keys(t, merged)
		assert.Equal(t, slices.DeleteFunc(slices.Clone(before), notIn(after)), slices.DeleteFunc(after, notIn(before)))
	}
}

// keys returns the keys of the assets that a program sees, in the order of the index.
func keys(t *testing.T, d *model.Document) []string {
	t.Helper()
	all := []string{}
	f, err := fileOf(t.Context(), d)
	require.NoError(t, err)
	for i := range f.Len() {
		key := f.Entry(i).TPU.String()
		all = append(slices.DeleteFunc(all, func(k string) bool { return k == key }), key)
	}
	return all
}
