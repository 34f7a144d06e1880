meta:
  id: rf64
  title: RF64 file (WAV over 4 GB)
  file-extension: wav
  endian: le
  encoding: ASCII
doc: |
  A WAV file whose sizes may exceed 32 bits: those that do not fit are 0xffffffff, and the chunk "ds64" has them.
doc-ref: EBU Tech 3306, MBWF / RF64, version 2, 2009
seq:
  - id: id
    contents: RF64
    doc: The signature of the format.
  - id: size
    type: u4
    doc: The number of bytes after this field, or 0xffffffff for that in ds64.
  - id: form
    type: str
    size: 4
    doc: The type of the file; WAVE is a sound.
  - id: ds64_id
    contents: ds64
    doc: The type of the first chunk.
  - id: ds64_size
    type: u4
    doc: The number of bytes of ds64.
  - id: ds64
    size: ds64_size
    type: ds64
    doc: The sizes of 64 bits.
  - id: chunks
    type: chunk
    repeat: eos
    doc: The other parts of the file.
types:
  ds64:
    seq:
      - id: riff_size
        type: u8
        doc: The number of bytes of the file after its first size.
      - id: data_size
        type: u8
        doc: The number of bytes of the chunk data.
      - id: sample_count
        type: u8
        doc: The number of samples of each channel.
      - id: table_count
        type: u4
        doc: The number of sizes of other chunks.
      - id: table
        type: table_entry
        repeat: expr
        repeat-expr: table_count
        doc: The sizes of other chunks over 4 GB.
  table_entry:
    seq:
      - id: id
        type: str
        size: 4
        doc: The type of the chunk.
      - id: size
        type: u8
        doc: The number of bytes of its data.
  chunk:
    -webide-representation: '{id}'
    seq:
      - id: id
        type: str
        size: 4
        doc: The type of the chunk, padded with spaces.
      - id: size
        type: u4
        doc: The number of bytes of data, or 0xffffffff for that in ds64.
      - id: data
        size: 'id == "data" and size == 0xffffffff ? _root.ds64.data_size : size'
        type:
          switch-on: id
          cases:
            '"fmt "': wave_format
        doc: The content of the chunk; bytes if the id is unknown.
      - id: pad
        size: 1
        if: size % 2 == 1 and size != 0xffffffff and not _io.eof
        doc: Chunks begin at even offsets.
  wave_format:
    doc: The format of the samples of a sound.
    seq:
      - id: format_tag
        type: u2
        doc: The encoding of a sample; 1 is PCM.
      - id: channels
        type: u2
        doc: The number of channels.
      - id: samples_per_second
        type: u4
        doc: The number of samples of each channel in a second.
      - id: bytes_per_second
        type: u4
        doc: The number of bytes in a second.
      - id: block_align
        type: u2
        doc: The number of bytes of one sample of all channels.
      - id: bits_per_sample
        type: u2
        doc: The number of bits of one sample.
      - id: extension
        size-eos: true
        doc: More properties of some encodings.
