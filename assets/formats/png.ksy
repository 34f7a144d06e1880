meta:
  id: png
  title: PNG image
  file-extension: png
  endian: be
  encoding: ISO-8859-1
doc: |
  A Portable Network Graphics image: a signature, and chunks up to one of type IEND.
doc-ref: https://www.w3.org/TR/png-3/ Portable Network Graphics (PNG) Specification, third edition
seq:
  - id: signature
    contents: [0x89, PNG, 0x0d, 0x0a, 0x1a, 0x0a]
    doc: The signature of the format. It also detects a transfer that changed line ends.
  - id: chunks
    type: chunk
    repeat: until
    repeat-until: _.type == "IEND" or _io.eof
    doc: The parts of the file. IHDR is the first and IEND the last.
types:
  chunk:
    -webide-representation: '{type}'
    -assay-view:
      key: type
    seq:
      - id: length
        type: u4
        doc: The number of bytes of data, without type and checksum.
      - id: type
        type: str
        size: 4
        doc: The type of the data. A capital first letter means that the image cannot be displayed without it.
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
        doc: The content of the chunk; bytes if the type is unknown.
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
        doc: The samples of a pixel. With a palette, a pixel is one index.
      - id: compression
        type: u1
        valid: 0
        doc: 0 is deflate, the only method.
      - id: filter
        type: u1
        valid: 0
        doc: 0 means that each row begins with its filter.
      - id: interlace
        type: u1
        enum: interlace
        doc: The order of the pixels. With adam7, a coarse image comes first, refined in seven passes.
  palette:
    seq:
      - id: colors
        type: color
        repeat: eos
        doc: Up to 256 colors. Pixels are indexes of this list.
  color:
    seq:
      - {id: red, type: u1, doc: 'The amount of red, 0 to 255.'}
      - {id: green, type: u1, doc: 'The amount of green, 0 to 255.'}
      - {id: blue, type: u1, doc: 'The amount of blue, 0 to 255.'}
  physical:
    seq:
      - id: pixels_per_unit_x
        type: u4
        doc: The number of pixels per unit across.
      - id: pixels_per_unit_y
        type: u4
        doc: The number of pixels per unit down. If it differs from the number across, pixels are not square.
      - id: unit
        type: u1
        enum: unit
        doc: The unit. With an unknown unit, only the aspect ratio of a pixel is defined.
  gamma:
    seq:
      - id: gamma
        type: u4
        doc: The exponent of the samples, times 100,000.
    instances:
      exponent:
        value: gamma / 100000.0
        doc: The exponent of the samples, usually 0.45455.
  time:
    doc: The time of the last change of the image, in UTC.
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
        doc: The type of the text, such as Title or Author.
      - id: text
        type: str
        size-eos: true
        doc: The text, to the end of the chunk.
  compressed_text:
    seq:
      - id: keyword
        type: strz
        doc: The type of the text, such as Title or Comment.
      - id: method
        type: u1
        doc: 0 is deflate, the only method.
      - id: text
        size-eos: true
        process: zlib
        doc: The text, compressed.
  background:
    seq:
      - id: samples
        type: u1
        repeat: eos
        doc: A color in the color type of the image.
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
