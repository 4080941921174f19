/** Serves the public log as files, by c2sp.org/tlog-tiles. */
import type { FastifyInstance } from 'fastify'

/** A file of the log; null if there is none of that path. */
export type ReadLogFile = (
  path: string,
) => Promise<{ content: string | Uint8Array; fixed: boolean } | null>

export function serveLog(fastify: FastifyInstance, readLogFile: ReadLogFile): void {
  fastify.get<{ Params: { '*': string } }>('/tlog/*', async (request, reply) => {
    const file = await readLogFile(request.params['*'])
    if (!file) return reply.callNotFound()
    const { content, fixed } = file
    reply.headers({
      'cache-control': fixed ? 'public, max-age=31536000, immutable' : 'public, max-age=1',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    })
    return typeof content === 'string'
      ? reply.type('text/plain; charset=utf-8').send(content)
      : reply.type('application/octet-stream').send(Buffer.from(content))
  })
}
