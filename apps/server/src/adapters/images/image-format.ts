/** Detects a file's format by its beginning, and refuses files that hide a document. */

export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif'

/**
 * The format of a picture without a document in its metadata or behind its end. Null for everything else. Whether the
 * picture is whole is what the decoder finds out. Other bytes behind it are usual (phones append a video or a second
 * picture, other programs leave the last byte out) and go no further: the picture is drawn again.
 */
export function imageFormat(bytes: Buffer): ImageFormat | null {
  if (containsDocument(bytes)) return null
  if (bytes.subarray(0, 3).equals(JPEG_START)) return 'jpeg'
  if (bytes.subarray(0, 8).equals(PNG_START)) return 'png'
  if (/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return 'gif'
  return isRiff(bytes) ? 'webp' : null
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

function isRiff(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
}
