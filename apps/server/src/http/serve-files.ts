/**
 * Serves public files that the database keeps: the pictures that players and editors uploaded, which are our own
 * re-encodings, and the public log, by c2sp.org/tlog-tiles.
 */
import type { FastifyInstance } from 'fastify'

/** The content of a picture; null if there is none of that name. */
export type ReadPicture = (name: string) => Promise<Buffer | null>

/** A file of the log; null if there is none of that path. */
export type ReadLogFile = (
  path: string,
) => Promise<{ content: string | Uint8Array; fixed: boolean } | null>

/** Names of pictures contain a hash of the content, so the content of a name never changes. */
const NAME = /^[0-9a-f]{32}\.webp$/

const FOREVER = 'public, max-age=31536000, immutable'

const PUBLIC = {
  'x-content-type-options': 'nosniff',
  // A page of the other line shows them too; they are public.
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

export function serveUploads(fastify: FastifyInstance, readPicture: ReadPicture): void {
  fastify.get<{ Params: { name: string } }>('/uploads/:name', async (request, reply) => {
    const { name } = request.params
    if (!NAME.test(name)) return reply.callNotFound()
    const etag = `"${name}"`
    const isCurrent = request.headers['if-none-match'] === etag
    const bytes = isCurrent ? null : await readPicture(name)
    if (!isCurrent && !bytes) return reply.callNotFound()
    reply.headers({ etag, 'cache-control': FOREVER, ...PUBLIC })
    return isCurrent ? reply.code(304).send() : reply.type('image/webp').send(bytes)
  })
}

export function serveLog(fastify: FastifyInstance, readLogFile: ReadLogFile): void {
  fastify.get<{ Params: { '*': string } }>('/tlog/*', async (request, reply) => {
    const file = await readLogFile(request.params['*'])
    if (!file) return reply.callNotFound()
    const { content, fixed } = file
    reply.headers({ 'cache-control': fixed ? FOREVER : 'public, max-age=1', ...PUBLIC })
    return typeof content === 'string'
      ? reply.type('text/plain; charset=utf-8').send(content)
      : reply.type('application/octet-stream').send(Buffer.from(content))
  })
}
