package cli

import (
	"archive/zip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"sync"

	"assay/model"
)

// contentChecks caches the problems that deep verification found in the contents of a document. Assets with the same
// content, of which hostile files have thousands, are checked once, unless it is short.
type contentChecks struct {
	r     *Runner
	d     *model.Document
	mu    sync.Mutex
	cache map[contentKey][]model.Problem
}

// contentKey identifies the content of an asset: the position of its bytes, and how they are expanded.
type contentKey struct {
	stored model.Span
	codec  string
	size   int64
}

// Limits of the cache. Short contents are not cached, since checking them again is faster.
const (
	minCachedSize     = 16 << 10 // minimum size of a cached content, in bytes
	maxCachedContents = 1 << 14  // maximum number of cached contents
)

// check returns the problems in the content of an asset.
func (c *contentChecks) check(ctx context.Context, p *model.Payload) ([]model.Problem, error) {
	key := contentKey{p.Stored, p.Codec, p.Size}
	c.mu.Lock()
	cached, ok := c.cache[key]
	c.mu.Unlock()
	if ok {
		found := slices.Clone(cached)
		for i := range found {
			found[i].Path = problemOf(p, "").Path
		}
		return found, nil
	}
	found, err := c.r.checkContent(ctx, c.d, p)
	if err == nil && (p.Size < 0 || max(p.Size, p.Stored.Size) >= minCachedSize) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if len(c.cache) < maxCachedContents {
			c.cache[key] = found
		}
	}
	return found, err
}

// checkContent opens the content of an asset if it is a file that can be checked: one of a supported format, a PNG
// picture, or a ZIP archive. It returns the problems as problems of the asset. The error is the context's.
func (r *Runner) checkContent(ctx context.Context, d *model.Document, p *model.Payload) ([]model.Problem, error) {
	if p.Problem != "" || p.Open == nil {
		return nil, nil
	}
	src, err := d.Nested(ctx, p, model.ExpandLimit)
	if err != nil {
		return nil, ctx.Err() // verifyPayloads reports it, if the asset has a checksum
	}
	defer src.Close()
	head, err := src.Bytes(model.Span{Size: min(8, src.Size())})
	if err != nil {
		return nil, ctx.Err()
	}
	switch {
	case string(head) == "\x89PNG\r\n\x1a\n":
		err = checkPNG(ctx, src)
	case len(head) >= 4 && string(head[:4]) == "PK\x03\x04":
		err = checkZIP(ctx, src)
	default:
		return r.checkInnerFile(ctx, src, p)
	}
	if err == nil || ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return []model.Problem{problemOf(p, "its content: "+err.Error())}, nil
}

// checkInnerFile checks the content of an asset that is a file of a supported format.
func (r *Runner) checkInnerFile(ctx context.Context, src *model.Source, p *model.Payload) ([]model.Problem, error) {
	if r.OpenSource == nil || src.Size() == 0 {
		return nil, nil
	}
	inner, err := r.OpenSource(ctx, src)
	if err != nil || inner.Format == model.UnknownFormat {
		return nil, ctx.Err()
	}
	report, err := inner.Check(ctx, nil)
	if err == nil {
		_, err = r.verifyPayloads(ctx, inner, report, false)
	}
	if err != nil {
		return nil, err
	}
	var found []model.Problem
	for _, q := range report.Problems {
		if q.Severity > model.Note {
			problem := problemOf(p, fmt.Sprintf("its content, %s at %#x: %s", q.Path, q.Span.Offset, q.Message))
			problem.Severity = q.Severity
			found = append(found, problem)
		}
	}
	return found, nil
}

// checkPNG compares the CRC of each chunk.
func checkPNG(ctx context.Context, src *model.Source) error {
	for offset := int64(8); offset < src.Size(); {
		if err := ctx.Err(); err != nil {
			return err
		}
		head, err := src.Bytes(model.Span{Offset: offset, Size: min(8, src.Size()-offset)})
		if err != nil {
			return err
		}
		if len(head) < 8 {
			return fmt.Errorf("the PNG ends in the middle of a chunk at %#x", offset)
		}
		body := model.Span{Offset: offset + 8, Size: int64(binary.BigEndian.Uint32(head))}
		if body.Size > src.Size()-body.Offset-4 {
			return fmt.Errorf("the PNG chunk %q at %#x does not fit in the file", head[4:], offset)
		}
		h := crc32.NewIEEE()
		_, _ = h.Write(head[4:])
		if _, err := io.Copy(h, src.Reader(body)); err != nil {
			return err
		}
		sum, err := src.Bytes(model.Span{Offset: body.End(), Size: 4})
		if err != nil {
			return err
		}
		if h.Sum32() != binary.BigEndian.Uint32(sum) {
			return fmt.Errorf("the CRC of the PNG chunk %q at %#x does not match", head[4:], offset)
		}
		if string(head[4:]) == "IEND" {
			return nil
		}
		offset = body.End() + 4
	}
	return errors.New("the PNG has no IEND chunk")
}

// checkZIP reads every member, which compares its CRC.
func checkZIP(ctx context.Context, src *model.Source) error {
	z, err := zip.NewReader(src, src.Size())
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return err
	}
	budget := int64(model.ExpandLimit)
	for _, m := range z.File {
		if err := ctx.Err(); err != nil {
			return err
		}
		r, err := m.Open()
		if errors.Is(err, zip.ErrAlgorithm) {
			continue // encrypted, or an unsupported compression
		}
		var n int64
		if err == nil {
			n, err = io.Copy(io.Discard, io.LimitReader(r, budget+1))
			r.Close()
		}
		if err != nil {
			return fmt.Errorf("%s in the ZIP: %w", model.OneLine(m.Name, 200), err)
		}
		if budget -= n; budget < 0 {
			return errors.New("the ZIP expands to more than 4 GiB")
		}
	}
	return nil
}
