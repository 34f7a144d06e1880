// Package ppac reads the PhoenixLAB Packaged Asset Container, version 4.0: assets with a type, a purpose and a unique
// id each (a TPU), optionally compressed, with an index, key/value metadata and lists of deleted regions.
//
// Two revisions call themselves 4.0. The published one is the "PPAC File Specification, Version 4.0" of September 2014
// by Vincent Zhang; every asset of it stands in a DATA ENTRY with two times and metadata of its own. The later one is
// what the Java library PhoenixPAC (github.com/vincentzhang96/PhoenixPAC) writes: guards after the sections, SHA-256
// instead of Adler-32, bare assets, metadata by TPU. Which one a file is, and how wide its numbers are, is decided by
// what fits its bytes (layout.go), because the two give the same flag bits different meanings and the published
// document contradicts itself about sizes: a record of the index is read with and without the memory size that its
// stated totals need, and sizes and Adler-32 sums are accepted in each reading that the text allows.
//
// An asset is checked against its recorded sum when it is verified, and when its element is looked at if it is small:
// at most 64 KiB, and in files of more than 4,096 entries at most 256 MiB divided by the number of entries, so that a
// walk over the whole structure reads a bounded number of contents. Adler-32 may be over the stored bytes, the whole
// DATA ENTRY or the expanded content; a vote of up to 16 small assets decides for the file.
//
// Nothing is kept for an entry but its place in the order of the file, and that only if the index has another order.
//
// Not supported: other major versions (only the version is shown), compressions other than DEFLATE (the stored bytes
// can be had), finding assets without an index.
package ppac
