/** Pages whose libraries insert style sheets: each is sent with a nonce of its own. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyReply } from 'fastify'

/** The placeholder in the built page; `html.cspNonce` of its Vite configuration. */
const PLACE = '__STYLE_NONCE__'

const BYTES = 16

const pages = new Map<string, string>()

/**
 * Sends an app's page with a nonce that its style sheets carry. Scripts still may only be files of our origin. The
 * page is not cached, because the nonce of a cached page would be invalid.
 */
export function sendPageWithNonce(reply: FastifyReply, folder: string): FastifyReply {
  const nonce = randomBytes(BYTES).toString('base64')
  const policy = String(reply.getHeader('content-security-policy') ?? '')
  return reply
    .header('content-security-policy', policy.replace("style-src 'self'", `$& 'nonce-${nonce}'`))
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(pageOf(folder).replaceAll(PLACE, nonce))
}

function pageOf(folder: string): string {
  const known = pages.get(folder)
  if (known !== undefined) return known
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  pages.set(folder, page)
  return page
}
