/**
 * How bodies and queries are read: small ones alone, as plain objects, after the limits. What a
 * stranger sends is read by the thread that serves everybody.
 */
import { parse } from 'node:querystring'
import formbody from '@fastify/formbody'
import type { Route } from '@sum28/contract/route.ts'
import { type Language, languageForBrowser, languageOf } from '@sum28/i18n/languages.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** The largest body of a player's call, some times what any of them needs. */
export const BODY_MAX_BYTES = 4 * 1024

/** Staff write reasons and notes. */
const STAFF_BODY_MAX_BYTES = 16 * 1024

/** The most bytes that one UTF-16 unit of text becomes, in a form: three of UTF-8, each written as `%E4`. */
const BYTES_OF_A_UNIT = 9

/** Names in a query or a form; further ones are passed over. */
const FIELDS_MAX = 64

/** The largest body of a call, a file's form apart, in bytes. */
export function bodyLimitOf({ auth, longText }: Pick<Route, 'auth' | 'longText'>): number {
  if (auth !== 'staff') return BODY_MAX_BYTES
  return STAFF_BODY_MAX_BYTES + (longText?.max ?? 0) * BYTES_OF_A_UNIT
}

/** The fields of a query or of a form's body; a name that stands there more than once is a list. */
export function queryFields(text: string): Record<string, unknown> {
  return parse(text, '&', '=', { maxKeys: FIELDS_MAX })
}

/** JSON and forms, each as an object with fields; whatever else JSON can be is an empty one. */
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
 * The language that any request asks for, also one that no route answers. Of a body that was not read,
 * because a limit stood before it, nobody knows: then it is the browser's.
 */
export function languageOfRequest(request: FastifyRequest): Language {
  const asked = langIn(request.body) ?? langIn(request.query)
  if (asked === undefined && hasUnreadBody(request)) {
    const preferred = (request.headers['accept-language'] ?? '').slice(0, 100).split(',')
    return languageForBrowser(preferred.map((tag) => tag.split(';', 1)[0]?.trim() ?? ''))
  }
  return languageOf(asked)
}

/** Whether more of the request is to come than its head, and nobody has read it. */
export function hasUnreadBody({ body, headers, raw }: FastifyRequest): boolean {
  const carries = 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0
  return carries && body === undefined && raw.method !== 'GET'
}

function langIn(fields: unknown): unknown {
  return isPlainObject(fields) && Object.hasOwn(fields, 'lang') ? fields.lang : undefined
}

/** What has fields by name: no list, no text, nothing of a class. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  // What has no prototype, or one that stands alone, as those of JSON and of parsers' objects do.
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
