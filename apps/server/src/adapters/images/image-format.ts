/** Detects a file's format by its content, and checks that all of its bytes belong to that format. */

export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif'

/**
 * The format of a picture that contains nothing else: no second file after its end, and no document hidden in its
 * metadata. Two programs could read such a file as two different things. Null for everything else. The image data
 * itself is not checked here; the decoder does that.
 */
export function imageFormat(bytes: Buffer): ImageFormat | null {
  if (containsDocument(bytes)) return null
  if (bytes.subarray(0, 3).equals(JPEG_START)) return endsJpeg(bytes) ? 'jpeg' : null
  if (bytes.subarray(0, 8).equals(PNG_START)) return endsPng(bytes) ? 'png' : null
  if (/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return endsGif(bytes) ? 'gif' : null
  if (isRiff(bytes)) return endsRiff(bytes) ? 'webp' : null
  return null
}

const JPEG_START = Buffer.from([0xff, 0xd8, 0xff])
const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** How a page, a script, a drawing or a document begins. */
const MARKUP = /<(script|html|body|svg|iframe|!doctype|!entity|\?php)[\s>/]/i

/** How far from the start programs search for a PDF, and how far from the end for an archive. */
const PDF_WITHIN = 1_024
const ARCHIVE_WITHIN = 65_557

function containsDocument(bytes: Buffer): boolean {
  return (
    MARKUP.test(bytes.toString('latin1')) ||
    bytes.subarray(0, PDF_WITHIN).includes('%PDF-') ||
    bytes.subarray(-ARCHIVE_WITHIN).includes('PK\x05\x06')
  )
}

/** Only zeros, with which some cameras fill up their files. */
function isPadding(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0)
}

/** PNG (ISO 15948, 5.3): chunks of length, type, data and checksum; IEND is the last. */
function endsPng(bytes: Buffer): boolean {
  for (let at = 8; at + 12 <= bytes.length; ) {
    const next = at + 12 + bytes.readUInt32BE(at)
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') {
      return isPadding(bytes.subarray(next))
    }
    at = next
  }
  return false
}

/**
 * JPEG (ITU T.81, annex B): markers with segments, scans of data in which 0xff is followed by 0 or a
 * restart, then the end. Phones append further JPEGs to the first: a gain map, a preview.
 */
function endsJpeg(bytes: Buffer): boolean {
  for (let at = 0; ; ) {
    const end = endOfJpeg(bytes, at)
    if (end === null) return false
    if (!bytes.subarray(end, end + 3).equals(JPEG_START)) return isPadding(bytes.subarray(end))
    at = end
  }
}

function endOfJpeg(bytes: Buffer, start: number): number | null {
  for (let at = start + 2; at + 2 <= bytes.length; ) {
    const marker = bytes[at + 1] ?? 0
    if (bytes[at] !== 0xff) return null
    if (marker === 0xd9) return at + 2
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (at + 4 > bytes.length) return null
    at += 2 + bytes.readUInt16BE(at + 2)
    if (marker === 0xda) at = endOfScan(bytes, at)
  }
  return null
}

/** The position of the first marker after a scan's data. */
function endOfScan(bytes: Buffer, start: number): number {
  for (let at = start; ; at += 2) {
    at = bytes.indexOf(0xff, at)
    if (at === -1) return bytes.length
    const after = bytes[at + 1] ?? 0
    const isData = after === 0 || (after >= 0xd0 && after <= 0xd7)
    if (!isData) return at
  }
}

/** GIF (89a, appendix A): blocks of data in sub-blocks; 0x3b is the trailer. */
function endsGif(bytes: Buffer): boolean {
  const colours = (packed = 0) => (packed & 0x80 ? 3 << ((packed & 7) + 1) : 0)
  const pastSubBlocks = (start: number) => {
    let at = start
    for (let size = bytes[at]; size; size = bytes[at]) at += size + 1
    return at + 1
  }
  for (let at = 13 + colours(bytes[10]); at < bytes.length; ) {
    const kind = bytes[at]
    if (kind === 0x3b) return isPadding(bytes.subarray(at + 1))
    if (kind === 0x21) at = pastSubBlocks(at + 2)
    else if (kind === 0x2c) at = pastSubBlocks(at + 11 + colours(bytes[at + 9]))
    else return false
  }
  return false
}

function isRiff(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
}

/** WebP (RFC 9649, 2.4): the file's size stands in its header. */
function endsRiff(bytes: Buffer): boolean {
  const end = 8 + bytes.readUInt32LE(4)
  return end <= bytes.length && isPadding(bytes.subarray(end))
}
