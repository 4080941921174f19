/** The headers that tell browsers what our answers may do: two lists, made once, one of which every answer has. */
import type { FastifyInstance } from 'fastify'
import { pathOf } from '#src/http/path-of.ts'

type Headers = readonly (readonly [name: string, value: string])[]

/** Calls of the API: their answers are data, and no page. */
const API_CALL = /^\/api\//i

/**
 * Sets the headers before everything else, so that refusals and missing pages have them too. Answers of the API are
 * never cached, and have none of the headers that only concern pages: those would be most of their bytes.
 *
 * @param options `secure`: players use https, and browsers are told to keep to it; `origins`: other origins that
 *   pages may connect to
 */
export function setSecurityHeaders(
  fastify: FastifyInstance,
  options: { secure: boolean; origins: readonly string[] },
): void {
  const ofData = headersOfData(options)
  const ofPages = headersOfPages(options)
  fastify.addHook('onRequest', (request, { raw }, next) => {
    const headers = API_CALL.test(pathOf(request)) ? ofData : ofPages
    for (const [name, value] of headers) raw.setHeader(name, value)
    next()
  })
}

/** What OWASP's REST Security Cheat Sheet asks of answers that are data. */
function headersOfData({ secure }: { secure: boolean }): Headers {
  return [
    ['Content-Security-Policy', "default-src 'none';frame-ancestors 'none'"],
    ['Cache-Control', 'no-store'],
    ...headersOfAll(secure),
  ]
}

function headersOfPages({
  secure,
  origins,
}: {
  secure: boolean
  origins: readonly string[]
}): Headers {
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
  return [
    ['Content-Security-Policy', policy.join(';')],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Origin-Agent-Cluster', '?1'],
    ['X-DNS-Prefetch-Control', 'off'],
    ['X-Download-Options', 'noopen'],
    ['X-Permitted-Cross-Domain-Policies', 'none'],
    ['X-XSS-Protection', '0'],
    ...headersOfAll(secure),
  ]
}

function headersOfAll(secure: boolean): Headers {
  return [
    ['Cross-Origin-Resource-Policy', 'same-origin'],
    ['Referrer-Policy', 'no-referrer'],
    ['X-Content-Type-Options', 'nosniff'],
    ['X-Frame-Options', 'DENY'],
    ...(secure
      ? [['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'] as const]
      : []),
  ]
}
