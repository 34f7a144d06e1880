package contents

import (
	"cmp"
	"context"
	"fmt"

	"assay/model"
	"assay/model/sound"
)

// maxSamples is the maximum number of compared samples of a sound.
const maxSamples = 32 << 20

// soundChanges returns the changes between two sounds.
func soundChanges(ctx context.Context, old, new *sound.Sound) (s Changes, err error) {
	if old.Format != new.Format {
		s.add(PartChange{Old: fmt.Sprint(old.Format), New: fmt.Sprint(new.Format)})
	}
	if old.Rate != new.Rate {
		s.add(PartChange{Old: model.FormatCount(int64(old.Rate)), New: model.FormatCount(int64(new.Rate)) + " Hz"})
	}
	if old.Channels != new.Channels {
		s.add(PartChange{How: Counted, Field: "channel", N: int64(new.Channels), All: int64(old.Channels)})
	}
	if a, b := old.Length(), new.Length(); a != b && a > 0 && b > 0 {
		s.add(lengthChange(a.Seconds(), b.Seconds()))
	}
	if old.Rate != new.Rate || old.Channels != new.Channels {
		return s, nil
	}
	from, errFrom := samplesOf(ctx, old)
	to, errTo := samplesOf(ctx, new)
	if err := cmp.Or(errFrom, errTo); err != nil {
		return s, err
	}
	changed, largest := 0, float32(0)
	for i := range min(len(from), len(to)) {
		if d := from[i] - to[i]; d != 0 {
			changed++
			largest = max(largest, d, -d)
		}
	}
	if changed > 0 {
		s.add(PartChange{How: Changed, Field: "samples", N: int64(changed), All: int64(max(len(from), len(to))),
			Note: fmt.Sprintf("maximum difference %.2g of full scale", largest)})
	}
	return s, nil
}

// samplesOf reads a sound, as much of it as is compared.
func samplesOf(ctx context.Context, s *sound.Sound) (values []float32, err error) {
	err = s.Samples(ctx, 0, func(p []float32) bool {
		values = append(values, p...)
		return len(values) < maxSamples
	})
	return values, err
}

// lengthChange returns the change of a length in seconds: to the millisecond, or as exact as needed to see it.
func lengthChange(old, new float64) PartChange {
	p := PartChange{Field: "length"}
	for digits := 3; p.Old == p.New && digits <= 9; digits += 3 {
		p.Old, p.New = secondsText(old, digits), secondsText(new, digits)
	}
	return p
}
