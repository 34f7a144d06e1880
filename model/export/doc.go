// Package export takes assets out of files: a Plan says what would be written where, its Run writes it, and the Report
// reports the result for each asset.
//
// No name leads out of the target folder, whatever an asset calls itself and whatever links lie in the folder. A file
// appears under its final name only when it is complete; before that it has no name or, where a system cannot do that,
// is called .assay-*.part, which is all that a killed program leaves. The next write into the folder removes that. What
// goes wrong with one asset is a problem of that asset: the rest is exported.
//
// It also writes archives, of the files in a folder and of what an ArchivePlan copies from others, and reads each back
// before it gets its name.
package export
