/**
 * Every call is sent what no client would send: fields of the right names with values of any type, with and without a
 * session. The answer must be a refusal or a success, never an internal error, and may move money only if the request
 * asked for it.
 *
 * The server reads a body by the contract's `readFields`. So the contract itself is asked first, without a server: what
 * it refuses would be refused alike, and of that one body for each field is sent.
 */
import { ALL_DOWNLOADS, ALL_ROUTES, ALL_STREAMS } from '@sum28/contract/all-routes.ts'
import { STAFF_DOWNLOADS, STAFF_ROUTES } from '@sum28/contract/all-staff-routes.ts'
import * as money from '@sum28/contract/money-routes.ts'
import { readFields } from '@sum28/contract/read-fields.ts'
import type { Route } from '@sum28/contract/route.ts'
import { isList } from '@sum28/contract/staff-list.ts'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { memberWithMoney, TEST_CARD, TEST_CODE, withdraw } from '#testing/people/cashier.ts'
import { staffSession } from '#testing/people/staff.ts'
import { API_ALONE, deposit, registerMember, shareTestApp } from '#testing/product/test-app.ts'

/** Bodies for each call; `npm run fuzz` sends a thousand, and each value of {@link LIKELY} in each field. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 4)
const ACCEPTED_MAX = RUNS / 2

const test = shareTestApp(API_ALONE)

/** Values of other types for a field, and its limits. */
const LIKELY: readonly unknown[] = [
  ...[0, 1, -1, 1.5, 11, 100, 413, 32_767, 32_768, 2_147_483_647, 2_147_483_648],
  ...[2 ** 53, 1e21, 1e300, true, false, null, [], [1], [99_999], [[1]], [{}], {}],
  { toString: 'x' },
  ...['0', '1', '11', '100', '100.001', '-0', '1e3', '٣', '1000000000', '99999999999999'],
  ...['2147483647', '32768', '9'.repeat(400), '123456', '000000', '00000000000', '20261120001'],
  ...['[1]', '[1,1]', '[]', '[99999]', '[[1]]', '{"1":1}', 'null', '４２４２'.repeat(4)],
  ...['1970-01-01', '2026-11-20', '2026-02-30', '2999-12-31', '0001-01-01', '9999-12-31'],
  ...['0000-00-00', '+012026-11-20', '', ' ', '\u0000', 'a\u0000bcd', '\ud800', 'abc\udfffdef'],
  ...[
    '\u202eabcd',
    '👩‍👩‍👧👩‍👩‍👧',
    "' or 1=1 --",
    '{{7*7}}',
    '{amount}',
    '{reason, plural,',
    '<script>',
  ],
  ...['../../etc/passwd', '__proto__', 'constructor', 'register', 'resetpwd', 'waiting'],
  ...['refused', 'fuzzed', 'fuzzed@example.org', 'x'.repeat(200), 'x'.repeat(300)],
]

const anything = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...LIKELY) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.double() },
)

/** Valid values of each field: a request with one wrong field gets furthest. */
const GOOD: Record<string, unknown> = {
  game_id: 1,
  plan_id: 11,
  issue: '20261119001',
  play_type: '[1]',
  // Below every minimum: a bet that nothing else refuses is refused for that.
  money: '0.01',
  account: 'fuzzed',
  password: 'not the password',
  username: 'fuzz_name',
  email: 'fuzz@example.org',
  event: 'register',
  code: '123456',
  group_id: 1,
  adult: true,
}

/** The same for a query. */
const GOOD_QUERY = { ...GOOD, id: 1, sizes: '1,2', days: 30 }

/** The fields of a good request among these. */
function goodBody(names: string[], good = GOOD): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (name in good ? [[name, good[name]]] : [])))
}

function bodyOf(names: string[]) {
  const fields = Object.fromEntries([...names, 'host', 'lang'].map((name) => [name, anything]))
  const good = goodBody(names)
  const spoilt = fc
    .constantFrom(...names, 'lang')
    .chain((name) => anything.map((value) => ({ ...good, [name]: value })))
  return fc.oneof(
    { weight: 4, arbitrary: fc.record(fields, { requiredKeys: [] }) },
    { weight: 8, arbitrary: spoilt },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  )
}

/** What the fuzzed calls have in common: their answer may be a file or a stream. */
type Asked = Pick<Route, 'method' | 'path' | 'request' | 'longText'>

const fieldsOf = ({ request }: Asked) => Object.keys(request.def.shape)

async function expectCalm(response: Response, sent: string) {
  const envelope = (await response.json()) as { code: number; data: { reason?: string } | null }
  const message = `${sent} was answered ${response.status} ${JSON.stringify(envelope).slice(0, 300)}`
  expect([200, 400, 401, 404, 413, 429], message).toContain(response.status)
  if (response.status !== 200) expect(envelope.data?.reason, message).toMatch(/^[a-z_]+$/)
}

async function post(path: string, body: string, token: string | null): Promise<void> {
  // A session that a logout has ended would turn all later answers into a mere 401.
  const hasSession = token !== null && !path.endsWith('/logout')
  const headers = { 'Content-Type': 'application/json', ...(hasSession ? { Token: token } : {}) }
  await expectCalm(await test.fetch(path, { method: 'POST', headers, body }), body)
}

/** A value as a query carries it. */
const written = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** Reads a file to its end, and of a stream what it begins with. Returns the status. */
async function get(
  { path }: Asked,
  fields: Record<string, unknown>,
  token: string | null,
): Promise<number> {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) query.set(name, written(value))
  const sent = `${path}?${query}`
  const response = await test.fetch(sent, token === null ? {} : { headers: { Token: token } })
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('application/json')) await expectCalm(response, sent)
  else if (type.startsWith('text/event-stream')) {
    const reader = response.body?.getReader()
    const { value } = (await reader?.read()) ?? {}
    await reader?.cancel()
    expect(Buffer.from(value ?? []).toString(), sent).toMatch(/^(event: (?!end)|:)/)
  } else await response.arrayBuffer()
  return response.status
}

/**
 * Sends a good request with values in each field: of those that the contract refuses, one a field; of the others so
 * many, which are others for each field.
 */
async function sendEachBorder(
  route: Asked,
  good: Record<string, unknown>,
  token: string,
  acceptedMax = ACCEPTED_MAX,
): Promise<void> {
  for (const [place, name] of fieldsOf(route).entries()) {
    let refused: Record<string, unknown> | null = null
    const accepted: Record<string, unknown>[] = []
    for (const value of LIKELY) {
      const fields = { ...good, [name]: route.method === 'GET' ? written(value) : value }
      const carried = JSON.parse(JSON.stringify(fields))
      if (readFields(route.request, carried, route.longText).ok) accepted.push(fields)
      else refused ??= fields
    }
    const step = Math.ceil(accepted.length / acceptedMax)
    const sent = accepted.filter((_, index) => (index + place + route.path.length) % step === 0)
    if (refused) sent.push(refused)
    for (const fields of sent) {
      if (route.method === 'GET') await get(route, fields, token)
      else await post(route.path, JSON.stringify(fields), token)
    }
  }
}

const POSTS = ALL_ROUTES.filter(({ method }) => method === 'POST').map(
  (route) => [route.path, route] as const,
)
const GETS = [...ALL_ROUTES, ...ALL_DOWNLOADS, ...ALL_STREAMS]
  .filter(({ method }) => method === 'GET')
  .map((route) => [route.path, route] as [string, Asked])

/** Calls about what is not there. */
const OF_NOTHING = new Set([
  '/api/fairness/growth',
  '/api/fairness/round',
  '/api/staff/money/bankBatchFile',
])
const statusOf = (path: string) => (OF_NOTHING.has(path) ? 404 : 200)

const OF_MONEY = new Set(Object.values(money).map(({ path }) => path))

describe('whatever is sent', () => {
  let token = ''
  let postings = 0

  async function countPostings(): Promise<number> {
    return (await test.database.owner.query('select from ledger.posting')).length
  }

  beforeAll(async () => {
    const member = await registerMember(test, 'fuzzed')
    await deposit(test, member, 1_000)
    token = member.token
    postings = await countPostings()
  })

  it.each(POSTS)(
    '%s answers without an internal error, and moves no money',
    async (path, route) => {
      let refusedAlready = false
      await fc.assert(
        fc.asyncProperty(bodyOf(fieldsOf(route)), fc.boolean(), async (value, signedIn) => {
          const body = JSON.stringify(value)
          const read = readFields(route.request, JSON.parse(body))
          if (!read.ok && refusedAlready) return
          refusedAlready ||= !read.ok
          await post(path, body, signedIn ? token : null)
        }),
        { numRuns: RUNS },
      )
      // Those of money have a valid request below.
      if (!OF_MONEY.has(path)) await sendEachBorder(route, goodBody(fieldsOf(route)), token)
    },
  )

  it.each(GETS)('%s answers any query without a fault', async (path, route) => {
    const good = goodBody(fieldsOf(route), GOOD_QUERY)
    expect(await get(route, good, token)).toBe(statusOf(path))
    const query = fc.dictionary(
      fc.constantFrom(...fieldsOf(route), 'lang', 'host', 'id', '__proto__', 'lang[]'),
      fc.oneof(fc.string(), anything.map(written)),
    )
    await fc.assert(
      fc.asyncProperty(query, fc.boolean(), async (fields, signedIn) => {
        await get(route, fields, signedIn ? token : null)
      }),
      { numRuns: 2 * RUNS },
    )
    await sendEachBorder(route, good, token, LIKELY.length)
  })

  it('any value of __proto__ is answered without a fault', async () => {
    for (const value of LIKELY) {
      // Written by hand: as a key of an object it would not be sent.
      await post('/api/user/userInfo', `{"__proto__":${JSON.stringify(value)}}`, token)
    }
  })

  it('has not changed the journal', async () => {
    expect(await countPostings()).toBe(postings)
    await expectAlwaysTrue(test.database.owner)
  })
})

/** Calls that move money, or decide over it, and the files of staff: with a request that is valid but for the spoilt field. */
describe('a call that moves money', () => {
  let player = ''
  let owner = ''
  const good: Record<string, Record<string, unknown>> = {}

  beforeAll(async () => {
    const member = await memberWithMoney(test, 'fuzzed_payer', 1_000)
    player = member.token
    owner = (await staffSession(test)).token
    const id = await withdraw(test, member, '100')
    const [reference, seen_reference] = ['ab'.repeat(32), 'cd'.repeat(32)]
    const transfer = { tx_id: reference, log_index: 0 }
    const card = { type: 0, acc: 'ANN', acc_name: TEST_CARD, acc_bank: 'Bank of Hanoi' }
    for (const route of STAFF_DOWNLOADS)
      good[route.path] = goodBody(fieldsOf(route), { user_id: member.id, id: 1 })
    Object.assign(good, {
      '/api/staff/content/pieces/csv': { kind: 'article' },
      '/api/user/setPayInfo': card,
      '/api/user/setSafety': { new_code: '314159', old_code: TEST_CODE },
      // Without the old password: each try of it costs a hash.
      '/api/user/newPass': { new_pass: 'another long passphrase' },
      '/api/user/withdrawAction': { pay_id: member.payId, money: '100', security_code: TEST_CODE },
      '/api/staff/withdrawals/payee': { id },
      '/api/staff/withdrawals/approve': { id },
      '/api/staff/withdrawals/reject': { id, reason: 'unclear' },
      '/api/staff/withdrawals/payout': { id, reference },
      '/api/staff/money/correctPayout': { id, reference, seen_reference, reason: 'a slip' },
      '/api/staff/money/reopenPayout': { id, seen_reference, reason: 'it is not there' },
      '/api/staff/money/acceptPayout': { id, reference, reason: 'a fee' },
      '/api/staff/bankDeposits/record': { user_id: member.id, money: '10', reference: 'a bank' },
      '/api/staff/unmatchedTransfers/assign': {
        ...transfer,
        user_id: member.id,
        note: 'a receipt',
      },
      '/api/staff/unmatchedTransfers/dismiss': { ...transfer, reason: 'dust' },
      '/api/staff/unmatchedTransfers/reopen': { ...transfer, reason: 'a mistake' },
      '/api/staff/stops/stop': { scope: 'room', id: 11, reason: 'other', note: 'a test' },
      '/api/staff/stops/open': { scope: 'room', id: 11 },
      '/api/staff/robots/set': { plan_id: 11, robots: 0 },
      '/api/staff/accounts/freeze': { user_id: member.id, reason: 'unclear' },
      '/api/staff/accounts/unfreeze': { user_id: member.id, frozen_at: 1, reason: 'clear' },
      '/api/staff/members/close': { name: 'nobody' },
      '/api/staff/bankAccount/set': { bankname: 'Bank', banknum: '1', bankxm: 'Holder' },
      '/api/staff/login': { account: 'owner', password: 'x', totp: '123456' },
    })
  })

  const ROUTES = [...Object.values(money), ...STAFF_ROUTES, ...STAFF_DOWNLOADS]
    .filter(({ path }) => path !== '/api/staff/logout')
    .map((route) => [route.path, route] as [string, Asked])

  /** Files that are read as the pages of their lists: that of the players stands for them. A report has its own reading. */
  const FILES_LIKE_THEIR_LISTS = new Set(
    STAFF_ROUTES.filter(isList)
      .map(({ path }) => `${path}/csv`)
      .filter((path) => !/(players|reports)\/csv$/.test(path)),
  )

  it.each(ROUTES)('%s answers every spoilt field without a fault', async (path, route) => {
    const token = path.startsWith('/api/staff/') ? owner : player
    const fields = good[path] ?? {}
    if (route.method === 'GET') expect(await get(route, fields, token)).toBe(statusOf(path))
    if (FILES_LIKE_THEIR_LISTS.has(path)) return
    await sendEachBorder(route, fields, token)
  })

  it('does not break the books', () => expectAlwaysTrue(test.database.owner))
})
