import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import {
  count,
  day,
  dayRangeFault,
  email,
  emailCode,
  id,
  issue,
  newPassword,
  pageFields,
  password,
  playType,
  stakeAmount,
  text,
  tick,
  username,
} from './fields.ts'
import { playOrder } from './lottery-routes.ts'
import { login, memberSignUp, orderList, register, sendCode, visitorSignUp } from './user-routes.ts'

/** What a schema makes of a value, or the words for what is wrong with it. */
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

type Case = {
  field: string
  schema: z.core.$ZodType
  taken: [unknown, unknown][]
  refused: [string, unknown[]][]
}

const NO_TEXT = [0, 1, true, {}, [], ['a']]
const MAX_ID = 2_147_483_647

const CASES: Case[] = [
  {
    field: 'an id',
    schema: id,
    taken: [
      [1, 1],
      ['1', 1],
      ['007', 7],
      [MAX_ID, MAX_ID],
      [String(MAX_ID), MAX_ID],
      [1.0, 1],
    ],
    refused: [
      [
        'id',
        [
          0,
          -1,
          1.5,
          MAX_ID + 1,
          1e300,
          '',
          ' ',
          '0',
          '-1',
          '+1',
          '1.0',
          '1e3',
          '0x1',
          ' 1',
          '1\n',
          '１',
          String(MAX_ID + 1),
          '99999999999',
          'abc',
          'null',
          '1;',
        ],
      ],
      ['invalid', [true, {}, [], [1], Number.NaN, Infinity]],
      ['required', [undefined, null]],
    ],
  },
  {
    field: 'a count',
    schema: count,
    taken: [
      [0, 0],
      [-0, -0],
      ['0', 0],
      ['12', 12],
      [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
      ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ],
    refused: [
      [
        'number',
        [
          -1,
          1.5,
          2 ** 53,
          '9007199254740992',
          '9007199254740993',
          '99999999999999999',
          '',
          '-1',
          '1.0',
          '1e3',
          ' 1',
          'x',
        ],
      ],
      ['invalid', [true, {}, [], [0], Number.NaN]],
      ['required', [undefined, null]],
    ],
  },
  {
    field: 'a stake',
    schema: stakeAmount,
    taken: [
      [100, 100_000_000n],
      ['100', 100_000_000n],
      [0.01, 10_000n],
      ['0.01', 10_000n],
      [' 12.50 ', 12_500_000n],
      ['1000000000', 1_000_000_000_000_000n],
      [0, 0n],
    ],
    refused: [
      ['amount_not_a_number', ['', ' ', 'abc', 'NaN', '1e3', '+1', '1,000', '0x10', 1e21, 1e-7]],
      ['amount_negative', [-1, '-1', '-0.01', '-0']],
      ['amount_too_many_decimals', [0.001, '0.001', '1.999', 0.1 + 0.2]],
      ['amount_too_large', ['1000000000.01', 1_000_000_001, 1e20, '9'.repeat(400)]],
      ['invalid', [true, {}, [], [100], Number.NaN, Infinity]],
      ['required', [undefined, null]],
    ],
  },
  {
    field: 'a text of at most 5',
    schema: text({ max: 5 }),
    taken: [
      ['a', 'a'],
      [' ab ', 'ab'],
      ['12345', '12345'],
      [' 12345 ', '12345'],
      ['ひらがな五', 'ひらがな五'],
      ['😀😀😀😀😀', '😀😀😀😀😀'],
      ['a\tb\nc', 'a\tb\nc'],
    ],
    refused: [
      ['required', ['', '   ', undefined, null]],
      ['too_long', ['123456', '😀😀😀😀😀😀']],
      ['invalid', [...NO_TEXT, 'a\u0000', '\u001bx', '\u007f', '\u0085x\u0080']],
    ],
  },
  {
    field: 'a text of 2 to 3',
    schema: text({ min: 2, max: 3 }),
    taken: [
      ['ab', 'ab'],
      ['abc', 'abc'],
    ],
    refused: [
      ['too_short', ['', 'a', ' a ']],
      ['too_long', ['abcd']],
      ['required', [undefined, null]],
    ],
  },
  {
    field: 'a password as typed',
    schema: password,
    taken: [
      ['x', 'x'],
      [' spaces stay ', ' spaces stay '],
      ['x'.repeat(128), 'x'.repeat(128)],
    ],
    refused: [
      ['required', ['', undefined, null]],
      ['too_long', ['x'.repeat(129)]],
      ['invalid', NO_TEXT],
    ],
  },
  {
    field: 'a new password',
    schema: newPassword,
    taken: [
      ['12345678', '12345678'],
      ['       x', '       x'],
      ['😀'.repeat(8), '😀'.repeat(8)],
      ['😀'.repeat(128), '😀'.repeat(128)],
    ],
    refused: [
      ['password_short', ['', '1234567', '😀'.repeat(4)]],
      ['too_long', ['x'.repeat(129), '😀'.repeat(129)]],
      ['required', [undefined, null]],
      ['invalid', NO_TEXT],
    ],
  },
  {
    field: 'a user name',
    schema: username,
    taken: [
      ['abc', 'abc'],
      [' Abc_9 ', 'Abc_9'],
      ['a'.repeat(20), 'a'.repeat(20)],
      ['___', '___'],
    ],
    refused: [
      [
        'username',
        [
          '',
          'ab',
          'a'.repeat(21),
          'a b',
          'a-b',
          'a.b',
          'abc\u0000',
          'äbc',
          '用户名',
          "a'b",
          'abc@x.co',
        ],
      ],
      ['required', [undefined, null]],
      ['invalid', NO_TEXT],
    ],
  },
  {
    field: 'an e-mail address',
    schema: email,
    taken: [
      ['a@b.co', 'a@b.co'],
      [' Anna.Lee+dot@mail.example.com ', 'Anna.Lee+dot@mail.example.com'],
      ["o'neil@example.org", "o'neil@example.org"],
      ['名前@例え.テスト', '名前@例え.テスト'],
      [
        `${'a'.repeat(64)}@${'b'.repeat(60)}.example`,
        `${'a'.repeat(64)}@${'b'.repeat(60)}.example`,
      ],
    ],
    refused: [
      [
        'email',
        [
          '',
          'a',
          'a@b',
          '@b.co',
          'a@',
          'a@.co',
          'a@b.',
          'a@b.c',
          'a@b..co',
          '.a@b.co',
          'a.@b.co',
          'a..b@c.co',
          'a@b@c.co',
          'a b@c.co',
          'a@b .co',
          'a@b.co,c@d.co',
          'a@b.co;c@d.co',
          '<a@b.co>',
          'A <a@b.co>',
          '"a"@b.co',
          'a@[1.2.3.4]',
          'a\r\nBcc:x@b.co',
          'a@b.co\r\nBcc: c@d.co',
          'a\u0000b@c.co',
          'a@b.co\u0000',
        ],
      ],
      ['required', [undefined, null]],
      ['invalid', NO_TEXT],
    ],
  },
  {
    field: 'a mailed code',
    schema: emailCode,
    taken: [
      ['012345', '012345'],
      [' 123456\n', '123456'],
    ],
    refused: [
      ['six_digits', ['', '12345', '1234567', '12345a', '１２３４５６', '12 3456', '-12345']],
      ['required', [undefined, null]],
      ['invalid', [123456, ...NO_TEXT]],
    ],
  },
  {
    field: 'a round',
    schema: issue,
    taken: [
      ['20261120001', '20261120001'],
      [20261120001, '20261120001'],
      ['2026112014400', '2026112014400'],
    ],
    refused: [
      [
        'issue',
        [
          '',
          '1',
          '2026112001',
          '202611200010001',
          '2026-11-20-001',
          ' 20261120001',
          '20261120001\n',
          0,
          -20261120001,
          20261120001.5,
          1e21,
          '20261120001|2',
        ],
      ],
      ['required', [undefined, null]],
      ['invalid', [true, {}, [], Number.NaN]],
    ],
  },
  {
    field: 'a day',
    schema: day,
    taken: [
      ['2026-11-20', '2026-11-20'],
      ['2018-01-01', '2018-01-01'],
    ],
    refused: [
      [
        'day',
        ['', '2026-02-30', '2026-11-20 ', '20261120', '0000-01-01', '9999-12-31', "2026-11-20' --"],
      ],
      ['required', [undefined, null]],
      ['invalid', [20261120, ...NO_TEXT]],
    ],
  },
  {
    field: 'the chosen rules',
    schema: playType,
    taken: [
      ['[1,413]', [1, 413]],
      ['["1","413"]', [1, 413]],
      [' [ 1 , 413 ] ', [1, 413]],
      ['413', [413]],
      ['"413"', [413]],
      [413, [413]],
      [
        [1, '413'],
        [1, 413],
      ],
      ['[999]', [999]],
      [
        `[${Array.from({ length: 36 }, (_, index) => 400 + index)}]`,
        Array.from({ length: 36 }, (_, index) => 400 + index),
      ],
    ],
    refused: [
      [
        'play_type',
        [
          '',
          ' ',
          '[]',
          [],
          '[0]',
          [0],
          0,
          '0',
          '[-1]',
          -1,
          '[1.5]',
          1.5,
          '[1,1]',
          [1, 1],
          '["1",1]',
          [1, '1'],
          '[01]',
          '1,413',
          '[1,]',
          '[1',
          'null',
          'true',
          '[null]',
          '[true]',
          '{}',
          '{"0":1}',
          '[[1]]',
          '[{"__proto__":1}]',
          '{"__proto__":[1]}',
          '"[1]"',
          '["a"]',
          '["1e2"]',
          '[" 1"]',
          '[1e300]',
          1e300,
          '[2147483648]',
          `[${Array.from({ length: 37 }, (_, index) => 400 + index)}]`,
          Array.from({ length: 37 }, (_, index) => 1 + index),
          `${'['.repeat(100_000)}`,
        ],
      ],
      ['required', [undefined, null]],
      ['invalid', [true, {}, { 0: 1 }, [null], [[1]], [{}], Number.NaN]],
    ],
  },
]

describe.each(CASES)('$field', ({ schema, taken, refused }) => {
  it.each(taken)('is taken: %j', (value, result) => {
    expect(read(schema, value)).toEqual({ taken: result })
  })

  it.each(refused)('is refused as %s', (fault, values) => {
    for (const value of values) {
      const found = read(schema, value)
      expect([value, Array.isArray(found) && found[0]]).toEqual([value, fault])
    }
  })
})

describe('any field', () => {
  it('takes or refuses whatever JSON holds, with a word for the catalogs and without a throw', () => {
    const schemas = CASES.map((each) => each.schema)
    fc.assert(
      fc.property(fc.constantFrom(...schemas), fc.jsonValue(), (schema, value) => {
        const found = read(schema, value)
        if (Array.isArray(found)) for (const word of found) expect(word).toMatch(/^[a-z_]+$/)
      }),
      { numRuns: 3000 },
    )
  })

  it('answers at once, however long the text', () => {
    const started = performance.now()
    for (const part of ['a', 'a.', '0', ' ', '@', 'a@', '.a@a', '😀'])
      for (const { schema } of CASES) read(schema, part.repeat(300_000))
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})

describe('a tick', () => {
  it.each([true, 1, '1', 'true'])('is one as %j', (value) => {
    expect(read(tick, value)).toEqual({ taken: true })
  })

  it.each([undefined, null, false, 0, '', '0', 'false', 'yes', 'TRUE', 2, {}, [], [true]])(
    'is none as %j',
    (value) => {
      expect(read(tick, value)).toEqual({ taken: false })
    },
  )

  it('may be left out of the form', () => {
    expect(read(login.request, { account: 'anna', password: 'x' })).toEqual({
      taken: { account: 'anna', password: 'x', remember: false },
    })
  })
})

describe('the page of a list', () => {
  const page = z.object(pageFields)

  it('may be left out, and is counted from 1', () => {
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

  it('is the same from a form and from JSON', () => {
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

  it('is told everything that is wrong with it at once', () => {
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
  it('takes what an older client sends: no tick, and an inviter that is nobody', () => {
    for (const inviter_id of [null, '', 'undefined', {}, 12, '12']) {
      const found = read(register.request, {
        username: 'anna',
        password: 'long enough',
        email: 'a@b.co',
        code: '123456',
        group_id: 1,
        inviter_id,
      })
      expect(found).toMatchObject({ taken: { adult: false, group_id: 1 } })
    }
    expect(read(register.request, { username: 'anna', password: 'x', inviter_id: '12' })).toEqual({
      taken: { username: 'anna', password: 'x', adult: false, inviter_id: '12' },
    })
  })

  it('is told what is wrong in words of the catalogs', () => {
    expect(faults(register.request, {})).toEqual({ username: 'required', password: 'required' })
    expect(
      faults(register.request, { username: 5, password: 5, email: 5, code: 5, group_id: 'x' }),
    ).toEqual({
      username: 'invalid',
      password: 'invalid',
      email: 'invalid',
      code: 'invalid',
      group_id: 'choice',
    })
    expect(faults(memberSignUp, {})).toEqual({
      username: 'required',
      email: 'required',
      code: 'required',
      password: 'required',
    })
    expect(faults(visitorSignUp, { username: 'guest_1', password: 'abcde' })).toEqual({
      password: 'too_short',
    })
    expect(faults(visitorSignUp, { username: 'guest1790000000000', password: 'abcdef' })).toEqual(
      {},
    )
  })

  it('sends a code by either name of the event, and for no other event', () => {
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
  it.each([undefined, null, ''])('is left out as %j', (status) => {
    expect(read(orderList.request, { status })).toEqual({ taken: { status: undefined } })
  })

  it.each([0, '0', 2, '2'])('is made as %j', (status) => {
    expect(read(orderList.request, { status })).toEqual({ taken: { status: Number(status) } })
  })

  it.each([3, -1, 1.5, '3', ' ', '00', '0x1', '1.0', '1e0', 'all'])('is none as %j', (status) => {
    expect(faults(orderList.request, { status })).toEqual({ status: 'choice' })
  })

  it.each([true, {}, [], [1]])('is not valid as %j', (status) => {
    expect(faults(orderList.request, { status })).toEqual({ status: 'invalid' })
  })
})
