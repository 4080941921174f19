/** The player API as an OpenAPI 3.1 description, made from the routes' own schemas. */
import * as z from 'zod/mini'
import type { Route } from './route.ts'

/** Describes routes; `version` is the build's. */
export function openApi(routes: readonly Route[], version: string): object {
  return {
    openapi: '3.1.0',
    info: { title: 'Sum28 player API', version },
    components: {
      securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'Token' } },
    },
    paths: Object.fromEntries(
      routes.map((route) => [route.path, { [route.method.toLowerCase()]: operation(route) }]),
    ),
  }
}

function operation(route: Route): object {
  const request = schemaOf(route.request, 'input')
  return {
    summary: route.summary,
    ...(route.auth === 'none' ? {} : { security: [{ token: [] }] }),
    ...(route.method === 'GET'
      ? { parameters: queryParameters(request) }
      : { requestBody: { content: { 'application/json': { schema: request } } } }),
    responses: {
      200: {
        description: 'code 1 with the data, or code 0 with the reason of a refusal',
        content: {
          'application/json': { schema: envelopeSchema(schemaOf(route.reply, 'output')) },
        },
      },
    },
  }
}

function envelopeSchema(data: object): object {
  return {
    type: 'object',
    required: ['code', 'msg', 'time', 'data'],
    properties: { code: { type: 'integer' }, msg: {}, time: { type: 'string' }, data },
  }
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
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as {
    properties?: Record<string, object>
    required?: string[]
  }
}
