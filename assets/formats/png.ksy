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
    doc: The parts of the file, of which IHDR is the first and IEND the last.
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
        doc: What the type says; of a type that is not known, bytes.
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
        doc: What the samples of a pixel are; those of a palette are one index.
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
        doc: Whether a coarse picture comes first. With adam7, seven passes make it finer.
  palette:
    seq:
      - id: colors
        type: color
        repeat: eos
        doc: Up to 256 colors, which pixels name by their number.
  color:
    seq:
      - {id: red, type: u1, doc: The share of red; 255 is all of it.}
      - {id: green, type: u1, doc: The share of green; 255 is all of it.}
      - {id: blue, type: u1, doc: The share of blue; 255 is all of it.}
  physical:
    seq:
      - id: pixels_per_unit_x
        type: u4
        doc: How many pixels a unit has across.
      - id: pixels_per_unit_y
        type: u4
        doc: How many pixels a unit has down. Where it differs from the other, pixels are not square.
      - id: unit
        type: u1
        enum: unit
        doc: What a unit is. Of an unknown one only the form of a pixel is known.
  gamma:
    seq:
      - id: gamma
        type: u4
        doc: The exponent of the samples, times 100,000.
    instances:
      exponent:
        value: gamma / 100000.0
        doc: The exponent of the samples; 0.45455 is usual.
  time:
    doc: When the picture was last changed, in universal time.
    seq:
      - {id: year, type: u2, doc: 'The year, with all four digits.'}
      - {id: month, type: u1, doc: The month; 1 is January.}
      - {id: day, type: u1, doc: The day of the month; 1 is the first.}
      - {id: hour, type: u1, doc: 'The hour, 0 to 23.'}
      - {id: minute, type: u1, doc: 'The minute, 0 to 59.'}
      - {id: second, type: u1, doc: 'The second, 0 to 60: 60 is a leap second.'}
  text:
    seq:
      - id: keyword
        type: strz
        doc: What the text is, such as Title or Author.
      - id: text
        type: str
        size-eos: true
        doc: The text, to the end of the chunk.
  compressed_text:
    seq:
      - id: keyword
        type: strz
        doc: What the text is, such as Title or Comment.
      - id: method
        type: u1
        doc: 0 is deflate, the only one there is.
      - id: text
        size-eos: true
        process: zlib
        doc: The text, compressed.
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
