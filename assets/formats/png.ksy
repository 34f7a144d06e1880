meta:
  id: png
  title: PNG picture
  file-extension: png
  endian: be
  encoding: ISO-8859-1
doc: |
  A Portable Network Graphics picture: a signature, and chunks up to one of the type IEND.
doc-ref: https://www.w3.org/TR/png-3/
seq:
  - id: signature
    contents: [0x89, PNG, 0x0d, 0x0a, 0x1a, 0x0a]
    doc: Marks the kind of file, and shows at once when a transfer changed line ends.
  - id: chunks
    type: chunk
    repeat: until
    repeat-until: _.type == "IEND" or _io.eof
types:
  chunk:
    -webide-representation: '{type}'
    seq:
      - id: length
        type: u4
        doc: The number of bytes of data; type and checksum are not counted.
      - id: type
        type: str
        size: 4
        doc: What the chunk holds. A capital first letter means that a picture cannot be shown without it.
      - id: data
        size: length
        type:
          switch-on: type
          cases:
            '"IHDR"': header
            '"PLTE"': palette
            '"pHYs"': physical
            '"gAMA"': gamma
            '"tIME"': time
            '"tEXt"': text
            '"zTXt"': compressed_text
            '"bKGD"': background
      - id: crc
        type: u4
        doc: CRC-32 of type and data.
  header:
    seq:
      - id: width
        type: u4
        valid: {min: 1}
        doc: In pixels.
      - id: height
        type: u4
        valid: {min: 1}
        doc: In pixels.
      - id: bit_depth
        type: u1
        doc: The number of bits of a sample, or of an index of the palette.
      - id: color_type
        type: u1
        enum: color_type
      - id: compression
        type: u1
        valid: 0
        doc: 0 is deflate, the only one there is.
      - id: filter
        type: u1
        valid: 0
        doc: 0 means that each row says how it is filtered.
      - id: interlace
        type: u1
        enum: interlace
  palette:
    seq:
      - id: colors
        type: color
        repeat: eos
  color:
    seq:
      - {id: red, type: u1}
      - {id: green, type: u1}
      - {id: blue, type: u1}
  physical:
    seq:
      - id: pixels_per_unit_x
        type: u4
      - id: pixels_per_unit_y
        type: u4
      - id: unit
        type: u1
        enum: unit
  gamma:
    seq:
      - id: gamma
        type: u4
        doc: The exponent of the samples, times 100,000.
    instances:
      exponent:
        value: gamma / 100000.0
  time:
    doc: When the picture was last changed, in universal time.
    seq:
      - {id: year, type: u2}
      - {id: month, type: u1}
      - {id: day, type: u1}
      - {id: hour, type: u1}
      - {id: minute, type: u1}
      - {id: second, type: u1}
  text:
    seq:
      - id: keyword
        type: strz
      - id: text
        type: str
        size-eos: true
  compressed_text:
    seq:
      - id: keyword
        type: strz
      - id: method
        type: u1
        doc: 0 is deflate, the only one there is.
      - id: text
        size-eos: true
        process: zlib
  background:
    seq:
      - id: samples
        type: u1
        repeat: eos
        doc: A color in the picture's own color type.
enums:
  color_type:
    0: gray
    2: rgb
    3: palette
    4: gray_alpha
    6: rgb_alpha
  interlace:
    0: none
    1: adam7
  unit:
    0: unknown
    1: meter
