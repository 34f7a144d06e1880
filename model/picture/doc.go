// Package picture reads picture files: PNG, JPEG, GIF, BMP, TIFF, WebP, ICO, TGA, DDS, PVR, SVG, OpenEXR and Radiance
// HDR. What a file claims is looked at before anything is allocated: a picture of a few bytes that would fill the
// memory is a sentence, not a crash.
package picture
