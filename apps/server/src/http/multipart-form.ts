/** A form of several parts, of which at most one is a file. */
import type { FastifyMultipartBaseOptions } from '@fastify/multipart'
import { FILE_MAX_BYTES } from '@sum28/contract/route.ts'
import type { FastifyRequest } from 'fastify'
import type { SentFile } from './binding.ts'

/** What is more than this is answered with 413. */
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
  // Whole, so that a name which tries to be a path is seen and refused, not mended.
  preservePath: true,
} satisfies FastifyMultipartBaseOptions & { preservePath: boolean }

/**
 * Reads the fields of a form and the file in the part of this name; a file in another part is
 * passed over.
 *
 * @throws what the server answers with 413 (too large) or 400 (broken off)
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
    // The parser says of some faults of a form what they are to be answered with, and not of others.
    const { statusCode = 400 } = error as { statusCode?: number }
    throw Object.assign(new Error('the form cannot be read', { cause: error }), { statusCode })
  }
  return { fields, file }
}
