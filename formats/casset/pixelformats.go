package casset

import "assay/model/pixels"

// The engine's numberings of pixel formats: since February 2024, the one before, and that of its rendering assets. Of
// the formats in a row, the first is what the number says, and the others are what importers have put under it: three
// channels for four, halves for floats. The length of the pixels tells. It is not known which of 51 and 52 of the
// rendering's has signs; it is taken to be the second, as in the lists of Direct3D and Vulkan.
var (
	formats2024 = map[int64][]pixels.Format{
		1: {pixels.RGBA8, pixels.RGB8}, 2: {pixels.BGRA8, pixels.BGR8}, 3: {pixels.RGB8}, 4: {pixels.BGR8},
		5: {pixels.RGB565},
		6: {pixels.R8}, 7: {pixels.R16}, 8: {pixels.RG8}, 9: {pixels.RG16}, 10: {pixels.RHalf}, 11: {pixels.RGHalf},
		12: {pixels.RGBAHalf, pixels.RGBHalf},
		13: {pixels.RFloat, pixels.RHalf}, 14: {pixels.RGFloat, pixels.RGHalf},
		15: {pixels.RGBAFloat, pixels.RGBFloat, pixels.RGBAHalf, pixels.RGBHalf},
		16: {pixels.BC1}, 17: {pixels.BC3}, 18: {pixels.BC4}, 19: {pixels.BC5}, 20: {pixels.BC6H}, 21: {pixels.BC7},
	}
	formats2023 = map[int64][]pixels.Format{
		1: {pixels.RGBA8, pixels.RGB8}, 2: {pixels.BGRA8, pixels.BGR8}, 3: {pixels.ARGB8}, 4: {pixels.RGB8},
		5: {pixels.ARGB4444}, 6: {pixels.RGB565},
		7: {pixels.R8}, 8: {pixels.R16}, 9: {pixels.RG8, pixels.RG16}, 10: {pixels.RG16}, 11: {pixels.RHalf},
		12: {pixels.RGHalf}, 13: {pixels.RGBAHalf, pixels.RGBHalf},
		14: {pixels.RFloat, pixels.RHalf}, 15: {pixels.RGFloat, pixels.RGHalf},
		16: {pixels.RGBAFloat, pixels.RGBFloat, pixels.RGBAHalf, pixels.RGBHalf},
		17: {pixels.BC1}, 18: {pixels.BC3}, 19: {pixels.BC4}, 20: {pixels.BC5}, 21: {pixels.BC6H}, 22: {pixels.BC7},
	}
	formatsRPI = map[int64][]pixels.Format{
		1: {pixels.R8}, 3: {pixels.R8}, 4: {pixels.RG8}, 6: {pixels.RGBA8}, 7: {pixels.RGBA8}, 9: {pixels.BGRA8},
		10: {pixels.BGRA8}, 12: {pixels.RGB8}, 15: {pixels.BGR8},
		18: {pixels.RGB565}, 20: {pixels.R16}, 22: {pixels.RHalf}, 28: {pixels.RGBAHalf}, 31: {pixels.RFloat},
		35: {pixels.RGBAFloat},
		41: {pixels.BC1Opaque}, 42: {pixels.BC1Opaque}, 43: {pixels.BC1}, 44: {pixels.BC1}, 45: {pixels.BC3},
		46: {pixels.BC3},
		47: {pixels.BC4}, 48: {pixels.BC5}, 49: {pixels.BC7}, 50: {pixels.BC7}, 51: {pixels.BC6H},
		52: {pixels.BC6HSigned},
	}
	// formatsPacked is the numbering of sourceCompressionFormat: 1 to 4 are whole picture files.
	formatsPacked = map[int64][]pixels.Format{5: {pixels.BC1}, 6: {pixels.BC3}, 7: {pixels.BC4}, 8: {pixels.BC5},
		9: {pixels.BC6H}, 10: {pixels.BC7}}
)
