import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { ALL_DOWNLOADS, ALL_ROUTES, ALL_STREAMS } from './all-routes.ts'
import { defineRoute } from './define-route.ts'
import { openApi } from './openapi.ts'

type Operation = {
  summary: string
  security?: unknown
  parameters?: { name: string; in: string; required: boolean; schema: object }[]
  requestBody?: {
    content: { 'application/json': { schema: { required?: string[]; properties?: object } } }
  }
  responses: Record<string, unknown>
}
type Description = {
  openapi: string
  info: { title: string; version: string }
  components: {
    securitySchemes: object
    responses: Record<
      string,
      { content: { 'application/json': { schema: { properties: { data: object } } } } }
    >
  }
  paths: Record<string, Record<string, Operation>>
}

const described = openApi(ALL_ROUTES, '0.1.0-test') as Description
const text = JSON.stringify(described)

describe('the OpenAPI description', () => {
  it('is JSON, of version 3.1, and has the build’s version', () => {
    expect(JSON.parse(text)).toEqual(described)
    expect(described.openapi).toBe('3.1.0')
    expect(described.info.version).toBe('0.1.0-test')
    expect(described.components.securitySchemes).toEqual({
      token: { type: 'apiKey', in: 'header', name: 'Token' },
    })
  })

  it('says which calls take a file', () => {
    const { content } = described.paths['/api/Common/upload']?.post?.requestBody ?? {}
    expect(content).toMatchObject({
      'multipart/form-data': { schema: { properties: { file: { format: 'binary' } } } },
    })
    const { content: plain } = described.paths['/api/user/login']?.post?.requestBody ?? {}
    expect(Object.keys(plain ?? {})).toEqual(['application/json'])
  })

  it('lists every route once and nothing else', () => {
    const listed = Object.entries(described.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method} ${path}`),
    )
    const routes = ALL_ROUTES.map((route) => `${route.method.toLowerCase()} ${route.path}`)
    expect(listed.sort()).toEqual(routes.sort())
  })

  it.each(ALL_ROUTES.map((route) => [route.path, route] as const))(
    'describes %s',
    (path, route) => {
      const operation = described.paths[path]?.[route.method.toLowerCase()]
      if (!operation) return expect.fail('not described')
      expect(operation.summary).toBe(route.summary)
      expect(operation.security).toEqual(route.auth === 'none' ? undefined : [{ token: [] }])
      expect(Object.keys(operation.responses)).toEqual(['200', 'default'])
      const { properties } = operation.requestBody?.content['application/json'].schema ?? {}
      const names = operation.parameters?.map(({ name }) => name) ?? Object.keys(properties ?? {})
      expect(names).toContain('lang')
      expect(operation.parameters !== undefined).toBe(route.method === 'GET')
      expect(operation.requestBody !== undefined).toBe(route.method === 'POST')
    },
  )

  it('requires exactly what a call needs', () => {
    const requiredBy = (path: string) =>
      described.paths[path]?.post?.requestBody?.content['application/json'].schema.required ?? []
    expect(requiredBy('/api/user/login')).toEqual(['account', 'password'])
    expect(requiredBy('/api/user/register')).toEqual(['password'])
    expect(requiredBy('/api/user/orderList')).toEqual([])
    expect(requiredBy('/api/Lottery/playOrder')).toEqual([
      'issue',
      'plan_id',
      'game_id',
      'play_type',
      'money',
    ])
  })

  it('says how anything but a 200 is answered', () => {
    const { refused } = described.components.responses
    const { data } = refused?.content['application/json'].schema.properties ?? {}
    expect(data).toMatchObject({ required: ['reason'], properties: { cause: {}, fields: {} } })
  })

  it('gives the data or a refusal as the reply', () => {
    const schema = text.match(/"data":\{"anyOf":\[/g) ?? []
    expect(schema).toHaveLength(ALL_ROUTES.length)
    expect(text).toContain('"account_or_password_wrong"')
  })

  it('describes the fields of a GET as its query, and two methods of one path', () => {
    const shared = { path: '/api/test/thing', auth: 'none', rate: 'read' } as const
    const reply = z.null()
    const read = defineRoute({
      ...shared,
      method: 'GET',
      summary: 'Reads',
      request: z.object({ id: z.string(), page: z.optional(z.int()) }),
      reply,
    })
    const write = defineRoute({
      ...shared,
      method: 'POST',
      summary: 'W',
      request: z.object({}),
      reply,
    })
    const { paths } = openApi([read, write], '1') as Description
    expect(Object.keys(paths['/api/test/thing'] ?? {})).toEqual(['get', 'post'])
    expect(paths['/api/test/thing']?.get?.parameters).toMatchObject([
      { name: 'id', in: 'query', required: true, schema: { type: 'string' } },
      { name: 'page', in: 'query', required: false, schema: { type: 'integer' } },
      { name: 'lang', in: 'query', required: false, schema: { type: 'string' } },
    ])
  })

  it('describes a file by its type, and its refusals as envelopes', () => {
    const { paths } = openApi(ALL_DOWNLOADS, '1') as Description
    const { responses } = paths['/api/user/orderCsv']?.get ?? expect.fail('not described')
    const { content } = responses[200] as { content: Record<string, object> }
    expect(Object.keys(content)).toEqual(['text/csv', 'application/json'])
  })

  it('describes a stream by the data of each event, and its refusals as envelopes', () => {
    const { paths } = openApi(ALL_STREAMS, '1') as Description
    const eventsAt = (path: string) => {
      const { responses } = paths[path]?.get ?? expect.fail('not described')
      const { content } = responses[200] as { content: Record<string, { 'x-events'?: object }> }
      expect(Object.keys(content)).toEqual(['text/event-stream', 'application/json'])
      return Object.keys(content['text/event-stream']?.['x-events'] ?? {})
    }
    expect(eventsAt('/api/Lottery/stream')).toEqual(['round', 'feed', 'money', 'win', 'own'])
    expect(eventsAt('/api/Lottery/gamesStream')).toEqual(['begin', 'games', 'draws', 'own'])
    for (const path of ['/api/Lottery/stream', '/api/Lottery/gamesStream']) {
      expect(paths[path]?.get?.security, path).toEqual([{}, { token: [] }])
    }
  })

  it('contains no values: no example, default, address, or staff path', () => {
    const keys = new Set<string>()
    JSON.stringify(described, (key, value) => {
      // One is the response of any other status.
      if (value?.$ref === undefined) keys.add(key)
      return value
    })
    for (const key of ['example', 'examples', 'default', 'const', 'servers', '$schema'])
      expect(keys).not.toContain(key)
    expect(text).not.toMatch(/https?:|localhost|127\.0\.0\.1|\/dev\/|console|staff/i)
  })
})
