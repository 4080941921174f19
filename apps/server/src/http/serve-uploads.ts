/** Serves the pictures that players and editors uploaded, which are our own re-encodings. */
import type { FastifyInstance } from 'fastify'

/** Names contain a hash of the content, so the content of a name never changes. */
const NAME = /^[0-9a-f]{32}\.webp$/

/** The content of a picture; null if there is none of that name. */
export type ReadPicture = (name: string) => Promise<Buffer | null>

export function serveUploads(fastify: FastifyInstance, readPicture: ReadPicture): void {
  fastify.get<{ Params: { name: string } }>('/uploads/:name', async (request, reply) => {
    const { name } = request.params
    if (!NAME.test(name)) return reply.callNotFound()
    const etag = `"${name}"`
    const isCurrent = request.headers['if-none-match'] === etag
    const bytes = isCurrent ? null : await readPicture(name)
    if (!isCurrent && !bytes) return reply.callNotFound()
    reply.headers({
      etag,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      // A page of the other line shows them too; they are public.
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    })
    return isCurrent ? reply.code(304).send() : reply.type('image/webp').send(bytes)
  })
}
