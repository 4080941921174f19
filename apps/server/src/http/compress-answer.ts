import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'

const compress = promisify(gzip)

/** In characters: a shorter answer is in one or two packets anyway. */
const LONG_FROM = 4_096

/** Of the four threads, on which passwords are hashed too: strangers who ask for long answers leave the others. */
const AT_ONCE_MAX = 2

let underWay = 0

/**
 * A body as it is sent: a long one compressed, for who takes that, unless two others are just being compressed. Only for
 * answers that are the same for all: by the length of the others somebody who sees the traffic could guess what is in
 * them.
 */
export async function compressedFor(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  body: string,
): Promise<string | Buffer> {
  if (body.length < LONG_FROM) return body
  variesByEncoding(reply)
  const accepted = headers['accept-encoding']
  if (typeof accepted !== 'string' || negotiate(accepted, ['gzip']) !== 'gzip') return body
  if (underWay >= AT_ONCE_MAX) return body
  underWay += 1
  try {
    reply.header('Content-Encoding', 'gzip')
    return await compress(body)
  } finally {
    underWay -= 1
  }
}

/** Says to caches that the answer depends on what the client takes, beside what it says of other origins. */
export function variesByEncoding(reply: FastifyReply): void {
  const varies = reply.getHeader('Vary')
  reply.header('Vary', varies ? `${varies}, Accept-Encoding` : 'Accept-Encoding')
}
