/** A multipart form with at most one file. */
import type { FastifyMultipartBaseOptions } from '@fastify/multipart'
import { FILE_MAX_BYTES } from '@sum28/contract/route.ts'
import type { FastifyRequest } from 'fastify'
import type { SentFile } from './binding.ts'

/** The limits; a larger form gets 413. */
export const FORM_OPTIONS = {
  limits: {
    fieldNameSize: 100,
    fieldSize: 4 * 1024,
    fields: 10,
    files: 1,
    parts: 11,
    headerPairs: 20,
    fileSize: FILE_MAX_BYTES,
  },
  // The file name is kept as sent: a name that tries to be a path is refused, not corrected.
  preservePath: true,
} satisfies FastifyMultipartBaseOptions & { preservePath: boolean }

/**
 * Reads the fields of a form and the file in the part of this name; a file in another part is ignored.
 *
 * @throws an error that the server answers with 413 (too large) or 400 (incomplete)
 */
export async function readForm(
  request: FastifyRequest,
  name: string,
): Promise<{ fields: Record<string, unknown>; file: SentFile | null }> {
  const fields: Record<string, unknown> = {}
  let file: SentFile | null = null
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') {
        const bytes = await part.toBuffer()
        if (part.fieldname === name) file = { name: part.filename ?? '', bytes }
      } else {
        fields[part.fieldname] = part.value
      }
    }
  } catch (error) {
    // The parser sets the status of some faults of a form, but not of others.
    const { statusCode = 400 } = error as { statusCode?: number }
    throw Object.assign(new Error('the form cannot be read', { cause: error }), { statusCode })
  }
  return { fields, file }
}
