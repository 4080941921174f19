/**
 * Goal: calls that move money answer hostile input with a refusal, never with an internal error. Method: a valid
 * request for each call, of a player who could withdraw and of an owner, with one field replaced.
 */
import * as money from '@sum28/contract/money-routes.ts'
import type { Route } from '@sum28/contract/route.ts'
import { STAFF_ROUTES } from '@sum28/contract/staff-routes.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { toJSONSchema } from 'zod/mini'
import { expectAlwaysTrue } from '#testing/always-true.ts'
import { memberWithMoney, TEST_CARD, TEST_CODE, withdraw } from '#testing/cashier.ts'
import { staffSession } from '#testing/staff.ts'
import { shareTestApp } from '#testing/test-app.ts'

const app = shareTestApp()
let player = ''
let owner = ''
const good: Record<string, Record<string, unknown>> = {}

beforeAll(async () => {
  const member = await memberWithMoney(app(), 'fuzzed_payer', 1_000)
  player = member.token
  owner = (await staffSession(app())).token
  const id = await withdraw(app(), member, '100')
  Object.assign(good, {
    '/api/user/setPayInfo': { type: 0, acc: 'ANN', acc_name: TEST_CARD, acc_bank: 'Bank of Hanoi' },
    '/api/user/setSafety': { new_code: '314159', old_code: TEST_CODE },
    // Without the old password: each try of it costs a hash.
    '/api/user/newPass': { new_pass: 'another long passphrase' },
    '/api/user/withdrawAction': { pay_id: member.payId, money: '100', security_code: TEST_CODE },
    '/api/staff/withdrawals/payee': { id },
    '/api/staff/withdrawals/approve': { id },
    '/api/staff/withdrawals/reject': { id, reason: 'unclear' },
    '/api/staff/withdrawals/payout': { id, reference: 'a reference' },
    '/api/staff/bankDeposits/record': { user_id: member.id, money: '10', reference: 'a bank one' },
    '/api/staff/bankDeposits/confirm': { id: 1 },
    '/api/staff/bankDeposits/refuse': { id: 1, reason: 'unclear' },
    '/api/staff/unmatchedTransfers/assign': {
      tx_id: 'ab'.repeat(32),
      log_index: 0,
      user_id: member.id,
      note: 'a receipt',
    },
    '/api/staff/unmatchedTransfers/confirm': { id: 1 },
    '/api/staff/unmatchedTransfers/refuse': { id: 1, reason: 'unclear' },
    '/api/staff/unmatchedTransfers/dismiss': {
      tx_id: 'ab'.repeat(32),
      log_index: 0,
      reason: 'dust',
    },
    '/api/staff/unmatchedTransfers/reopen': {
      tx_id: 'ab'.repeat(32),
      log_index: 0,
      reason: 'a mistake',
    },
    '/api/staff/stops/stop': { scope: 'room', id: 11, reason: 'other', note: 'a test' },
    '/api/staff/stops/open': { scope: 'room', id: 11 },
    '/api/staff/robots/set': { plan_id: 11, robots: 0 },
    '/api/staff/accounts/freeze': { user_id: member.id, reason: 'unclear' },
    '/api/staff/accounts/unfreeze': { user_id: member.id, reason: 'clear' },
    '/api/staff/members/close': { name: 'nobody' },
    '/api/staff/bankAccount/set': { bankname: 'Bank', banknum: '1', bankxm: 'Holder' },
    '/api/staff/login': { account: 'owner', password: 'x', totp: '123456' },
  })
})

/** Values of other types for a field, and its limits. */
const HOSTILE: readonly unknown[] = [
  0,
  -1,
  1.5,
  2_147_483_647,
  2_147_483_648,
  2 ** 53,
  1e21,
  '0',
  '100.001',
  '1000000000',
  '-0',
  '٣',
  '9'.repeat(400),
  '2147483647',
  '[1]',
  [1],
  {},
  { toString: 'x' },
  '2026-02-30',
  '2999-12-31',
  '1970-01-01',
  true,
  null,
  '',
  ' ',
  '\u0000',
  'a\u0000bcd',
  '\ud800',
  'abc\udfffdef',
  '👩‍👩‍👧👩‍👩‍👧',
  "' or 1=1 --",
  '__proto__',
  'constructor',
  '{amount}',
  '{reason, plural,',
  '<script>',
  'x'.repeat(200),
  '\u202eabcd',
  '４２４２４２４２４２４２４２４２',
  '000000',
  'waiting',
  'refused',
]

function fieldsOf({ request }: Route): string[] {
  const { properties } = toJSONSchema(request, { io: 'input', unrepresentable: 'any' })
  return Object.keys(properties ?? {})
}

const ROUTES = [...Object.values(money), ...STAFF_ROUTES]
  .filter(({ path }) => path !== '/api/staff/logout')
  .map((route) => [route.path, route] as [string, Route])

describe('a call that moves money', () => {
  it.each(ROUTES)('%s answers every spoilt field without a fault', async (path, route) => {
    const base = good[path] ?? {}
    const token = path.startsWith('/api/staff/') ? owner : player
    for (const name of [...fieldsOf(route), '__proto__', 'lang']) {
      for (const value of HOSTILE) {
        // Written by hand: as a key of an object, __proto__ would not be sent.
        const fields = Object.entries({ lang: 'en', ...base }).filter(([key]) => key !== name)
        const body = `{${[...fields, [name, value] as const]
          .map(([key, each]) => `${JSON.stringify(key)}:${JSON.stringify(each)}`)
          .join(',')}}`
        const { http, data } = await app().post(path, body, { Token: token })
        const message = `${body} was answered ${http} ${JSON.stringify(data).slice(0, 200)}`
        expect([200, 400, 401, 404, 409, 429], message).toContain(http)
      }
    }
  })

  it('does not break the books', () => expectAlwaysTrue(app().database.owner))
})
