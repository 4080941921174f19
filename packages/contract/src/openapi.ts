/** The API as an OpenAPI 3.1 description, made from the schemas of the routes. */
import * as z from 'zod/mini'
import { REASONS } from './envelope.ts'
import type { Download, Route } from './route.ts'
import { TEXT_LANGUAGES } from './staff-content-routes.ts'
import type { Stream } from './stream.ts'

type Call = Route | Download | Stream

/** Describes routes, downloads and streams; `version` is the build's. */
export function openApi(routes: readonly Call[], version: string): object {
  return {
    openapi: '3.1.0',
    info: { title: 'Sum28 API', version, description: DESCRIPTION },
    components: {
      securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'Token' } },
      responses: { refused: REFUSED },
    },
    paths: pathsOf(routes),
  }
}

const DESCRIPTION = `A body is JSON or a form. Texts of answers and mails are in the language of the field lang, and
English without it. An optional field that is null or an empty text is absent, in every call. A call that
changes something may carry the header Idempotency-Key, 1 to 255 visible ASCII characters: repeated
with the same input it is answered as the first time, with the header Idempotency-Replayed. A refused
order is judged again. The last event of a stream is end, whose data is the envelope of a refusal; after is the id of
the last feed entry that the client has, behind which the feed continues.`

const LANG = { type: 'string', enum: TEXT_LANGUAGES }

/** Operations by path and method; two routes may share a path. */
function pathsOf(routes: readonly Call[]): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) }
  }
  return paths
}

function operation(route: Call): object {
  const fields = schemaOf(route.request, 'input')
  const request = { ...fields, properties: { ...fields.properties, lang: LANG } }
  return {
    summary: route.summary,
    ...securityOf(route),
    ...(route.method === 'GET'
      ? { parameters: queryParameters(request) }
      : { requestBody: { content: bodies('file' in route ? route.file : undefined, request) } }),
    responses: {
      200: {
        description: 'code 1 with the data, or code 0 with the reason of a refusal',
        content: content(route),
      },
      default: { $ref: '#/components/responses/refused' },
    },
  }
}

/** The same fields as JSON or as a form; only the form can carry a file. */
function bodies(file: string | undefined, request: ReturnType<typeof schemaOf>): object {
  const json = { 'application/json': { schema: request } }
  if (file === undefined) return json
  const properties = { ...request.properties, [file]: { type: 'string', format: 'binary' } }
  return { ...json, 'multipart/form-data': { schema: { ...request, properties } } }
}

function content(route: Call): object {
  if ('reply' in route) return envelope(schemaOf(route.reply, 'output'))
  return 'events' in route ? eventStream(route) : file(route)
}

function envelope(data: object): object {
  return { 'application/json': { schema: envelopeSchema({ anyOf: [data, REFUSAL_SCHEMA] }) } }
}

/** A file on success; a refusal is an envelope. */
function file({ mediaType }: Download): object {
  return { [mediaType]: { schema: { type: 'string' } }, ...envelope({ type: 'null' }) }
}

/** A stream takes a token though it needs none. */
function securityOf(route: Call): object {
  if (route.auth !== 'none') return { security: [{ token: [] }] }
  return 'events' in route ? { security: [{}, { token: [] }] } : {}
}

/**
 * OpenAPI 3.1 cannot describe the events of a stream, so their schemas are in an extension, by
 * name. A refusal is an envelope.
 */
function eventStream({ events }: Stream): object {
  const named = Object.entries(events).map(([name, data]) => [name, schemaOf(data, 'output')])
  return {
    'text/event-stream': { schema: { type: 'string' }, 'x-events': Object.fromEntries(named) },
    ...envelope({ type: 'null' }),
  }
}

function envelopeSchema(data: object): object {
  return {
    type: 'object',
    required: ['code', 'msg', 'time', 'data'],
    properties: {
      code: { type: 'integer' },
      msg: {},
      time: { type: 'string' },
      data,
    },
  }
}

const REFUSAL_SCHEMA = {
  type: 'object',
  required: ['reason'],
  properties: {
    reason: { type: 'string', enum: REASONS },
    fields: { type: 'object', additionalProperties: { type: 'string' } },
    retry_after: { type: 'integer' },
    cause: { type: 'string' },
    request_id: { type: 'string' },
  },
}

const REFUSED = {
  description: `The envelope of what is no business refusal, with the code of its status, but 401, 50008, 50012 or 50014
with status 401: 400 names what is wrong in fields; of 429 the header Retry-After and retry_after say in how many seconds to
try again; of 503 with the cause timeout the call may have been done, so that it is to be sent again with the same key`,
  content: { 'application/json': { schema: envelopeSchema(REFUSAL_SCHEMA) } },
}

function queryParameters(schema: { properties?: Record<string, object>; required?: string[] }) {
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    in: 'query',
    required: schema.required?.includes(name) ?? false,
    schema: property,
  }))
}

function schemaOf(schema: z.core.$ZodType, io: 'input' | 'output') {
  // OpenAPI 3.1 uses JSON Schema 2020-12; parts of a document do not repeat the dialect.
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return described as { properties?: Record<string, object>; required?: string[] }
}
