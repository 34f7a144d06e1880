// Package picture reads picture files. What a file claims is looked at before anything is allocated: a picture of a few
// bytes that would fill the memory is a sentence, not a crash.
//
//	format     read by                      what is not read, and limits of its own
//	PNG        image/png                    the frames of an animation after the first
//	JPEG       image/jpeg                   arithmetic coding; 12 bits
//	GIF        image/gif, frames here       after 2,000 frames, the first alone
//	BMP        golang.org/x/image/bmp       run-length encoding, 16 bits
//	TIFF       golang.org/x/image/tiff      pages after the first, JPEG inside, floating point
//	WebP       golang.org/x/image/webp,     animations
//	           colors of VP8 here
//	ICO, CUR   fyne-io/image/ico, PNG       after 64 pictures; 1,024 pixels a side
//	SVG        fyne-io/oksvg and rasterx    texts, filters, patterns, clip paths; 4 MiB, 50,000 elements with those that
//	                                        use repeats, 256 within each other, 64 colors of a gradient, 64 dashes of a
//	                                        line, 48 Mi steps of drawing: see svg.go
//	TGA        here                         -
//	DDS        here                         after 4,096 pictures
//	PVR        here                         PVRTC-II, ETC; pictures after the first
//	OpenEXR    here                         several parts, deep data, B44 and DWA
//	HDR        here                         XYZE, rows from the bottom
//
// All are recognised by what they begin with, whatever their names. Only a TGA has no mark there: its header must make
// sense throughout, or its name or its footer must say what it is. All are bounded: 64 MiB of a file, 64 Mi pixels, and
// 256 MiB of memory for the decoder, which is fewer pixels where one takes more of it.
//
// Pixels are read as graphics processors have them: of 8, 16 and 32 bits a channel, and in the block compressions BC1
// to BC7, ATC and PVRTC.
package picture
