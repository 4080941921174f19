import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { FIELD_CASES } from '../testing/field-cases.ts'
import { dayRangeFault, instant, pageFields, tick } from './fields.ts'
import { playOrder } from './lottery-routes.ts'
import { setPayInfo } from './money-routes.ts'
import { readFields } from './read-fields.ts'
import { login, memberSignUp, orderList, register, sendCode, visitorSignUp } from './user-routes.ts'

/** The value that a schema reads, or its fault. */
function read(schema: z.core.$ZodType, value: unknown): unknown {
  const parsed = z.safeParse(schema, value)
  return parsed.success ? { taken: parsed.data } : parsed.error.issues.map((each) => each.message)
}

/** The faults by field. */
function faults(schema: z.core.$ZodType, value: unknown): Record<string, string> {
  const parsed = z.safeParse(schema, value)
  if (parsed.success) return {}
  return Object.fromEntries(
    parsed.error.issues.map((each) => [each.path.join('.'), each.message] as const),
  )
}

describe.each(FIELD_CASES)('$field', ({ schema, taken, refused }) => {
  it.each(taken)('accepts %j', (value, result) => {
    expect(read(schema, value)).toEqual({ taken: result })
  })

  it.each(refused)('is refused as %s', (fault, values) => {
    for (const value of values) {
      const result = read(schema, value)
      expect([value, Array.isArray(result) && result[0]]).toEqual([value, fault])
    }
  })
})

describe('any field', () => {
  it('accepts or refuses any JSON value, with a catalog key and without throwing', () => {
    const schemas = FIELD_CASES.map((each) => each.schema)
    fc.assert(
      fc.property(fc.constantFrom(...schemas), fc.jsonValue(), (schema, value) => {
        const result = read(schema, value)
        if (Array.isArray(result)) for (const word of result) expect(word).toMatch(/^[a-z_]+$/)
      }),
      { numRuns: 3000 },
    )
  })
})

describe('a payee', () => {
  const saved = { type: 0, acc: 'Ann Lee', acc_name: '4111111111111111', acc_bank: 'Bank (Asia)' }
  const named = (text: string) =>
    Object.keys(faults(setPayInfo.request, { ...saved, acc: text, acc_bank: text, sub_name: text }))

  it.each(['Ann Lee', 'Ann-Lee & Co.', "O'Neil, Ann", '李安'])('may be called %j', (text) => {
    expect(named(text)).toEqual([])
  })

  it.each(['=1+1', '@Ann', '-Ann', '＋Ann', 'Ann;=1+1', 'Ann\t=1', 'Ann\n=1', 'Ann|Lee'])(
    'is refused if a bank’s program could read %j as a formula or as two cells',
    (text) => {
      expect(named(text)).toEqual(['acc', 'acc_bank', 'sub_name'])
    },
  )

  it('is saved without marks of direction, behind which other letters and digits would be shown', () => {
    const marked = { ...saved, acc: '\u202eAnn\u2066 Lee', acc_bank: '\u200fBank (Asia) \u061c' }
    expect(read(setPayInfo.request, marked)).toMatchObject({ taken: saved })
    expect(named('\u202e=1+1')).toEqual(['acc', 'acc_bank', 'sub_name'])
  })

  it('may have digits as JSON numbers, as long as none of them is lost', () => {
    const digits = { acc_name: '4242424242424242', sub: '12345' }
    const numbers = { acc_name: 4_242_424_242_424_242, sub: 12_345 }
    expect(read(setPayInfo.request, { ...saved, ...numbers })).toEqual({
      taken: { ...saved, ...digits },
    })
    expect(
      Object.keys(faults(setPayInfo.request, { ...saved, acc_name: 2 ** 60, sub: 1.5 })),
    ).toEqual(['acc_name', 'sub'])
  })

  it('may have no branch', () => {
    expect(read(setPayInfo.request, { ...saved, sub: ' ' })).toMatchObject({ taken: saved })
  })
})

it('an instant is one that a clock can show', () => {
  expect(read(instant, '253402300799')).toEqual({ taken: 253_402_300_799 })
  expect(faults(z.object({ instant }), { instant: 253_402_300_800 })).toEqual({ instant: 'number' })
})

describe('a tick', () => {
  it.each([true, 1, '1', 'true', 'on'])('is ticked by %j', (value) => {
    expect(read(tick, value)).toEqual({ taken: true })
  })

  it.each([undefined, null, false, 0, '', '0', 'false', 'yes', 'TRUE', 2, {}, [], [true]])(
    'is not ticked by %j',
    (value) => {
      expect(read(tick, value)).toEqual({ taken: false })
    },
  )

  it('may be missing from the form', () => {
    expect(read(login.request, { account: 'anna', password: 'x' })).toEqual({
      taken: { account: 'anna', password: 'x', remember: false },
    })
  })
})

describe('the page of a list', () => {
  const page = z.object(pageFields)

  it('may be missing, and is counted from 1', () => {
    expect(read(page, {})).toEqual({ taken: {} })
    expect(read(page, { page: '2', limit: 50 })).toEqual({ taken: { page: 2, limit: 50 } })
    expect(faults(page, { page: 0, limit: '-1' })).toEqual({ page: 'id', limit: 'id' })
  })
})

describe('a range of days', () => {
  it.each([
    ['2026-11-20', '2026-11-20', null],
    ['2026-11-19', '2026-11-20', null],
    ['2026-11-21', '2026-11-20', 'day_order'],
    ['2026-01-01', '2027-01-01', null],
    ['2026-01-01', '2027-01-02', 'day_range'],
    ['2028-01-01', '2028-12-31', null],
    ['2028-01-01', '2029-01-01', 'day_range'],
    ['2018-01-01', '2026-11-20', 'day_range'],
    ['2999-12-31', '2999-12-31', null],
  ])('from %s to %s: %s', (begin, end, fault) => {
    expect(dayRangeFault(begin, end)).toBe(fault)
  })
})

describe('an order', () => {
  const form = {
    issue: '20261120001',
    plan_id: '1',
    game_id: '1',
    play_type: '[1,413]',
    money: '100',
  }

  it('reads the same from a form and from JSON', () => {
    const json = { issue: 20261120001, plan_id: 1, game_id: 1, play_type: [1, 413], money: 100 }
    expect(read(playOrder.request, form)).toEqual(read(playOrder.request, json))
    expect(read(playOrder.request, form)).toEqual({
      taken: {
        issue: '20261120001',
        plan_id: 1,
        game_id: 1,
        play_type: [1, 413],
        money: 100_000_000n,
      },
    })
  })

  it('gets all its faults at once', () => {
    expect(faults(playOrder.request, {})).toEqual({
      issue: 'required',
      plan_id: 'required',
      game_id: 'required',
      play_type: 'required',
      money: 'required',
    })
    expect(
      faults(playOrder.request, { ...form, play_type: '[1,1]', money: -1, follow_id: 'x' }),
    ).toEqual({ play_type: 'play_type', money: 'amount_negative', follow_id: 'number' })
  })

  it('takes nothing from a __proto__ in the body', () => {
    const body = JSON.parse(JSON.stringify(form).replace('{', '{"__proto__":{"follow_id":5},'))
    expect(read(playOrder.request, body)).toEqual(read(playOrder.request, form))
    expect(faults(playOrder.request, JSON.parse(`{"__proto__":${JSON.stringify(form)}}`))).toEqual(
      faults(playOrder.request, {}),
    )
  })
})

describe('signing up', () => {
  it('accepts the request of an older client: no tick, and an inviter who does not exist', () => {
    for (const inviter_id of [null, '', 'undefined', {}, 12, '12']) {
      const result = read(register.request, {
        username: 'anna',
        password: 'long enough',
        email: 'a@b.co',
        code: '123456',
        group_id: 1,
        inviter_id,
      })
      expect(result).toMatchObject({ taken: { adult: false, group_id: 1 } })
    }
    for (const group_id of [3, 'x', { toString: 'x' }]) {
      const taken = { username: 'anna', password: 'x', group_id: 1 }
      expect(read(register.request, { ...taken, group_id })).toMatchObject({ taken })
    }
    expect(read(register.request, { username: 'anna', password: 'x', inviter_id: '12' })).toEqual({
      taken: { username: 'anna', password: 'x', adult: false, remember: false, inviter_id: '12' },
    })
  })

  it('gets its faults as keys of the catalogs', () => {
    expect(faults(register.request, {})).toEqual({ password: 'required' })
    expect(faults(register.request, { username: {}, password: 5, email: 5, code: {} })).toEqual({
      username: 'invalid',
      password: 'invalid',
      email: 'invalid',
      code: 'invalid',
    })
    expect(faults(memberSignUp, {})).toEqual({
      username: 'required',
      email: 'required',
      code: 'required',
      password: 'required',
    })
    expect(faults(visitorSignUp, { password: 'abcde' })).toEqual({ password: 'too_short' })
    expect(faults(visitorSignUp, { password: 'abcdef' })).toEqual({})
  })

  it('sends a code for either name of the event, and for no other event', () => {
    for (const name of ['event', 'purpose']) {
      expect(faults(sendCode.request, { email: 'a@b.co', [name]: 'register' })).toEqual({})
      expect(faults(sendCode.request, { email: 'a@b.co', [name]: 'resetpwd' })).toEqual({})
      for (const other of ['', 'login', 'REGISTER', 1, null])
        expect(faults(sendCode.request, { email: 'a@b.co', [name]: other })).toEqual({
          [name]: 'choice',
        })
    }
  })
})

describe('a choice that may be left out', () => {
  it.each([undefined, null, ''])('is missing as %j', (status) => {
    expect(readFields(orderList.request, { status })).toEqual({ ok: true, input: {} })
  })

  it.each([0, '0', 2, '2'])('is read from %j', (status) => {
    expect(read(orderList.request, { status })).toEqual({ taken: { status: Number(status) } })
  })

  it.each([3, -1, 1.5, '3', ' ', '00', '0x1', '1.0', '1e0', 'all'])('has no value %j', (status) => {
    expect(faults(orderList.request, { status })).toEqual({ status: 'choice' })
  })

  it.each([true, {}, [], [1]])('is not valid as %j', (status) => {
    expect(faults(orderList.request, { status })).toEqual({ status: 'invalid' })
  })
})
