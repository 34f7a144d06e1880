meta:
  id: riff
  title: RIFF or RIFX file (WAV)
  file-extension: wav
  encoding: ASCII
doc: |
  A Resource Interchange File Format file: chunks of an id, a size, and that many bytes. Sounds (.wav) are the most
  common. The numbers of RIFX are big-endian.
doc-ref: Multimedia Programming Interface and Data Specifications 1.0, August 1991
seq:
  - id: id
    type: str
    size: 4
    valid:
      any-of: ['"RIFF"', '"RIFX"']
    doc: The signature of the format, which also decides the byte order.
  - id: size
    type:
      switch-on: id
      cases:
        '"RIFX"': u4be
        _: u4le
    doc: The number of bytes after this field.
  - id: form
    type: str
    size: 4
    doc: The type of the file; WAVE is a sound.
  - id: chunks
    type: chunk
    repeat: eos
    doc: The parts of the file.
types:
  chunk:
    meta: {endian: {switch-on: _root.id, cases: {'"RIFX"': be, _: le}}}
    -webide-representation: '{id}'
    -assay-view:
      key: id
    seq:
      - id: id
        type: str
        size: 4
        doc: The type of the chunk, padded with spaces.
      - id: size
        type: u4
        doc: The number of bytes of data, without the byte that may follow an odd number of them.
      - id: data
        size: 'id == "data" and size == 0xffffffff ? _io.size - _io.pos : size'
        type:
          switch-on: id
          cases:
            '"fmt "': wave_format
            '"LIST"': list
            '"fact"': fact
        doc: The content of the chunk; bytes if the id is unknown.
      - id: pad
        size: size % 2
        if: size % 2 == 1 and not _io.eof and (next < 0x20 or next > 0x7e)
        doc: Chunks begin at even offsets; some programs omit this byte.
    instances:
      next:
        pos: _io.pos
        type: u1
        if: not _io.eof
        doc: The first byte of the next chunk if there is no padding.
  list:
    doc: Chunks with a common purpose; INFO contains text about the sound.
    seq:
      - id: form
        type: str
        size: 4
        doc: The purpose of the chunks; INFO is text.
      - id: chunks
        type: chunk
        repeat: eos
        doc: The parts of the list.
  fact:
    meta: {endian: {switch-on: _root.id, cases: {'"RIFX"': be, _: le}}}
    seq:
      - id: samples
        type: u4
        doc: The number of samples of each channel, which the size of a compressed sound does not determine.
  wave_format:
    meta: {endian: {switch-on: _root.id, cases: {'"RIFX"': be, _: le}}}
    doc: The format of the samples of a sound.
    seq:
      - id: format_tag
        type: u2
        enum: format_tag
        doc: The encoding of a sample.
      - id: channels
        type: u2
        doc: The number of channels; 2 is stereo, left before right.
      - id: samples_per_second
        type: u4
        doc: The sampling rate of each channel, in hertz.
      - id: bytes_per_second
        type: u4
        doc: The average number of bytes per second.
      - id: block_align
        type: u2
        doc: The number of bytes of one sample of all channels.
      - id: bits_per_sample
        type: u2
        if: not _io.eof
        doc: The number of bits of one sample of one channel.
      - id: extension
        size-eos: true
        if: not _io.eof
        doc: Additional values of the encoding; the first two bytes are its size.
enums:
  format_tag:
    1: pcm
    2: adpcm
    3: ieee_float
    6: alaw
    7: mulaw
    17: ima_adpcm
    85: mp3
    0xfffe: extensible
