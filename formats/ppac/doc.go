// Package ppac reads the PhoenixLAB Packaged Asset Container, version 4.0: assets with a type, a purpose and a unique
// id each (a TPU), optionally compressed, with an index, key/value metadata and lists of deleted regions.
//
// Two revisions call themselves 4.0. The published one is the "PPAC File Specification, Version 4.0" of September 2014
// by Vincent Zhang; every asset of it stands in a DATA ENTRY with two times and metadata of its own. The later one is
// what the Java library PhoenixPAC (github.com/vincentzhang96/PhoenixPAC) writes: guards after the sections, SHA-256
// instead of Adler-32, bare assets, metadata by TPU.
//
// The files, in the order of the published document, but that DATA ENTRY, its last part, is beside INDEX ENTRY:
//
//	ppac.go       byte order, names of types               tpu.go        the TPU that identifies an asset
//	header.go     HEADER, FLAGS, Layout                    section.go    the sections that the header leads to, guards
//	index.go      INDEX                                    entries.go    index entries, by number or in an order
//	asset.go      INDEX ENTRY and DATA ENTRY: an asset     assets.go     the assets in the order of the file
//	metadata.go   METADATA, METADATA ENTRY, blocks         trash.go      TRASH INDEX, TRASH ENTRY
//
// and what is made of them:
//
//	open.go       from a file to its document              choose.go     which revision, and how wide numbers are
//	container.go  parts of the file, from any goroutine    recovery.go   an index with a wrong count or offset
//	codec.go      how content is stored and is expanded    check.go      content against the index
//	coverage.go   which bytes a checksum is over           results.go    small assets, and results of earlier checks
//	spanindex.go  parts in the order of the file           payload.go    assets as they leave the file
//	types.go      registered type ids                      view.go       what people see: kinds, table, groups
//	fields.go     what each field means                    summaries.go  what a comparison sees
//	format.go     the entry of the table of formats
//
// In rooms of their own: write/ writes containers, packing/ makes them of files and of other containers.
//
// To follow one asset from its bytes to its values: asset.go reads its index entry and the bytes that this names,
// codec.go expands them, check.go compares the content with the index, by the sums that coverage.go says.
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
// size that the index has. Without one, it is checked to model.MostExpanded, and streamed as far as the caller reads.
//
// Nothing is kept for an entry but its place in the order of the file, and that only if the index has another order;
// and once names of the later revision, or assets by their TPUs, are looked up, which metadata block and which entry a
// TPU has.
//
// Not supported: other major versions (only the version is shown), compressions other than DEFLATE (the stored bytes
// can be had), assets without an index: those of the later revision are bare bytes, and a DATA ENTRY has no mark by
// which to find it, no TPU, no compression and no checksum. An index is found without its offset in the header if a
// section or the end of the file follows it, and if it has at most 64 MiB.
package ppac
