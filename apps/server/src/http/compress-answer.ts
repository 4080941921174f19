import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'

const compress = promisify(gzip)

/** In characters: a shorter answer is in one or two packets anyway. */
const LONG_FROM = 4_096

/**
 * A body as it is sent: a long one compressed, for who takes that. Only for answers that are the same for all: by the
 * length of the others somebody who sees the traffic could guess what is in them.
 */
export async function compressedFor(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  body: string,
): Promise<string | Buffer> {
  if (body.length < LONG_FROM) return body
  // Beside that of other origins.
  const varies = reply.getHeader('Vary')
  reply.header('Vary', varies ? `${varies}, Accept-Encoding` : 'Accept-Encoding')
  const accepted = headers['accept-encoding']
  if (typeof accepted !== 'string' || negotiate(accepted, ['gzip']) !== 'gzip') return body
  reply.header('Content-Encoding', 'gzip')
  return compress(body)
}
