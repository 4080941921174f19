/**
 * Each field of each call, in each form, by the hand-written requests of testing/captured-requests.json. The server's
 * test of the same name sends them.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { ALL_DOWNLOADS, ALL_ROUTES, ALL_STREAMS } from './all-routes.ts'
import { STAFF_ROUTES } from './all-staff-routes.ts'
import { readFields } from './read-fields.ts'
import type { Auth } from './route.ts'

type Fields = Record<string, unknown>

type Captured = {
  call: string
  name?: string
  auth: Auth | 'cookie'
  good: Fields
  optional?: Fields
  malformed?: Fields[]
}

const { calls }: { calls: Captured[] } = JSON.parse(
  readFileSync(new URL('../testing/captured-requests.json', import.meta.url), 'utf8'),
)

const ROUTES = [...ALL_ROUTES, ...ALL_DOWNLOADS, ...ALL_STREAMS, ...STAFF_ROUTES]

/** What stands in this test for what the server's test prepares; the number of a row for all else. */
const PREPARED: Fields = {
  $username: 'ann_1',
  $email: 'ann@example.org',
  $password: 'a long enough passphrase',
  $staffPassword: 'a long enough passphrase',
  $staffName: 'ann',
  $colleague: 'ann',
  $orderNo: 'an-order',
  $reference: 'BANK-REF-1',
  $wallet: 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH',
  $today: '2026-11-20',
  $issue: '20261120001',
  $securityCode: '271828',
  $registerCode: '271828',
  $resetCode: '271828',
  $totp: '271828',
}

function filled(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' && value.startsWith('$') ? (PREPARED[value] ?? 7) : value,
    ]),
  )
}

/** Fields that no call has, or not this one; as text, for `__proto__` is a field only in JSON. */
const POLLUTION =
  '{"host":"h","lang":"en","money":"9","group_id":1,"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}'

/** Text that may also be sent as a number, though it has not only digits. */
const NUMBERS_TOO = ['account', 'username', 'play_type', 'acc_name', 'sub']

/** The same value in its other form: a number for its digits, and the digits for a number. */
function otherForm(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return /^\d+$/.test(String(value)) ? Number(value) : undefined
}

const NAMED = calls.map(
  (captured) => [[captured.call, captured.name ?? ''].join(' ').trim(), captured] as const,
)

describe.each(NAMED)('%s', (_name, { call, auth, good, optional = {}, malformed = [] }) => {
  const route = ROUTES.find(({ method, path }) => `${method} ${path}` === call)

  /** The faults of the good request with a change. */
  function faults(change: Fields): Readonly<Record<string, string>> {
    if (!route) throw new Error(`the contract has no ${call}`)
    const longText = 'longText' in route ? route.longText : undefined
    const read = readFields(route.request, { ...filled(good), ...filled(change) }, longText)
    return read.ok ? {} : read.faults
  }

  it('has the caller and each field of the contract, and no other', () => {
    expect(route?.auth).toBe(auth === 'cookie' ? 'none' : auth)
    expect(Object.keys({ ...good, ...optional }).toSorted()).toEqual(
      Object.keys(route?.request.def.shape ?? {}).toSorted(),
    )
  })

  it('is read with each field as text, as a number, null and as an empty text', () => {
    expect(faults({})).toEqual({})
    for (const [field, value] of Object.entries(filled({ ...good, ...optional }))) {
      const other = otherForm(value)
      expect(faults({ [field]: value }), `${field} as it is`).toEqual({})
      if (other !== undefined) expect(faults({ [field]: other }), `${field} ${other}`).toEqual({})
      else if (!NUMBERS_TOO.includes(field))
        expect(faults({ [field]: 5 }), `${field} as a number`).toHaveProperty(field)
      for (const empty of [null, '']) {
        const missing = Object.keys(faults({ [field]: empty }))
        expect(missing, `${field} as ${empty}`).toEqual(field in optional ? [] : [field])
      }
    }
  })

  it('drops unknown fields, also host and lang, and lets no field set a prototype', () => {
    if (!route) throw new Error(`the contract has no ${call}`)
    const polluted = { ...JSON.parse(POLLUTION), ...filled({ ...good, ...optional }) }
    const read = readFields(route.request, polluted)
    expect(read).toMatchObject({ ok: true })
    // The schema alone must drop them too.
    for (const input of [read.ok ? read.input : {}, z.parse(route.request, polluted)]) {
      expect(Object.keys(route.request.def.shape)).toEqual(
        expect.arrayContaining(Object.keys(input)),
      )
      expect(Object.getPrototypeOf(input)).toBe(Object.prototype)
      expect('admin' in input).toBe(false)
    }
    expect('admin' in {}).toBe(false)
  })

  for (const change of malformed)
    it(`is malformed with ${JSON.stringify(change)}`, () => {
      expect(Object.keys(change)).toContain(Object.keys(faults(change))[0])
    })
})

it('the captured requests are of every call that there is, and of no other', () => {
  const captured = [...new Set(calls.map(({ call }) => call))]
  expect(captured.toSorted()).toEqual(
    ROUTES.map(({ method, path }) => `${method} ${path}`).toSorted(),
  )
})
