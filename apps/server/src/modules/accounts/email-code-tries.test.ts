/** To whom requests for mailed codes and wrong tries of them count. */
import { describe, expect, it } from 'vitest'
import { queueOutbox } from '#src/adapters/mail/outbox.ts'
import { isRefusal } from '#src/refusal/refusal.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { queuedCode } from '#testing/database/stored-rows.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { CODE_TRIES_MAX, checkCode, STRANGERS_TRIES_MAX, sendCode } from './email-code.ts'
import { knowNetwork, networkHash } from './sign-in-guard.ts'

const KEY = Buffer.alloc(32, 5)
const HOME = '198.51.100.7'
const PHONE = '192.0.2.9'
const stranger = (n: number) => `203.0.113.${n}`
/** Never a code: it is no number of six digits. */
const NO_CODE = 'wrong'

const [WRONG, EXPIRED] = ['email_code_wrong', 'email_code_expired'] as const

/** Codes for one address that has an account, on a clock that stands still. */
async function codes() {
  const database = await createTestDatabase()
  const { db } = database
  let moment = Date.UTC(2026, 10, 20, 2)
  await database.freezeClock(moment)
  const playerId = await addPlayer(database, { u: 0, name: 'owner' })
  const email = 'owner@example.org'
  const send = (network: string, to = email, event: 'register' | 'resetpwd' = 'resetpwd') =>
    sendCode(
      { db, outbox: queueOutbox, limits: false, codeKey: KEY },
      { email: to, event, network, lang: 'en' },
    )
  return {
    database,
    send,
    /** The owner has signed in on a network. */
    know: (network: string) =>
      knowNetwork(db, { playerId, networkHash: networkHash(KEY, network) }),
    async later(minutes: number) {
      moment += minutes * 60_000
      await database.freezeClock(moment)
    },
    /** Requests a code and reads it in the mail. */
    async ask(network: string): Promise<string> {
      expect(await send(network)).toBeNull()
      return queuedCode(database, email)
    },
    /** Tries a code: 'right', or the reason why not. */
    async attempt(network: string, code: string): Promise<string> {
      const request = { email, event: 'resetpwd', network, code } as const
      const checked = await checkCode(db, KEY, request)
      return isRefusal(checked) ? checked.refused : 'right'
    },
  }
}

/** The answers to this many wrong tries, each answer once. */
async function answers(count: number, attempt: (n: number) => Promise<string>): Promise<string[]> {
  const all: string[] = []
  for (let n = 0; n < count; n += 1) all.push(await attempt(n))
  return [...new Set(all)]
}

describe('wrong tries of strangers', () => {
  it('are ten in all for an address in a day, from however many networks, at once too, and for all codes', async () => {
    const { ask, attempt, later } = await codes()
    const code = await ask(HOME)
    const atOnce = Array.from({ length: 40 }, (_, n) => attempt(stranger(n), NO_CODE))
    const wrong = (await Promise.all(atOnce)).filter((each) => each === WRONG)
    expect(wrong).toHaveLength(STRANGERS_TRIES_MAX)
    expect(await attempt(stranger(41), NO_CODE)).toBe(EXPIRED)
    // Even the right one would not be checked, but it is for the person who requested it.
    expect(await attempt(stranger(99), code)).toBe(EXPIRED)
    expect(await attempt(HOME, code)).toBe('right')
    await later(11)
    await ask(HOME)
    expect(await attempt(stranger(98), NO_CODE)).toBe(EXPIRED)
    await later(24 * 60)
    await ask(HOME)
    expect(await attempt(stranger(97), NO_CODE)).toBe(WRONG)
  })
})

describe('the person who asked for a code', () => {
  it('has five wrong tries for it, however late and from wherever, and five for the next', async () => {
    const { ask, attempt, later } = await codes()
    const first = await ask(HOME)
    for (let n = 0; n < CODE_TRIES_MAX; n += 1) {
      expect(await attempt(HOME, NO_CODE)).toBe(WRONG)
      await later(1)
    }
    await ask(PHONE)
    expect(await attempt(HOME, first)).toBe(EXPIRED)
    await later(1)
    const second = await ask(HOME)
    expect(await answers(CODE_TRIES_MAX - 2, () => attempt(HOME, NO_CODE))).toEqual([WRONG])
    // Only the latest of his own codes is good.
    expect(await attempt(HOME, first)).toBe(first === second ? 'right' : WRONG)
    expect(await attempt(HOME, second)).toBe('right')
  })

  it('may enter it on another network, and has ten minutes for it', async () => {
    const { ask, attempt, later } = await codes()
    const code = await ask(HOME)
    expect(await attempt(PHONE, NO_CODE)).toBe(WRONG)
    await later(9)
    expect([await attempt(HOME, code), await attempt(PHONE, code)]).toEqual(['right', 'right'])
    await later(2)
    expect([await attempt(HOME, code), await attempt(PHONE, code)]).toEqual([EXPIRED, EXPIRED])
  })

  it('keeps it when a stranger requests others, and may enter the latest as well', async () => {
    const { ask, attempt, later } = await codes()
    const mine = await ask(HOME)
    await later(1)
    await ask(stranger(1))
    await later(1)
    const latest = await ask(stranger(2))
    expect(await attempt(HOME, mine)).toBe('right')
    expect(await attempt(HOME, latest)).toBe('right')
  })
})

describe('the owner on a network from which he has signed in, while strangers request codes', () => {
  /** Strangers use up the ten codes of the day, one a minute. */
  async function flooded() {
    const test = await codes()
    await test.know(HOME)
    for (let n = 0; n < 10; n += 1) {
      await test.ask(stranger(n))
      await test.later(1)
    }
    const mails = async () => {
      const rows = await test.database.owner.query(
        `select from graphile_worker._private_jobs where payload->'mail'->>'to' = 'owner@example.org'`,
      )
      return rows.length
    }
    return { ...test, mails }
  }

  it('gets a code that is right, and ten a day, one a minute', async () => {
    const { send, attempt, later, mails, database } = await flooded()
    const before = await mails()
    for (let n = 0; n < 10; n += 1) {
      await send(HOME)
      expect(await mails()).toBe(before + n + 1)
      expect(await attempt(HOME, await queuedCode(database, 'owner@example.org'))).toBe('right')
      await send(HOME)
      expect(await mails()).toBe(before + n + 1)
      await later(1)
    }
    await send(HOME)
    expect(await mails()).toBe(before + 10)
  })

  it('gets the answer of a refusal, the same as on every network and without an account', async () => {
    const { send, later } = await flooded()
    const nobody = 'nobody@example.org'
    await later(-10)
    for (let n = 0; n < 10; n += 1) {
      // Those of both events count together.
      expect(await send(stranger(n), nobody, n % 2 ? 'register' : 'resetpwd')).toBeNull()
      await later(1)
    }
    const refused = {
      refused: 'too_many_requests',
      details: { retry_after: 24 * 3_600 - 600, hours: 24 },
      wording: 'too_many_codes_for_hours',
    }
    expect(await send(HOME)).toEqual(refused)
    expect(await send(HOME)).toEqual(refused)
    expect(await send(PHONE)).toEqual(refused)
    expect(await send(HOME, nobody)).toEqual(refused)
    // The owner's own codes do not lengthen the wait of the others.
    await later(1)
    await send(HOME)
    expect(await send(PHONE)).toMatchObject({ details: { retry_after: 24 * 3_600 - 660 } })
  })

  it('gets none on a network from which he has not signed in for 90 days', async () => {
    const { send, later, mails } = await flooded()
    await later(90 * 24 * 60)
    for (let n = 0; n < 10; n += 1) {
      await send(stranger(n))
      await later(1)
    }
    const before = await mails()
    await send(HOME)
    await send(PHONE)
    expect(await mails()).toBe(before)
  })

  it('has ten tries of his own after those of strangers, and wrong ones are answered like theirs', async () => {
    const { ask, attempt, know } = await codes()
    await know(HOME)
    await know(PHONE)
    const code = await ask(HOME)
    await answers(STRANGERS_TRIES_MAX, (n) => attempt(stranger(n), NO_CODE))
    expect(await attempt(stranger(1), code)).toBe(EXPIRED)
    expect(await answers(STRANGERS_TRIES_MAX - 1, () => attempt(PHONE, NO_CODE))).toEqual([EXPIRED])
    expect(await attempt(PHONE, code)).toBe('right')
    await attempt(PHONE, NO_CODE)
    expect(await attempt(PHONE, code)).toBe(EXPIRED)
    expect(await attempt(HOME, code)).toBe('right')
  })
})
