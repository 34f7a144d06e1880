package casset

import "assay/model/picture"

// The engine's numberings of pixel formats: since February 2024, the one before, and that of its rendering assets. Of
// the formats in a row, the first is what the number says, and the others are what importers have put under it: three
// channels for four, halves for floats. The length of the pixels tells. It is not known which of 51 and 52 of the
// rendering's has signs; it is taken to be the second, as in the lists of Direct3D and Vulkan.
var (
	formats2024 = map[int64][]picture.Format{
		1: {picture.RGBA8, picture.RGB8}, 2: {picture.BGRA8, picture.BGR8}, 3: {picture.RGB8}, 4: {picture.BGR8},
		5: {picture.RGB565},
		6: {picture.R8}, 7: {picture.R16}, 8: {picture.RG8}, 9: {picture.RG16}, 10: {picture.RHalf},
		11: {picture.RGHalf},
		12: {picture.RGBAHalf, picture.RGBHalf},
		13: {picture.RFloat, picture.RHalf}, 14: {picture.RGFloat, picture.RGHalf},
		15: {picture.RGBAFloat, picture.RGBFloat, picture.RGBAHalf, picture.RGBHalf},
		16: {picture.BC1}, 17: {picture.BC3}, 18: {picture.BC4}, 19: {picture.BC5}, 20: {picture.BC6H},
		21: {picture.BC7},
	}
	formats2023 = map[int64][]picture.Format{
		1: {picture.RGBA8, picture.RGB8}, 2: {picture.BGRA8, picture.BGR8}, 3: {picture.ARGB8}, 4: {picture.RGB8},
		5: {picture.ARGB4444}, 6: {picture.RGB565},
		7: {picture.R8}, 8: {picture.R16}, 9: {picture.RG8, picture.RG16}, 10: {picture.RG16}, 11: {picture.RHalf},
		12: {picture.RGHalf}, 13: {picture.RGBAHalf, picture.RGBHalf},
		14: {picture.RFloat, picture.RHalf}, 15: {picture.RGFloat, picture.RGHalf},
		16: {picture.RGBAFloat, picture.RGBFloat, picture.RGBAHalf, picture.RGBHalf},
		17: {picture.BC1}, 18: {picture.BC3}, 19: {picture.BC4}, 20: {picture.BC5}, 21: {picture.BC6H},
		22: {picture.BC7},
	}
	formatsRPI = map[int64][]picture.Format{
		1: {picture.R8}, 3: {picture.R8}, 4: {picture.RG8}, 6: {picture.RGBA8}, 7: {picture.RGBA8}, 9: {picture.BGRA8},
		10: {picture.BGRA8}, 12: {picture.RGB8}, 15: {picture.BGR8},
		18: {picture.RGB565}, 20: {picture.R16}, 22: {picture.RHalf}, 28: {picture.RGBAHalf}, 31: {picture.RFloat},
		35: {picture.RGBAFloat},
		41: {picture.BC1Opaque}, 42: {picture.BC1Opaque}, 43: {picture.BC1}, 44: {picture.BC1}, 45: {picture.BC3},
		46: {picture.BC3},
		47: {picture.BC4}, 48: {picture.BC5}, 49: {picture.BC7}, 50: {picture.BC7}, 51: {picture.BC6H},
		52: {picture.BC6HSigned},
	}
	// formatsPacked is the numbering of sourceCompressionFormat: 1 to 4 are whole picture files.
	formatsPacked = map[int64][]picture.Format{5: {picture.BC1}, 6: {picture.BC3}, 7: {picture.BC4}, 8: {picture.BC5},
		9: {picture.BC6H}, 10: {picture.BC7}}
)
