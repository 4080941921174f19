/**
 * Every endpoint is sent what no client would send: fields of the right names with values of any type, with and
 * without a session. The answer must be a refusal or a success that changes no money, never an internal error.
 */
import { ALL_ROUTES } from '@sum28/contract/all-routes.ts'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { toJSONSchema } from 'zod/mini'
import { expectAlwaysTrue } from '#testing/always-true.ts'
import { deposit, registerMember, shareTestApp } from '#testing/test-app.ts'

/** Bodies for each call; `FUZZ_RUNS=1000` sends more. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 30)

const app = shareTestApp()
let token = ''
let postings = 0

async function countPostings(): Promise<number> {
  return (await app().database.owner.query('select from ledger.posting')).length
}

beforeAll(async () => {
  const member = await registerMember(app(), 'fuzzed')
  await deposit(app(), member, 1_000)
  token = member.token
  postings = await countPostings()
})

/** Values of other types for a field, and its limits. */
const LIKELY: readonly unknown[] = [
  0,
  1,
  -1,
  1.5,
  11,
  100,
  413,
  32_767,
  32_768,
  2_147_483_647,
  2_147_483_648,
  2 ** 53,
  1e21,
  1e300,
  '0',
  '1',
  '11',
  '100',
  '100.001',
  '-0',
  '1e3',
  '٣',
  '99999999999999',
  '2147483647',
  '32768',
  '[1]',
  '[1,1]',
  '[]',
  '[99999]',
  '[[1]]',
  '{"1":1}',
  'null',
  [1],
  [99_999],
  [[1]],
  [{}],
  '2026-11-20',
  '2026-02-30',
  '0001-01-01',
  '9999-12-31',
  '0000-00-00',
  '+012026-11-20',
  '20261120001',
  '99999999999999',
  '00000000000',
  true,
  false,
  null,
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '👩‍👩‍👧',
  "' or 1=1 --",
  '{{7*7}}',
  '../../etc/passwd',
  'register',
  'resetpwd',
  'fuzzed',
  'fuzzed@example.org',
  'x'.repeat(300),
  '123456',
  {},
  [],
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

/** The fields of a good request among these. */
function goodBody(names: string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (name in GOOD ? [[name, GOOD[name]]] : [])))
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

/** Names of the fields of a request, as its description gives them. */
function fieldsOf(schema: (typeof ALL_ROUTES)[number]['request']): string[] {
  const { properties } = toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return Object.keys(properties ?? {})
}

async function expectCalm(response: Response, sent: string) {
  const envelope = (await response.json()) as { code: number; data: { reason?: string } }
  const message = `${sent} was answered ${response.status} ${JSON.stringify(envelope).slice(0, 300)}`
  expect([200, 400, 401, 404, 413, 429], message).toContain(response.status)
  if (response.status !== 200) expect(envelope.data.reason, message).toMatch(/^[a-z_]+$/)
}

const POSTS = ALL_ROUTES.filter(({ method }) => method === 'POST').map(
  (route) => [route.path, route] as const,
)

describe('whatever is sent', () => {
  it.each(POSTS)(
    '%s answers without an internal error, and moves no money',
    async (path, { request }) => {
      const body = bodyOf(fieldsOf(request))
      await fc.assert(
        fc.asyncProperty(body, fc.boolean(), async (value, signedIn) => {
          // A session that a logout has ended would turn all later answers into a mere 401.
          const known = signedIn && path !== '/api/user/logout'
          const headers = { 'Content-Type': 'application/json', ...(known ? { Token: token } : {}) }
          const sent = JSON.stringify(value)
          await expectCalm(await app().fetch(path, { method: 'POST', headers, body: sent }), sent)
        }),
        { numRuns: RUNS },
      )
    },
  )

  it.each(POSTS)(
    '%s answers each border of each field without a fault',
    async (path, { request }) => {
      const names = fieldsOf(request)
      const headers = {
        'Content-Type': 'application/json',
        ...(path === '/api/user/logout' ? {} : { Token: token }),
      }
      for (const name of [...names, 'lang']) {
        const bodies = LIKELY.map((value) => JSON.stringify({ ...goodBody(names), [name]: value }))
        await Promise.all(
          bodies.map(async (body) =>
            expectCalm(await app().fetch(path, { method: 'POST', headers, body }), body),
          ),
        )
      }
    },
  )

  it.each(ALL_ROUTES.filter(({ method }) => method === 'GET').map(({ path }) => [path]))(
    '%s answers any query without a fault',
    async (path) => {
      const query = fc.dictionary(
        fc.constantFrom('lang', 'host', 'id', '__proto__', 'lang[]'),
        fc.string(),
      )
      await fc.assert(
        fc.asyncProperty(query, async (fields) => {
          const sent = `${path}?${new URLSearchParams(fields)}`
          await expectCalm(await app().fetch(sent), sent)
        }),
        { numRuns: 40 },
      )
    },
  )

  it('has not changed the journal', async () => {
    expect(await countPostings()).toBe(postings)
    await expectAlwaysTrue(app().database.owner)
  })
})
