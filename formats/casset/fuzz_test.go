package casset

import (
	"bytes"
	"io"
	"testing"

	"assay/formats/casset/cassettest"
	"assay/model"
)

// The targets, one a generation, hold that any bytes end soon with a tree whose leaves own what is accounted.
func fuzz(f *testing.F, layouts ...cassettest.Layout) {
	for _, l := range layouts {
		f.Add(cassettest.Write(l, smallContent()))
		f.Add(cassettest.Write(l, cassettest.Sample()))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<16 {
			return
		}
		ctx := t.Context()
		doc, err := openDocument(ctx, model.NewSource("fuzz.casset", bytes.NewReader(b), int64(len(b))),
			newBundleFiles())
		if err != nil {
			t.Fatal(err)
		}
		r, err := doc.Check(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		gaps := int64(0)
		for _, g := range r.Gaps {
			gaps += g.Size
		}
		if r.Accounted+gaps != int64(len(b)) {
			t.Fatalf("%d accounted and %d in gaps of %d", r.Accounted, gaps, len(b))
		}
		if err := doc.Dump(ctx, io.Discard, r); err != nil {
			t.Fatal(err)
		}
		for i := range min(doc.Payloads.Len(), 20) {
			_ = doc.Payloads.At(i)
		}
		for _, g := range doc.Groups {
			if _, err := g.Build(ctx); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func FuzzPackage1(f *testing.F) {
	fuzz(f, cassettest.Package01, cassettest.Package10, cassettest.Package11, cassettest.Package12,
		cassettest.Package12Primary, cassettest.Package12Late)
}

func FuzzMaps2(f *testing.F) { fuzz(f, cassettest.Package20, cassettest.Bundle20) }

func FuzzPublished3(f *testing.F) {
	fuzz(f, cassettest.Bundle30Published, cassettest.Bundle30PublishedGap, cassettest.Bundle30PublishedBare)
}

func FuzzBundle3(f *testing.F) {
	fuzz(f, cassettest.Bundle30First, cassettest.Bundle30R1118, cassettest.Bundle30)
}
