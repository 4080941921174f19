/**
 * How the parts of a request are read: its path, its language, and its body or query.
 *
 * Bodies are small and become plain objects, after the rate limits: the thread that parses what strangers send also
 * serves all players.
 */
import { parse } from 'node:querystring'
import formbody from '@fastify/formbody'
import type { FastifyMultipartBaseOptions } from '@fastify/multipart'
import { FILE_MAX_BYTES, type Route } from '@sum28/contract/route.ts'
import {
  type Language,
  languageForBrowser,
  languageOf,
  namedLanguage,
} from '@sum28/i18n/languages.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { SentFile } from './call.ts'

/** The largest body of a player's call: more than the longest texts of any of them need in a form. */
export const BODY_MAX_BYTES = 8 * 1024

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

/** JSON and forms, each as an object with fields; any other JSON value, or none, becomes an empty object. */
export async function readBodies(fastify: FastifyInstance): Promise<void> {
  await fastify.register(formbody, { parser: queryFields })
  const parseJson = fastify.getDefaultJsonParser('error', 'error')
  fastify.removeContentTypeParser(['application/json', 'text/plain'])
  fastify.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, body, done) => {
      // Many clients name the type on every request, also on one whose call has no field.
      if (body === '') return done(null, {})
      parseJson(request, body, (error, value) => done(error, isPlainObject(value) ? value : {}))
    },
  )
}

/**
 * The language of any request, also of one that no route answers. If a limit refused the request before its body was
 * read, the browser's language is used.
 */
export function languageOfRequest(request: FastifyRequest): Language {
  const requested = requestedLanguage(request)
  if (requested === undefined && hasUnreadBody(request)) {
    const preferred = (request.headers['accept-language'] ?? '').slice(0, 100).split(',')
    return languageForBrowser(preferred.map((tag) => tag.split(';', 1)[0]?.trim() ?? ''))
  }
  return languageOf(requested)
}

/** The language that a request itself names; null if it names none of ours. */
export function languageNamedBy(request: FastifyRequest): Language | null {
  return namedLanguage(requestedLanguage(request))
}

function requestedLanguage({ body, query }: FastifyRequest): unknown {
  return langIn(body) ?? langIn(query)
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

/** Scheme and host, where a request names its whole address (RFC 9112, 3.2.2). */
const ORIGIN = /^https?:\/\/[^/?#]*/i

/**
 * The path of the route that answers, such as `/api/user/login` or `/uploads/:name`; without a route, the request's
 * path in decoded form. The address as it was sent decides nothing: `/%61pi` is the same path as `/api`.
 */
export function pathOf({ url, routeOptions }: FastifyRequest): string {
  // Only the route of all OPTIONS requests has no path of its own.
  if (routeOptions.url?.startsWith('/')) return routeOptions.url
  return decodeURI(url.replace(ORIGIN, '').split(/[?#]/, 1)[0] ?? '')
}

/** The limits; a larger form gets 413. */
export const FORM_OPTIONS = {
  limits: {
    fieldNameSize: 100,
    fieldSize: 4 * 1024,
    fields: 10,
    files: 1,
    parts: 11,
    headerPairs: 20,
    fileSize: FILE_MAX_BYTES,
  },
  // The file name is kept as sent: a name that tries to be a path is refused, not corrected.
  preservePath: true,
} satisfies FastifyMultipartBaseOptions & { preservePath: boolean }

/**
 * Reads the fields of a form and the file in the part of this name; a file in another part is ignored.
 *
 * @throws an error that the server answers with 413 (too large) or 400 (incomplete)
 */
export async function readForm(
  request: FastifyRequest,
  name: string,
): Promise<{ fields: Record<string, unknown>; file: SentFile | null }> {
  const fields: Record<string, unknown> = {}
  let file: SentFile | null = null
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') {
        const bytes = await part.toBuffer()
        // A form sends a part without a name and bytes for a field in which no file was chosen.
        const isChosen = Boolean(part.filename) || bytes.length > 0
        if (part.fieldname === name && isChosen) file = { name: part.filename ?? '', bytes }
      } else {
        fields[part.fieldname] = part.value
      }
    }
  } catch (error) {
    // The parser sets the status of some faults of a form, but not of others.
    const { statusCode = 400 } = error as { statusCode?: number }
    throw Object.assign(new Error('the form cannot be read', { cause: error }), { statusCode })
  }
  return { fields, file }
}
