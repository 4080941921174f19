/** The headers that tell browsers what our pages may do: made once, and set on every answer. */
import type { FastifyInstance } from 'fastify'

/**
 * Sets the headers before everything else, so that refusals and missing pages have them too.
 *
 * @param options `secure`: players use https, and browsers are told to keep to it; `origins`: other origins that
 *   pages may connect to
 */
export function setSecurityHeaders(
  fastify: FastifyInstance,
  { secure, origins }: { secure: boolean; origins: readonly string[] },
): void {
  const policy = [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    `connect-src ${["'self'", ...origins].join(' ')}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]
  const headers: readonly (readonly [string, string])[] = [
    ['Content-Security-Policy', policy.join(';')],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
    ['Origin-Agent-Cluster', '?1'],
    ['Referrer-Policy', 'no-referrer'],
    ...(secure
      ? [['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'] as const]
      : []),
    ['X-Content-Type-Options', 'nosniff'],
    ['X-DNS-Prefetch-Control', 'off'],
    ['X-Download-Options', 'noopen'],
    ['X-Frame-Options', 'DENY'],
    ['X-Permitted-Cross-Domain-Policies', 'none'],
    ['X-XSS-Protection', '0'],
  ]
  fastify.addHook('onRequest', (_request, { raw }, next) => {
    for (const [name, value] of headers) raw.setHeader(name, value)
    next()
  })
}
