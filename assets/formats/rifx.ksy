meta:
  id: rifx
  title: RIFX file (WAV, big-endian)
  file-extension: wav
  endian: be
  encoding: ASCII
  imports:
    - riff
doc: |
  A Resource Interchange File Format file whose numbers are big-endian: chunks of an id, a size and that many bytes.
doc-ref: Multimedia Programming Interface and Data Specifications 1.0, August 1991
seq:
  - id: id
    contents: RIFX
    doc: Marks the kind of file.
  - id: size
    type: u4
    doc: The number of bytes after this field.
  - id: form
    type: str
    size: 4
    doc: What the file holds; WAVE is a sound.
  - id: chunks
    type: riff::chunk(true)
    repeat: eos
    doc: The parts of the file.
