/**
 * The time of an answer does not reveal whether an account exists. Each call alternates between a known and an
 * unknown one, so that other load on the machine affects both alike. The faster half is compared, because
 * disturbances only add time. On a busy machine one comparison may still differ by chance; different work differs in
 * every comparison.
 */
import { login, register, resetPassword, sendCode } from '@sum28/contract/user-routes.ts'
import { describe, expect, it } from 'vitest'
import { useRealArgon2 } from '#testing/product/cheap-passwords.ts'
import {
  API_ALONE,
  expectSuccess,
  type Reply,
  registerMember,
  shareTestApp,
  TEST_PASSWORD,
} from '#testing/product/test-app.ts'

useRealArgon2()

const test = shareTestApp(API_ALONE)

/** How often they are compared until their times are equal. */
const LOOKS_MAX = 8
const TRIES = 12

type Who = 'known' | 'unknown'

/** Expects that two kinds of call get equal answers, in equal times. */
async function expectAlike(
  call: (who: Who) => Promise<Reply<unknown>>,
  between: () => Promise<unknown> = async () => {},
) {
  const apart: string[] = []
  while (apart.length < LOOKS_MAX) {
    const [known, unknown] = await look(call, between)
    if (Math.abs(known - unknown) < 1 + 0.15 * Math.max(known, unknown)) return
    apart.push(`${known} against ${unknown} ms`)
  }
  expect(apart).toEqual([])
}

/** The milliseconds of the answers for the known and for the unknown one. */
async function look(
  call: (who: Who) => Promise<Reply<unknown>>,
  between: () => Promise<unknown>,
): Promise<[number, number]> {
  const times = { known: [] as number[], unknown: [] as number[] }
  const answers = { known: new Set<string>(), unknown: new Set<string>() }
  for (let round = 0; round < TRIES; round += 1) {
    const order = ['known', 'unknown'] as const
    for (const who of round % 2 ? order : order.toReversed()) {
      await between()
      const began = performance.now()
      const { http, code, data } = await call(who)
      times[who].push(performance.now() - began)
      answers[who].add(JSON.stringify({ http, code, data }))
    }
  }
  expect(answers.known).toEqual(answers.unknown)
  return [quickerHalf(times.known), quickerHalf(times.unknown)]
}

function quickerHalf(times: number[]): number {
  const half = times.toSorted((a, b) => a - b).slice(0, times.length / 2)
  return half.reduce((sum, each) => sum + each, 0) / half.length
}

const SLOW = { timeout: 3_600_000 }

describe('the time of an answer is the same for an account that exists and one that does not', () => {
  const email = { known: '', unknown: 'timed_nobody@example.org' }

  const forget = () => test.database.owner.query('delete from accounts.email_code')
  // Tries are never used up, so that each guess is compared with the code.
  const revive = () => test.database.owner.query('delete from accounts.counter')

  /** Sends each of the two addresses a code. */
  async function giveCodes(event: 'resetpwd' | 'register') {
    await forget()
    for (const who of ['known', 'unknown'] as const) {
      expectSuccess(await test.call(sendCode, { email: email[who], event }))
    }
  }

  it('when a code is asked for, and when it is guessed', SLOW, async () => {
    email.known = (await registerMember(test, 'timed_account')).email
    for (const event of ['resetpwd', 'register'] as const) {
      await expectAlike((who) => test.call(sendCode, { email: email[who], event }), forget)
    }
    await giveCodes('resetpwd')
    const guess = { captcha: '000000', newpassword: 'another long passphrase' }
    await expectAlike((who) => test.call(resetPassword, { email: email[who], ...guess }), revive)
  })

  it('when somebody registers with a guessed code', SLOW, async () => {
    const person = { username: 'timed_new', code: '000000', password: TEST_PASSWORD, adult: true }
    await giveCodes('register')
    await expectAlike((who) => test.call(register, { ...person, email: email[who] }), revive)
  })

  it('when a password is guessed', SLOW, async () => {
    await expectAlike((who) => test.call(login, { account: email[who], password: 'a wrong one' }))
  })
})
