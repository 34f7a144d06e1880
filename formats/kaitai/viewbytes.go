package kaitai

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay/formats/kaitai/expression"
	"assay/model"
	"assay/model/checksum"
	"assay/model/content"
	"assay/model/sound"
	"assay/model/text"
)

// soundView are samples without a header.
type soundView struct {
	Data     operand `key:"data"`
	Rate     operand `key:"rate"`     // of frames, in Hz
	Channels operand `key:"channels"` // 1 if left out
	Format   operand `key:"format"`   // of samples; s16 if left out
	Formats  choices `key:"formats"`
}

// sampleFormats are the formats of samples: their code in WAV, and their bits. Those that end in be are big-endian.
var sampleFormats = map[string]struct{ code, bits uint16 }{"u8": {1, 8}, "s16": {1, 16}, "s24": {1, 24},
	"s32": {1, 32}, "f32": {3, 32}, "f64": {3, 64}, "alaw": {6, 8}, "mulaw": {7, 8}, "s16be": {1, 16},
	"s24be": {1, 24}, "s32be": {1, 32}, "f32be": {3, 32}, "f64be": {3, 64}}

func (v *soundView) read(r *yamlReader, e entry) error {
	for name := range sampleFormats {
		v.Format.words = append(v.Format.words, name)
	}
	return r.keys(e, v)
}

func (v *soundView) operands() []operand { return []operand{v.Data, v.Rate, v.Channels, v.Format} }

// file returns the samples as a WAV file.
func (v *soundView) file(src *model.Source, n *model.Node) (*model.Source, error) {
	rate, err := v.Rate.number(n)
	channels, errChannels := v.Channels.numberOr(n, 1)
	name := "s16"
	var errFormat error
	if v.Format.isSet() {
		if name, errFormat = v.Format.word(n); errFormat == nil {
			name = strings.ToLower(cmp.Or(v.Formats[name], name))
		}
	}
	if err := cmp.Or(err, errChannels, errFormat); err != nil {
		return nil, err
	}
	format, ok := sampleFormats[name]
	switch {
	case !ok:
		return nil, fmt.Errorf("samples in the format %s are not supported", short(name))
	case rate < 1 || rate > 1<<24 || channels < 1 || channels > 64:
		return nil, fmt.Errorf("%d channels at %d Hz are not possible", channels, rate)
	}
	samples, err := v.Data.bytes(src, n, -1)
	if err != nil {
		return nil, err
	}
	head, order := []byte("RIFF"), binary.AppendByteOrder(binary.LittleEndian)
	if strings.HasSuffix(name, "be") {
		head, order = []byte("RIFX"), binary.BigEndian
	}
	frame := uint32(format.bits/8) * uint32(channels)
	word := func(v uint32) { head = order.AppendUint32(head, v) }
	half := func(v uint16) { head = order.AppendUint16(head, v) }
	word(uint32(36 + len(samples)))
	head = append(head, "WAVEfmt "...)
	word(16)
	half(format.code)
	half(uint16(channels))
	word(uint32(rate))
	word(uint32(rate) * frame)
	half(uint16(frame))
	half(format.bits)
	head = append(head, "data"...)
	word(uint32(len(samples)))
	return sourceOf(n.Name+".wav", head, samples), nil
}

func (*soundView) open(ctx context.Context, file *model.Source) (model.View, error) {
	return sound.Open(ctx, file)
}

type textView struct {
	Data     operand `key:"data"`
	Encoding string  `key:"encoding"` // UTF-8 if left out

	encoding expression.Encoding
}

func (v *textView) read(r *yamlReader, e entry) (err error) {
	if err = r.keys(e, v); err == nil && v.Encoding != "" {
		if v.encoding, err = expression.EncodingOf(v.Encoding); err != nil {
			err = e.fail("%v", err)
		}
	}
	return err
}

func (v *textView) operands() []operand { return []operand{v.Data} }

// file returns the text in UTF-8.
func (v *textView) file(src *model.Source, n *model.Node) (*model.Source, error) {
	b, err := v.Data.bytes(src, n, -1)
	if err == nil && v.Encoding != "" {
		var s string
		s, err = v.encoding.Decode(b)
		b = []byte(s)
	}
	return sourceOf(n.Name+".txt", b), err
}

func (*textView) open(ctx context.Context, file *model.Source) (model.View, error) {
	return text.Open(ctx, file)
}

// checksumView is a checksum of bytes, which verify computes.
type checksumView struct {
	Algorithm string  `key:"algorithm"`
	Value     operand `key:"value"` // a number or bytes
	Data      operand `key:"data"`
}

// algorithms are the checksums by their names in descriptions.
var algorithms = map[string]string{"crc32": "CRC-32", "crc32c": "CRC-32C", "adler32": "Adler-32", "md5": "MD5",
	"sha1": "SHA-1", "sha256": "SHA-256"}

func (v *checksumView) read(r *yamlReader, e entry) error {
	err := r.keys(e, v)
	if err == nil && algorithms[v.Algorithm] == "" {
		err = e.fail("unknown algorithm %q; expected: %s", short(v.Algorithm),
			strings.Join(slices.Sorted(maps.Keys(algorithms)), ", "))
	}
	return err
}

func (v *checksumView) operands() []operand { return []operand{v.Value, v.Data} }

// verify compares the recorded checksum with the checksum of the bytes.
func (v *checksumView) verify(ctx context.Context, src *model.Source, n *model.Node) (model.Verdict, string, error) {
	target, err := v.Value.node(n)
	if err != nil {
		return model.Unknown, "", err
	}
	recorded := ""
	switch value := target.Value.(type) {
	case uint64:
		recorded = fmt.Sprintf("%0*x", 2*target.Size, value)
	case model.Blob:
		b, err := v.Value.bytes(src, n, 64)
		if err != nil {
			return model.Unknown, "", err
		}
		recorded = fmt.Sprintf("%x", b)
	default:
		return model.Unknown, "", fmt.Errorf("%s is not a checksum", short(v.Value.text))
	}
	data, err := v.Data.blob(src, n)
	if err != nil {
		return model.Unknown, "", err
	}
	sums, err := checksum.Compute(ctx, data.Source, data.Span, nil)
	if err != nil {
		return model.Unknown, "", err
	}
	sum := sums[slices.IndexFunc(sums, func(s checksum.Sum) bool { return s.Name == algorithms[v.Algorithm] })]
	if sum.Hex == recorded {
		return model.Valid, "", nil
	}
	return model.Invalid, fmt.Sprintf("its %s is %s, but %s is recorded", sum.Name, sum.Hex, recorded), nil
}

// file returns the bytes that the checksum is of.
func (v *checksumView) file(src *model.Source, n *model.Node) (*model.Source, error) {
	data, err := v.Data.blob(src, n)
	if err != nil {
		return nil, err
	}
	return data.Source.Section(n.Name, data.Span), nil
}

func (*checksumView) open(ctx context.Context, file *model.Source) (model.View, error) {
	return content.View(ctx, file)
}
