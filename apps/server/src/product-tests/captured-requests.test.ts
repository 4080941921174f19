/**
 * Goal: a client that was written only from the wire's description gets the described answers, in every call. Method:
 * the whole product, and the requests written by hand in packages/contract/testing/captured-requests.json. The forms
 * of their fields are tested there, without a server.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ALL_DOWNLOADS, ALL_ROUTES, ALL_STREAMS } from '@sum28/contract/all-routes.ts'
import { STAFF_ROUTES } from '@sum28/contract/all-staff-routes.ts'
import { changesSomething } from '@sum28/contract/route.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SECRET_FIELDS } from '#src/http/replay-by-key.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { makePerson, type Person, type PersonKind } from '#testing/people/captured-people.ts'
import { FIRST_ROUND, playRound, TRUE_SCHEDULE } from '#testing/product/play-round.ts'
import { isTraced, shareTestApp } from '#testing/product/test-app.ts'
import { picture } from '#testing/requests/pictures.ts'
import { type Shape, shapeFaults } from '#testing/requests/wire-shape.ts'

type Captured = {
  call: string
  /** Distinguishes two requests of one call. */
  name?: string
  auth: 'none' | 'token' | 'member' | 'cookie' | 'staff'
  player?: PersonKind
  file?: string
  good: Record<string, unknown>
  /** The fields that may be missing, with a good value. */
  optional?: Record<string, unknown>
  /** Another input; null where there can be none. */
  other?: Record<string, unknown> | null
  /** The answer to the repeated key, if it differs from the first reply. */
  repeated?: string
  also?: [Record<string, unknown>, string][]
  reply: Shape
  /** The outcome of the valid request, if it is not ok. */
  outcome?: string
}

const CAPTURED = '../../../../packages/contract/testing/captured-requests.json'
const { shapes, calls }: { shapes: Record<string, Shape>; calls: Captured[] } = JSON.parse(
  readFileSync(new URL(CAPTURED, import.meta.url), 'utf8'),
)
const NAMED: [string, Captured][] = calls.map((captured) => [
  [captured.call, captured.name ?? ''].join(' ').trim(),
  captured,
])

const ROUTES = [...ALL_ROUTES, ...ALL_DOWNLOADS, ...ALL_STREAMS, ...STAFF_ROUTES]

/** One call for each kind of session, and those with a file: the contract tests each field of each call, and its faults. */
const OF_EACH_KIND = new Set(
  calls.filter(
    ({ auth, file }, place) => file || calls.findIndex((each) => each.auth === auth) === place,
  ),
)

function routeOf({ call }: Captured) {
  return ROUTES.find(({ method, path }) => `${method} ${path}` === call)
}

function changes(captured: Captured): boolean {
  const route = routeOf(captured)
  return route !== undefined && changesSomething(route)
}

const test = shareTestApp(TRUE_SCHEDULE, { at: FIRST_ROUND })

// Some lists are empty until each game has drawn its first round.
beforeAll(() => playRound(test))

afterAll(() => expectAlwaysTrue(test.database.owner))

type Answer = {
  http: number
  headers: Headers
  code: number
  data: { reason?: string; fields?: object }
  msg: unknown
  /** Unix seconds, as text. */
  time: string
}

type Sending = {
  form?: boolean
  path?: string
  headers?: Record<string, string>
  /** Fixed fields in addition to those of the request. */
  common?: Record<string, unknown>
}

/** Replaces each `$` value with the person's own. */
async function filled(person: Person, body: Record<string, unknown>) {
  const values: Record<string, unknown> = {}
  // One after the other: when an account was frozen is known once it is.
  for (const [name, value] of Object.entries(body)) {
    const isMade = typeof value === 'string' && value.startsWith('$')
    values[name] = isMade ? await person.value(value.slice(1)) : value
  }
  return values
}

async function send(
  { call, file }: Captured,
  person: Person,
  body: Record<string, unknown>,
  { form = false, path, headers = {}, common = { host: 'play.example', lang: 'en' } }: Sending = {},
): Promise<Answer> {
  const [method = '', written = ''] = call.split(' ')
  const fields = { ...common, ...body }
  const entries = Object.entries(fields).filter(
    ([, value]) => value !== null && value !== undefined,
  )
  const text = new URLSearchParams(
    entries.map(([name, value]) => [name, String(value)] as [string, string]),
  )
  const init: RequestInit = {
    method,
    headers: {
      ...(person.token ? { Token: person.token } : {}),
      ...(person.cookie ? { Cookie: person.cookie } : {}),
      ...headers,
    },
  }
  let url = path ?? written
  if (method === 'GET') url += `?${text}`
  else if (file) {
    const parts = new FormData()
    for (const [name, value] of entries) parts.set(name, String(value))
    parts.set(
      file,
      new Blob([new Uint8Array(await picture('png', { width: 8, height: 8 }))]),
      'a.png',
    )
    init.body = parts
  } else if (form) init.body = text
  else {
    init.headers = { ...init.headers, 'Content-Type': 'application/json' }
    init.body = JSON.stringify(fields)
  }
  const stop = new AbortController()
  const response = await test.fetch(url, { ...init, signal: stop.signal })
  const type = response.headers.get('content-type') ?? ''
  if (!type.startsWith('application/json')) {
    stop.abort()
    const { status: http, headers: got } = response
    return { http, headers: got, code: 1, data: type as never, msg: '', time: '' }
  }
  const envelope = (await response.json()) as Omit<Answer, 'http' | 'headers'>
  return { ...envelope, http: response.status, headers: response.headers }
}

const STREAMED: Record<string, string> = { 'event-stream': 'text/event-stream', csv: 'text/csv' }

/** What is wrong with a success: its status, its message, or the shape of its data. */
function faultsOfSuccess(captured: Captured, answer: Answer, emptyLists: boolean): string[] {
  const { reply } = captured
  const summary = `${answer.http} ${answer.code} ${JSON.stringify(answer.data)}`
  if (answer.http !== 200 || answer.code !== 1) return [summary]
  const streamed = typeof reply === 'string' ? STREAMED[reply] : undefined
  if (streamed) return String(answer.data).startsWith(streamed) ? [] : [summary]
  if (!/^\d+$/.test(answer.time)) return [`time is ${answer.time}`]
  // The older of two places of the same data.
  if (captured.call === 'POST /api/user/userInfo') expect(answer.msg).toEqual(answer.data)
  const rules = { named: shapes, emptyLists }
  const page = answer.data as { list?: unknown; page?: unknown; total?: unknown }
  const listed = reply === 'list' || Array.isArray(reply)
  const paged = listed && page?.page !== undefined
  if (!paged) return shapeFaults(answer.data, reply, 'data', rules)
  return [
    ...shapeFaults(page.list, reply, 'data.list', rules),
    ...shapeFaults(page, { total: 'int', page: 'int' }, 'data', rules),
  ]
}

/** What of an answer is not the outcome. */
function faultsOf(captured: Captured, answer: Answer, outcome: string, field: string): string[] {
  const summary = `${answer.http} ${answer.code} ${JSON.stringify(answer.data)?.slice(0, 300)}`
  if (outcome === 'ok') return faultsOfSuccess(captured, answer, field !== '')
  if (outcome === 'refused') return answer.http === 200 && answer.code === 0 ? [] : [summary]
  const [reason, at = field] = outcome.split(':')
  if (answer.data?.reason !== reason) return [`${summary} is not ${outcome}`]
  if (reason !== 'invalid_input') return []
  return at in (answer.data.fields ?? {}) ? [] : [`${summary} does not name ${at}`]
}

async function expectOutcome(
  captured: Captured,
  change: Record<string, unknown>,
  { outcome, field = '', sending = {} }: { outcome: string; field?: string; sending?: Sending },
): Promise<void> {
  const person = await personFor(captured)
  const body = await filled(person, { ...captured.good, ...change })
  const answer = await send(captured, person, body, sending)
  expect(faultsOf(captured, answer, outcome, field), JSON.stringify(body)).toEqual([])
}

function personFor({ auth, player }: Captured): Promise<Person> {
  const usual = auth === 'none' ? 'newcomer' : auth === 'staff' ? 'owner' : 'reader'
  return makePerson(test, player ?? usual)
}

describe.each(NAMED)('%s', (_name, captured) => {
  const goodOutcome = captured.outcome ?? 'ok'

  if (actsByKey(captured))
    it('is answered as described, acts once, is answered again, stands in the log if it is of staff, and leaves no secret', () =>
      expectOneEffect(captured))
  else it('is answered as described', () => expectOutcome(captured, {}, { outcome: goodOutcome }))

  if (OF_EACH_KIND.has(captured))
    it('is answered alike as a form, in whatever case the path is, and without host and lang', async () => {
      const [, path = ''] = captured.call.split(' ')
      const sending: Sending = { form: true, path: path.toLowerCase(), common: {} }
      await expectOutcome(captured, {}, { outcome: goodOutcome, sending })
    })

  if (captured.optional && !changes(captured))
    it('is answered with its optional fields', async () => {
      const { after: _, ...optional } = captured.optional ?? {}
      await expectOutcome(captured, optional, { outcome: goodOutcome, field: 'an optional one' })
    })

  for (const [change, outcome] of captured.also ?? []) {
    it(`with ${JSON.stringify(change)}: ${outcome}`, () =>
      expectOutcome(captured, change, { outcome, field: Object.keys(change)[0] ?? '' }))
  }
})

/** Rows that only a request which was carried out adds. */
async function effects(): Promise<Record<string, bigint>> {
  const [counts] = await test.database.owner.query<Record<string, bigint>>(
    `select (select count(*) from bets.bet) as bets,
       (select count(*) from withdrawals.withdrawal) as withdrawals,
       (select count(*) from withdrawals.pay_method) as methods,
       (select count(*) from accounts.player) as players,
       (select count(*) from accounts.email_code) as codes,
       (select count(*) from staff.proposal) as proposals,
       (select count(*) from staff.audit where action not like 'sign%') as audited`,
  )
  return counts ?? {}
}

function actsByKey(captured: Captured): boolean {
  return changes(captured) && captured.outcome === undefined
}

/** A reply without its token, which is not stored. */
function withoutToken(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data), (name, value) => (name === 'token' ? undefined : value))
}

/** What is stored with a key, so that the reply can be sent again, has no token, password or code in it. */
async function expectNoSecretIsKept({ auth, call }: Captured, key: string): Promise<void> {
  const rows = await test.database.owner.query<{ row: string }>(
    'select request_key::text as row from app.request_key where key = $1',
    [key],
  )
  // An exchange of a remembered device is repeated by its cookie, and an order by its bet: nothing else is stored.
  const isStored = auth !== 'cookie' && !call.endsWith('/playOrder')
  expect(rows).toHaveLength(isStored ? 1 : 0)
  for (const { row } of rows) expect(row).not.toMatch(/token|passphrase|[": ]271828/)
}

/** Sent twice at once, and again, with one key: it has one effect, and no other input is taken for it. */
async function expectOneEffect(captured: Captured): Promise<void> {
  const person = await personFor(captured)
  const body = await filled(person, captured.good)
  const key = randomUUID()
  const sending = { headers: { 'Idempotency-Key': key } }
  const untouched = await effects()
  const sendOnce = () => send(captured, person, body, sending)
  // If the first ends what the second needs, they run one after the other; so do files, because a player may
  // upload only one at a time.
  const twins = captured.repeated
    ? [await sendOnce()]
    : captured.file
      ? [await sendOnce(), await sendOnce()]
      : await Promise.all([sendOnce(), sendOnce()])
  const [first] = twins
  if (!first) return expect.fail('not sent')
  for (const each of twins) {
    expect(faultsOfSuccess(captured, each, false)).toEqual([])
    expect(withoutToken(each.data)).toEqual(withoutToken(first.data))
  }
  const replayed = twins.map(({ headers }) => headers.get('Idempotency-Replayed'))
  expect(replayed.toSorted()).toEqual(captured.repeated ? [null] : ['true', null].toSorted())
  const before = await effects()
  for (const [what, count] of Object.entries(before))
    expect(Number(count - (untouched[what] ?? 0n)), what).toBeLessThanOrEqual(1)
  const route = routeOf(captured)
  if (route && 'action' in route && isTraced(route))
    expect(before.audited).toBe((untouched.audited ?? 0n) + 1n)
  const again = await sendOnce()
  if (captured.repeated) expect(again.data.reason).toBe(captured.repeated)
  else {
    expect(withoutToken(again.data)).toEqual(withoutToken(first.data))
    expect(again).toMatchObject({ http: 200, code: 1, msg: first.msg })
    expect(again.headers.get('Idempotency-Replayed')).toBe('true')
  }
  if (captured.other === undefined) expect(captured.good, 'it could differ').toEqual({})
  if (captured.other) {
    const other = await send(captured, person, { ...body, ...captured.other }, sending)
    expect(other).toMatchObject({
      http: 200,
      code: 0,
      data: { reason: 'idempotency_conflict' },
    })
  }
  expect(await effects()).toEqual(before)
  await expectNoSecretIsKept(captured, key)
}

it('a key whose process died between the effect and its reply moves no money twice', async () => {
  const [, captured] = NAMED.find(([name]) => name.endsWith('bankDeposits/record')) ?? []
  if (!captured) return expect.fail('no such call')
  const person = await personFor(captured)
  const body = await filled(person, captured.good)
  const sending = { headers: { 'Idempotency-Key': 'of-one-who-died' } }
  const first = await send(captured, person, body, sending)
  expect(first).toMatchObject({ code: 1 })
  const before = await effects()
  const died = await test.database.owner.query(
    `update app.request_key set result = null, created_at = created_at - interval '2 minutes'
     where key = 'of-one-who-died' returning key`,
  )
  expect(died).toHaveLength(1)
  const again = await send(captured, person, body, sending)
  expect(again).toMatchObject({ http: 200, code: 0, data: { reason: 'reference_used' } })
  expect(await effects()).toEqual(before)
})

it('every field that holds a secret is among those that are in no hash', () => {
  const fields = ROUTES.flatMap(({ request }) => Object.keys(request.def.shape))
  const secret = fields.filter((name) => /pass|code|captcha|totp|safety|^new$|^old$/i.test(name))
  expect([...new Set(secret)].toSorted()).toEqual([...SECRET_FIELDS].toSorted())
})
