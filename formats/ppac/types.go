package ppac

import (
	"fmt"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

// Extensions are the library's registered types (StdPacTypeIDs): the present ones, then types of 2015 to January 2017.
// They are advice: a file may give a picture another type.
var Extensions = decode.Names{
	0x0001: "bin",
	0x0100: "txt", 0x0101: "xml", 0x0102: "json", 0x0103: "yaml", 0x0104: "css", 0x0105: "csv", 0x0106: "html",
	0x0107: "vert", 0x0108: "frag", 0x0109: "geom", 0x010A: "tesc", 0x010B: "tese",
	0x0200: "png", 0x0201: "gif", 0x0202: "jpg", 0x0203: "tif", 0x0204: "bmp", 0x0205: "ico", 0x0206: "dds",
	0x0300: "mp3", 0x0301: "m4a", 0x0302: "ogg", 0x0303: "wav", 0x0304: "aac",
	0x0400: "h264", 0x0401: "mp4", 0x0402: "ogv", 0x0403: "webm",
	0x0500: "ttf", 0x0501: "otf",
	0x0600: "zip", 0x0601: "tar", 0x0602: "bz", 0x0603: "bz2", 0x0604: "7z", 0x0605: "pac",
	0x0700: "exe", 0x0701: "jar", 0x0702: "class", 0x0703: "lua", 0x0704: "luac",

	0x0002: "txt", 0x0003: "xml", 0x0004: "json", 0x0005: "yaml", 0x0006: "css", 0x0007: "csv", 0x0008: "html",
	0x0009: "png", 0x000A: "gif", 0x000B: "jpg", 0x000C: "tif", 0x000D: "bmp", 0x000E: "ico",
	0x000F: "mp3", 0x0010: "m4a", 0x0011: "ogg", 0x0012: "wav", 0x0013: "aac",
	0x0014: "h264", 0x0015: "mp4", 0x0016: "ogv", 0x0017: "webm",
	0x0018: "ttf", 0x0019: "otf",
	0x001A: "zip", 0x001B: "tar", 0x001C: "bz", 0x001D: "bz2", 0x001E: "7z", 0x001F: "pac",
	0x0020: "exe", 0x0021: "jar", 0x0022: "class",
	0x0030: "properties", 0x0031: "strings",
}

// typesByExtension are the registered types by the extensions of files; of two, the present one.
var typesByExtension = func() map[string]uint16 {
	types := map[string]uint16{"jpeg": 0x0202, "tiff": 0x0203, "yml": 0x0103, "htm": 0x0106, "ppac": 0x0605}
	for id, extension := range Extensions {
		types[extension] = max(types[extension], uint16(id))
	}
	return types
}()

// TypeOf returns the registered type of files with an extension, which begins with its dot.
func TypeOf(extension string) (id uint16, ok bool) {
	id, ok = typesByExtension[strings.ToLower(strings.TrimPrefix(extension, "."))]
	return id, ok
}

// isText reports whether a registered type is a text's.
func isText(extension string) bool {
	switch extension {
	case "txt", "xml", "json", "yaml", "css", "csv", "html", "vert", "frag", "geom", "tesc", "tese", "lua", "properties",
		"strings":
		return true
	}
	return false
}

// isUnmarked reports whether files of a registered type may have no signature.
func isUnmarked(extension string) bool {
	switch extension {
	case "bin", "mp3", "m4a", "aac", "h264", "tar", "bz":
		return true
	}
	return false
}

var typeNames = func() decode.Names {
	n := decode.Names{0: model.UnknownType}
	for id, ext := range Extensions {
		n[id] = ext
	}
	return n
}()

func typeName(id uint16) string {
	if s, ok := typeNames[uint64(id)]; ok {
		return s
	}
	if id >= 0x8000 {
		return "private"
	}
	return "unregistered"
}

// typeLabel returns a type with its number, as a group of the index is called.
func typeLabel(id uint16) string { return fmt.Sprintf("%04X %s", id, typeName(id)) }
