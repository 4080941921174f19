/** Serves the pictures that players uploaded, which are files of our own making. */
import { mkdirSync } from 'node:fs'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/** Names carry a hash of the content, so that what is under one never changes. */
const NAME = /^\/?[0-9a-f]{32}\.webp$/

export async function serveUploads(fastify: FastifyInstance, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  await fastify.register(fastifyStatic, {
    root: folder,
    prefix: '/uploads/',
    decorateReply: false,
    index: false,
    allowedPath: (path) => NAME.test(path),
    cacheControl: false,
    setHeaders: (reply) => {
      reply.header('cache-control', 'public, max-age=31536000, immutable')
      reply.header('x-content-type-options', 'nosniff')
      reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
    },
  })
}
