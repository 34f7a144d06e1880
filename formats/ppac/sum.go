package ppac

import (
	"crypto/sha256"
	"hash"

	"assay/model/checksum"
)

// over is which bytes of an asset a checksum is computed over.
type over int

const (
	overStored over = iota
	overEntry
	overContent
	overUnknown // no asset decides it
)

// String returns the name of the bytes in a sentence: "stored bytes".
func (o over) String() string {
	return [...]string{"stored bytes", "whole data entry", "expanded content", "stored bytes, data entry or content"}[o]
}

// sumsOver lists what the recorded checksum of an asset may be over; nothing if none is recorded.
func (f *file) sumsOver(a *asset) []over {
	switch {
	case f.layout.Later && a.ent.SHA256 == [32]byte{}:
		return nil
	case f.layout.Later && a.mayBeCompressed():
		// The library computed it over the content, and over the compressed bytes where it took those from another
		// file.
		return []over{overContent, overStored}
	case f.layout.Later:
		return storedOnly
	}
	switch o := f.adlerOver(); o {
	case overStored:
		return storedOnly
	case overUnknown:
		return []over{overStored, overEntry, overContent}
	default:
		return []over{o}
	}
}

var storedOnly = []over{overStored}

// newHash returns the hash that the index records of a file's assets.
func (f *file) newHash() hash.Hash {
	if f.layout.Later {
		return sha256.New()
	}
	return checksum.NewAdler32()
}

func (f *file) matches(a *asset, sum hash.Hash) bool {
	if f.layout.Later {
		return string(sum.Sum(nil)) == string(a.ent.SHA256[:])
	}
	return sum.(hash.Hash32).Sum32() == a.ent.Adler32
}

func (f *file) sumName() string {
	if f.layout.Later {
		return "SHA-256"
	}
	return "Adler-32"
}
