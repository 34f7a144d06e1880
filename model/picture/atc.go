package picture

// ATC, of AMD and later Qualcomm, has blocks like those of BC1 to BC3 with colors of its own. Its extension to OpenGL
// ES (GL_AMD_compressed_ATC_texture) does not say how they are mixed; the weights here, 5 and 3 of 8, are those of
// public decoders of games' textures. Others have 2 and 1 of 3, which differs by up to 11 of 255.

func atc(out *block, b []byte) {
	first, last := little.Uint16(b), little.Uint16(b[2:])
	r, g, blue := uint8(first>>10&0x1f), uint8(first>>5&0x1f), uint8(first&0x1f)
	c := rgba{r<<3 | r>>2, g<<3 | g>>2, blue<<3 | blue>>2, 0xff}
	p := [4]rgba{c, {}, {}, expand565(last)}
	if first&0x8000 == 0 {
		p[1], p[2] = mixed(p[0], p[3], 5, 3), mixed(p[0], p[3], 3, 5)
	} else {
		p[0], p[1], p[2] = rgba{3: 0xff}, rgba{3: 0xff}, c
		for i := range 3 {
			p[1][i] = uint8(max(0, int(c[i])-int(p[3][i])/4))
		}
	}
	bits := little.Uint32(b[4:])
	for i := range out {
		out[i] = p[bits>>(2*i)&3]
	}
}

// atcExplicit has four bits of alpha for each pixel.
func atcExplicit(out *block, b []byte) {
	atc(out, b[8:])
	nibbles(out, b)
}

// atcInterpolated has alpha between two values.
func atcInterpolated(out *block, b []byte) {
	atc(out, b[8:])
	for i, a := range ramp(b) {
		out[i][3] = a
	}
}
