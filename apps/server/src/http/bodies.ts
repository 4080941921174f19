/**
 * How bodies and queries are read: only small ones, as plain objects, after the rate limits. The thread that parses
 * what strangers send also serves all players.
 */
import { parse } from 'node:querystring'
import formbody from '@fastify/formbody'
import type { Route } from '@sum28/contract/route.ts'
import { type Language, languageForBrowser, languageOf } from '@sum28/i18n/languages.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** The largest body of a player's call, several times what any of them needs. */
export const BODY_MAX_BYTES = 4 * 1024

/** Staff write reasons and notes. It counts only after their session was found valid, as do their long texts. */
const STAFF_BODY_MAX_BYTES = 16 * 1024

/** The most bytes for one UTF-16 unit of text in a form: three of UTF-8, each written as `%E4`. */
const BYTES_OF_A_UNIT = 9

/** The most names in a query or a form; further ones are ignored. */
const FIELDS_MAX = 64

/** The largest body of a call in bytes, except for forms with a file. */
export function bodyLimitOf({ auth, longText }: Pick<Route, 'auth' | 'longText'>): number {
  if (auth !== 'staff') return BODY_MAX_BYTES
  return STAFF_BODY_MAX_BYTES + (longText?.max ?? 0) * BYTES_OF_A_UNIT
}

/** The fields of a query or of a form's body; a repeated name becomes a list. */
export function queryFields(text: string): Record<string, unknown> {
  return parse(text, '&', '=', { maxKeys: FIELDS_MAX })
}

/** JSON and forms, each as an object with fields; any other JSON value becomes an empty object. */
export async function readBodies(fastify: FastifyInstance): Promise<void> {
  await fastify.register(formbody, { parser: queryFields })
  const parseJson = fastify.getDefaultJsonParser('error', 'error')
  fastify.removeContentTypeParser(['application/json', 'text/plain'])
  fastify.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, body, done) => {
      parseJson(request, body, (error, value) => done(error, isPlainObject(value) ? value : {}))
    },
  )
}

/**
 * The language of any request, also of one that no route answers. If a limit refused the request before its body was
 * read, the browser's language is used.
 */
export function languageOfRequest(request: FastifyRequest): Language {
  const requested = langIn(request.body) ?? langIn(request.query)
  if (requested === undefined && hasUnreadBody(request)) {
    const preferred = (request.headers['accept-language'] ?? '').slice(0, 100).split(',')
    return languageForBrowser(preferred.map((tag) => tag.split(';', 1)[0]?.trim() ?? ''))
  }
  return languageOf(requested)
}

/** Whether the request has a body that nothing has read. */
export function hasUnreadBody({ body, headers, raw }: FastifyRequest): boolean {
  const carries = 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0
  return carries && body === undefined && raw.method !== 'GET'
}

function langIn(fields: unknown): unknown {
  return isPlainObject(fields) && Object.hasOwn(fields, 'lang') ? fields.lang : undefined
}

/** Plain objects only: no list, no text, no instance of a class. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  // Without a prototype, or with one that has no prototype itself, like the objects of JSON and of parsers.
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
