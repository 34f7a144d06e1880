// Package ppac reads the PhoenixLAB Packaged Asset Container, version 4.0: assets with a type, a purpose and a unique
// id each (a TPU), optionally compressed, with an index, key/value metadata and lists of deleted regions.
//
// Two revisions call themselves 4.0. The published one is the "PPAC File Specification, Version 4.0" of September 2014
// by Vincent Zhang; every asset of it stands in a DATA ENTRY with two times and metadata of its own. The later one is
// what the Java library PhoenixPAC (github.com/vincentzhang96/PhoenixPAC) writes: guards after the sections, SHA-256
// instead of Adler-32, bare assets, metadata by TPU.
//
// The files, in the order of the published document:
//
//	ppac.go       byte order, names of types, guards       tpu.go        the TPU that identifies an asset
//	header.go     HEADER, FLAGS, Layout                    section.go    the sections that the header leads to
//	index.go      INDEX                                    entry.go      INDEX ENTRY
//	metadata.go   METADATA, METADATA ENTRY, blocks         trash.go      TRASH INDEX, TRASH ENTRY
//	asset.go      DATA ENTRY
//
// and what is made of them:
//
//	open.go       from a file to its document              choose.go     which revision, and how wide numbers are
//	recovery.go   how many index entries there are         spanindex.go  assets in the order of the file
//	codec.go      how content is stored                    stream.go     and is expanded
//	check.go      content against checksums and sizes      verify.go     and what Payload.Verify makes of it
//	sum.go        what a checksum is over                  vote.go       and how the assets decide it
//	results.go    results of checks that are kept          payload.go    assets as they leave the file
//	view.go       what people see: kinds, table, groups    compare.go    what a comparison sees
//	types.go      registered type ids                      format.go     the entry of the table of formats
//
// To follow one asset: entry.go reads its index entry, asset.go its bytes, stream.go expands them.
//
// Which revision a file is, and how wide its numbers are, is decided by what fits its bytes, because the two give the
// same flag bits different meanings and the published document contradicts itself about sizes: an index entry is read
// with and without the memory size that its stated totals need, and sizes and Adler-32 sums are accepted in each
// reading that the text allows.
//
// An asset is checked when it is verified, and when its element is looked at if it is small: at most 64 KiB, and in
// files of more than 4,096 entries at most 256 MiB divided by the number of entries, so that a walk over the whole
// structure reads a bounded number of contents. Adler-32 may be over the stored bytes, the whole DATA ENTRY or the
// expanded content; a vote of up to 16 small assets decides for the file. Content is never expanded further than the
// size that the index has; without one, to model.MostExpanded.
//
// Nothing is kept for an entry but its place in the order of the file, and that only if the index has another order.
//
// Not supported: other major versions (only the version is shown), compressions other than DEFLATE (the stored bytes
// can be had), finding assets without an index.
package ppac
