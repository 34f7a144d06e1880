package casset

import (
	"bytes"
	"context"
	"io"
	"testing"
	"time"

	"assay/model"
)

// The targets, one a generation, hold that any bytes end soon with a tree whose leaves own what is accounted.
func fuzz(f *testing.F, layouts ...Layout) {
	for _, l := range layouts {
		f.Add(Write(l, small()))
		f.Add(Write(l, Sample()))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<16 {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		doc, err := Open(ctx, model.NewSource("fuzz.casset", bytes.NewReader(b), int64(len(b))))
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
	fuzz(f, Package01, Package10, Package11, Package12, Package12Primary, Package12Late)
}

func FuzzMaps2(f *testing.F) { fuzz(f, Package20, Bundle20) }

func FuzzPublished3(f *testing.F) {
	fuzz(f, Bundle30Published, Bundle30PublishedGap, Bundle30PublishedBare)
}

func FuzzBundle3(f *testing.F) { fuzz(f, Bundle30First, Bundle30R1118, Bundle30) }
