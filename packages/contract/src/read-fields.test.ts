import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { FIELD_CASES } from '../testing/field-cases.ts'
import { ALL_DOWNLOADS, ALL_ROUTES, ALL_STREAMS } from './all-routes.ts'
import { STAFF_DOWNLOADS, STAFF_ROUTES } from './all-staff-routes.ts'
import { FIELD_CHARS_MAX, FIELD_ITEMS_MAX, type RequestSchema, readFields } from './read-fields.ts'
import { HTML_CHARS_MAX, saveAbout, savePieceText } from './staff-content-routes.ts'
import { memberSignUp, visitorSignUp } from './user-routes.ts'

type Asked = {
  path: string
  request: RequestSchema
  longText?: { field: string; max: number }
}

/** Every call that a file of the contract declares, also those in no list. */
const declared: Asked[] = []
for (const file of readdirSync(import.meta.dirname)) {
  if (!/^(.*-routes|stream)\.ts$/.test(file)) continue
  const exported: Record<string, unknown> = await import(`./${file}`)
  for (const each of Object.values(exported))
    if (typeof each === 'object' && each !== null && 'path' in each && 'request' in each)
      declared.push(each as Asked)
}

const SCHEMAS: [string, RequestSchema][] = [
  ...declared.map(({ path, request }) => [path, request] as [string, RequestSchema]),
  ['a member who signs up', memberSignUp],
  ['a visitor who signs up', visitorSignUp],
]

/** What the walk below needs from any schema. */
type Definition = {
  type: string
  shape: Record<string, z.core.$ZodType>
  innerType: z.core.$ZodType
  element: z.core.$ZodType
  in: z.core.$ZodType
  out: z.core.$ZodType
  options: z.core.$ZodType[]
  checks?: { _zod: { def: { check: string; maximum?: number; pattern?: RegExp } } }[]
}

function isAscii({ checks = [] }: Definition): boolean {
  return checks.some(({ _zod: { def } }) =>
    /^\^\[\\w-\]\+\$$|^\^https.*\[\\x21-\\x7e\]\*\$$/.test(def.pattern?.source ?? ''),
  )
}

/** The places of a schema where a text or list has no maximum length, or too large a one. */
function unbounded(schema: z.core.$ZodType, at: string, depth = 0): string[] {
  const def = schema._zod.def as unknown as Definition
  const lengths = (def.checks ?? []).flatMap(({ _zod: { def: check } }) =>
    check.check === 'max_length' ? [check.maximum ?? Number.POSITIVE_INFINITY] : [],
  )
  const max = Math.min(Number.POSITIVE_INFINITY, ...lengths)
  const within = (inner: z.core.$ZodType) => unbounded(inner, at, depth)
  switch (def.type) {
    case 'object':
      if (depth > 0) return [`${at} is an object within a request`]
      return Object.entries(def.shape).flatMap(([name, inner]) =>
        unbounded(inner, `${at}.${name}`, 1),
      )
    case 'string':
      // A character may be two UTF-16 units, but not in base64url or an address.
      return max * (isAscii(def) ? 1 : 2) <= FIELD_CHARS_MAX ? [] : [`${at} is text of any length`]
    case 'array':
      if (depth > 1) return [`${at} is a list within a list`]
      return [
        ...(max <= FIELD_ITEMS_MAX ? [] : [`${at} is a list of any length`]),
        ...unbounded(def.element, `${at}[]`, 2),
      ]
    case 'optional':
    case 'nullable':
      return within(def.innerType)
    case 'pipe':
      return [...within(def.in), ...within(def.out)]
    case 'union':
      return def.options.flatMap(within)
    // A field of any type is checked by type and not read further.
    case 'unknown':
    case 'transform':
    case 'number':
    case 'enum':
      return []
    default:
      return [`${at} is ${def.type}, of which this test does not know whether it is bounded`]
  }
}

describe('a request', () => {
  it('is checked here for every declared call', () => {
    const listed = [
      ...[...ALL_ROUTES, ...ALL_DOWNLOADS, ...ALL_STREAMS],
      ...STAFF_ROUTES,
      // The file of a list takes the fields of the list.
      ...STAFF_DOWNLOADS.filter(
        (file) => !STAFF_ROUTES.some(({ request }) => request === file.request),
      ),
    ]
    const paths = declared.map(({ path }) => path)
    expect(paths.toSorted()).toEqual(listed.map(({ path }) => path).toSorted())
    expect(paths.length).toBeGreaterThan(60)
  })

  it.each(SCHEMAS)('of %s has a maximum length for every text and list', (path, request) => {
    const { longText } = declared.find((route) => route.path === path) ?? {}
    const allowed = longText ? [`${path}.${longText.field} is text of any length`] : []
    expect(unbounded(request, path)).toEqual(allowed)
  })

  it('has longer text in the calls of content alone, and a maximum there too', () => {
    const long = declared.flatMap(({ path, request, longText }) =>
      longText ? [{ path, request, ...longText }] : [],
    )
    expect(long.map(({ path }) => path)).toEqual([savePieceText.path, saveAbout.path])
    for (const { request, field, max } of long) {
      expect(max).toBe(HTML_CHARS_MAX)
      const faultOf = (length: number) => {
        const read = readFields(request, { [field]: 'x'.repeat(length) }, { field, max })
        return read.ok ? null : read.faults[field]
      }
      expect(faultOf(max)).toBeUndefined()
      expect(faultOf(max + 1)).toBe('too_long')
    }
  })

  it('with an unlimited text or list is found by this test', () => {
    const countOf = (field: z.core.$ZodType) => unbounded(z.object({ field }), 'x').length
    expect(countOf(z.string())).toBe(1)
    expect(countOf(z.optional(z.string().check(z.minLength(1))))).toBe(1)
    expect(countOf(z.string().check(z.maxLength(100_000)))).toBe(1)
    expect(countOf(z.union([z.number(), z.string()]))).toBe(1)
    expect(countOf(z.array(z.number()))).toBe(1)
    expect(countOf(z.array(z.string()).check(z.maxLength(5)))).toBe(1)
    expect(countOf(z.array(z.array(z.int()).check(z.maxLength(5))).check(z.maxLength(5)))).toBe(1)
    expect(countOf(z.object({ inner: z.int() }))).toBe(1)
    expect(countOf(z.record(z.string(), z.int()))).toBe(1)
    expect(countOf(z.string().check(z.maxLength(5)))).toBe(0)
  })
})

describe('any field', () => {
  const request = z.object(
    Object.fromEntries(
      FIELD_CASES.map(({ schema }, place) => [`field${place}`, schema as z.ZodMiniType]),
    ),
  )

  it('is absent when it is null or an empty text', () => {
    const absent = readFields(request, {})
    for (const empty of [null, '']) {
      const carried = Object.fromEntries(
        Object.keys(request.def.shape).map((name) => [name, empty]),
      )
      expect(readFields(request, carried)).toEqual(absent)
    }
    const optional = z.object({ field: z.optional(z.string().check(z.maxLength(3))) })
    for (const empty of [undefined, null, ''])
      expect(readFields(optional, { field: empty })).toEqual({ ok: true, input: {} })
    for (const text of ['0', ' '])
      expect(readFields(optional, { field: text })).toEqual({ ok: true, input: { field: text } })
  })

  it('is not read by its schema when it is longer than any field may be', () => {
    const list = Array.from({ length: FIELD_ITEMS_MAX + 1 }, () => 1)
    for (const value of [
      'x'.repeat(FIELD_CHARS_MAX + 1),
      list,
      ['x'.repeat(FIELD_CHARS_MAX + 1)],
    ]) {
      let looks = 0
      const seen = z.object({
        field: z.pipe(
          z.unknown(),
          z.transform((each) => {
            looks += 1
            return each
          }),
        ),
      })
      expect(readFields(seen, { field: value })).toEqual({
        ok: false,
        faults: { field: 'too_long' },
      })
      expect(looks).toBe(0)
    }
  })

  it('that no schema names is not read, and a prototype is not a field', () => {
    const one = z.object({ field: z.optional(z.string().check(z.maxLength(3))) })
    const carried = JSON.parse('{"__proto__":{"field":"abc"},"other":{"deep":[[[[1]]]]}}')
    expect(readFields(one, carried)).toEqual({ ok: true, input: {} })
    expect(readFields(one, Object.create({ field: 'abc' }))).toEqual({ ok: true, input: {} })
  })

  it.each([undefined, null, 'field', 5, true, [['field', 'abc']]])('is absent in %j', (carried) => {
    const one = z.object({ field: z.string({ error: 'required' }).check(z.maxLength(3)) })
    expect(readFields(one, carried)).toEqual({ ok: false, faults: { field: 'required' } })
  })
})
