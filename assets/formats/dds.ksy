meta:
  id: dds
  title: DirectDraw surface
  file-extension: dds
  endian: le
  encoding: ASCII
doc: |
  A texture in the layout of graphics cards: a header, an optional second header, and the pixels of each level and face.
doc-ref: https://learn.microsoft.com/windows/win32/direct3ddds/dx-graphics-dds-pguide Programming Guide for DDS
seq:
  - id: magic
    contents: 'DDS '
    doc: The signature of the format.
  - id: header
    type: header
    size: 124
    doc: The size and the format of the image.
  - id: header_10
    type: header_10
    if: header.pixel_format.four_cc == "DX10"
    doc: Additional values for newer pixel formats.
  - id: pixels
    size-eos: true
    doc: The levels of each face, the largest first.
types:
  header:
    seq:
      - id: size
        type: u4
        valid: 124
        doc: The number of bytes of the header.
      - id: flags
        type: u4
        doc: The fields below that are set, as bits.
      - id: height
        type: u4
        doc: In pixels.
      - id: width
        type: u4
        doc: In pixels.
      - id: pitch_or_linear_size
        type: u4
        doc: The number of bytes of a row, or of the largest level if the pixels are compressed.
      - id: depth
        type: u4
        doc: The number of slices of a volume texture.
      - id: mip_map_count
        type: u4
        doc: The number of levels; 0 means one.
      - id: reserved
        size: 44
        doc: Unused, 0.
      - id: pixel_format
        type: pixel_format
        doc: The format of the pixels.
      - id: caps
        type: u4
        doc: Bits. 0x1000 is a texture, 0x8 a texture of several surfaces, 0x400000 a texture with levels.
      - id: caps2
        type: u4
        doc: Bits. 0x200 is a cube map, 0x400 to 0x8000 are its faces, and 0x200000 is a volume texture.
      - id: caps3
        type: u4
        doc: Unused, 0.
      - id: caps4
        type: u4
        doc: Unused, 0.
      - id: reserved2
        type: u4
        doc: Unused, 0.
  pixel_format:
    seq:
      - id: size
        type: u4
        valid: 32
        doc: The number of bytes of this structure.
      - id: flags
        type: u4
        doc: Bits. 0x1 means alpha, 0x4 a four_cc, 0x40 RGB, and 0x20000 luminance.
      - id: four_cc
        type: str
        size: 4
        doc: The name of the compression, such as DXT1. DX10 means that the format is in the second header.
      - id: rgb_bit_count
        type: u4
        doc: The number of bits of an uncompressed pixel.
      - id: red_mask
        type: u4
        doc: The bits of an uncompressed pixel that are red.
      - id: green_mask
        type: u4
        doc: The bits of an uncompressed pixel that are green.
      - id: blue_mask
        type: u4
        doc: The bits of an uncompressed pixel that are blue.
      - id: alpha_mask
        type: u4
        doc: The bits of an uncompressed pixel that are alpha.
  header_10:
    seq:
      - id: format
        type: u4
        enum: format
        doc: The DXGI format of the pixels.
      - id: dimension
        type: u4
        enum: dimension
        doc: The number of dimensions of the texture.
      - id: misc_flags
        type: u4
        doc: 0x4 is a cube map.
      - id: array_size
        type: u4
        doc: The number of textures, or of cube maps with six faces each.
      - id: misc_flags2
        type: u4
        doc: The alpha mode.
enums:
  dimension:
    2: texture_1d
    3: texture_2d
    4: texture_3d
  format:
    2: r32g32b32a32_float
    10: r16g16b16a16_float
    28: r8g8b8a8_unorm
    29: r8g8b8a8_unorm_srgb
    71: bc1_unorm
    72: bc1_unorm_srgb
    74: bc2_unorm
    75: bc2_unorm_srgb
    77: bc3_unorm
    78: bc3_unorm_srgb
    80: bc4_unorm
    83: bc5_unorm
    87: b8g8r8a8_unorm
    95: bc6h_uf16
    96: bc6h_sf16
    98: bc7_unorm
    99: bc7_unorm_srgb
