/**
 * Goal: a key makes a call act once, whoever repeats it, whenever, and whatever fails in between. Method: handlers
 * that count what they do, wrapped like the product's, on a real database; two wrapped copies of one handler
 * represent two processes.
 */
import { ALL_ROUTES } from '@sum28/contract/all-routes.ts'
import { STAFF_ROUTES } from '@sum28/contract/all-staff-routes.ts'
import { changesSomething } from '@sum28/contract/route.ts'
import { STAFF_ACTIONS, type StaffAction } from '@sum28/contract/staff-actions.ts'
import { staffLogout } from '@sum28/contract/staff-routes.ts'
import {
  login,
  saveProfile,
  sendCode as sendCodeRoute,
  userInfo,
} from '@sum28/contract/user-routes.ts'
import { describe, expect, it } from 'vitest'
import { timedOut } from '#src/concurrency/concurrency.ts'
import { ABANDONED_AFTER_MS, keyStore } from '#src/db/key-store.ts'
import { refuse } from '#src/refusal/refusal.ts'
import {
  createTestDatabase,
  openTestPool,
  type TestDatabase,
} from '#testing/database/test-database.ts'
import { startTcpProxy, withoutWaiting } from '#testing/hosts/tcp-proxy.ts'
import { eventually } from '#testing/requests/patience.ts'
import { type Idempotency, ReplyExtras, type RouteBinding } from './call.ts'
import { KEYS_A_DAY, KEYS_OF_NETWORK_A_DAY, replayByKey } from './replay-by-key.ts'

type Call = Parameters<RouteBinding['handle']>[0]
type Handle = (call: Call) => Promise<unknown>

const PLAYER = { playerId: 100_001 } as Call['caller']
const OTHER_PLAYER = { playerId: 100_002 } as Call['caller']
const STAFF = { staffId: 1 } as Call['caller']

function wrapper({ db }: TestDatabase, waitMs = 60_000) {
  return replayByKey({
    waitMs,
    keys: keyStore(db),
    hashKeys: [Buffer.alloc(32, 7)],
    onError: (error) => {
      throw error
    },
  })
}

/** A call, with what the wrapper reads of it, and what its reply says besides its data. */
function callOf(change: Partial<Call> = {}) {
  const extras = new ReplyExtras()
  const usual = {
    input: { idcard: 'A1' },
    file: null,
    address: '::1',
    idempotencyKey: 'the-key',
    caller: PLAYER,
    extras,
  }
  const call = { ...usual, ...change } as Call
  const answers = () => [extras.message, ...(extras.isReplay ? ['replayed'] : [])]
  return { call, answers }
}

async function wrapped(
  handle: Handle,
  {
    route = saveProfile as RouteBinding['route'],
    idempotency,
  }: { route?: RouteBinding['route']; idempotency?: Idempotency } = {},
) {
  const database = await createTestDatabase()
  const binding = { route, handle, ...(idempotency ? { idempotency } : {}) }
  return {
    database,
    here: wrapper(database)(binding).handle,
    there: wrapper(database)(binding).handle,
  }
}

/** A counted action. */
function counted(reply: (times: number) => unknown = (times) => ({ times })) {
  const done = { times: 0 }
  const handle: Handle = async ({ extras }) => {
    done.times += 1
    extras.say('success.saved')
    return reply(done.times)
  }
  return { done, handle }
}

const keysIn = ({ owner }: TestDatabase) =>
  owner.column<string>('select key from app.request_key order by key')

describe('the keys of a player', () => {
  it('are so many a day: a call with a new one beyond them acts without it, and it is not stored', async () => {
    const { done, handle } = counted()
    const { database, here, there } = await wrapped(handle)
    const { owner } = database
    await database.freezeClock(Date.UTC(2026, 10, 20))
    const keyed = (idempotencyKey: string, caller = PLAYER) =>
      here(callOf({ idempotencyKey, caller }).call)
    expect(await keyed('first')).toEqual({ times: 1 })
    await owner.query('update app.call_count set calls = $1', [KEYS_A_DAY - 1])
    expect(await keyed('last')).toEqual({ times: 2 })
    await database.freezeClock(Date.UTC(2026, 10, 20, 23, 59, 30))
    for (const [at, process] of [here, there].entries()) {
      const { call, answers } = callOf({ idempotencyKey: 'one more' })
      expect(await process(call)).toEqual({ times: 3 + at })
      expect(answers()).toEqual(['success.saved'])
    }
    expect(await keyed('first')).toEqual({ times: 1 })
    expect(done.times).toBe(4)
    expect(await keysIn(database)).toEqual(['first', 'last'])
    for (const _again of [1, 2]) expect(await keyed('other', OTHER_PLAYER)).toEqual({ times: 5 })
    await database.freezeClock(Date.UTC(2026, 10, 21))
    for (const _again of [1, 2]) expect(await keyed('one more')).toEqual({ times: 6 })
  })

  it('are counted with those of his network, of strangers too, and not of staff, who decide on as many as there are', async () => {
    const { done, handle } = counted()
    const { database, here } = await wrapped(handle)
    const { owner } = database
    const keyed = (idempotencyKey: string, change: Partial<Call> = {}) =>
      here(callOf({ idempotencyKey, address: '192.0.2.1', ...change }).call)
    await keyed('of staff', { caller: STAFF })
    expect(await owner.query('select from app.call_count')).toEqual([])
    await keyed('first', { caller: OTHER_PLAYER })
    await owner.query('update app.call_count set calls = $1', [KEYS_OF_NETWORK_A_DAY - 1])
    await keyed('last')
    await keyed('one more')
    await keyed('one more', { caller: null })
    await keyed('elsewhere', { address: '192.0.2.2' })
    expect(done.times).toBe(6)
    expect(await keysIn(database)).toEqual(['elsewhere', 'first', 'last', 'of staff'])
  })
})

describe('a key that comes again', () => {
  it('with other input, another file, or for another call is refused', async () => {
    const { done, handle } = counted()
    const { database, here } = await wrapped(handle)
    await here(callOf().call)
    const conflict = { refused: 'idempotency_conflict' }
    const file = { name: 'a.png', bytes: Buffer.from('other') }
    expect(await here(callOf({ input: { idcard: 'B2' } }).call)).toEqual(conflict)
    expect(await here(callOf({ input: {} }).call)).toEqual(conflict)
    expect(await here(callOf({ file }).call)).toEqual(conflict)
    const elsewhere = wrapper(database)({ route: sendCodeRoute, handle })
    expect(await elsewhere.handle(callOf().call)).toEqual(conflict)
    expect(done.times).toBe(1)
  })

  it('is separate for another player, for staff, and for a call that names another account, whatever the network', async () => {
    const { done, handle } = counted()
    const { here } = await wrapped(handle)
    const calls = [
      { caller: PLAYER },
      { caller: OTHER_PLAYER },
      { caller: STAFF },
      { caller: null, input: { account: 'anna' } },
      { caller: null, input: { account: 'bert' } },
      { caller: null, input: { email: 'a@example.org' } },
    ]
    for (const address of ['::1', '::2']) {
      for (const [at, call] of calls.entries())
        expect(await here(callOf({ ...call, address }).call)).toEqual({ times: at + 1 })
    }
    expect(done.times).toBe(calls.length)
  })

  it('repeats a business refusal, which was an answer too', async () => {
    const { done, handle } = counted(() => refuse('security_code_not_set'))
    const { here } = await wrapped(handle)
    await here(callOf().call)
    const again = callOf()
    expect(await here(again.call)).toEqual({ refused: 'security_code_not_set' })
    expect(again.answers()).toContain('replayed')
    expect(done.times).toBe(1)
  })

  it('of a stranger repeats no refusal: what he sends may cost him nothing', async () => {
    const { done, handle } = counted(() => refuse('link_over'))
    const { database, here } = await wrapped(handle)
    for (const _again of [1, 2]) {
      expect(await here(callOf({ caller: null, input: { link: 'x' } }).call)).toEqual({
        refused: 'link_over',
      })
    }
    expect(done.times).toBe(2)
    expect(await keysIn(database)).toEqual([])
  })

  it('acts after a refusal of the call itself', async () => {
    for (const reason of [
      'too_many_requests',
      'unavailable',
      'not_found',
      'invalid_input',
    ] as const) {
      const { done, handle } = counted((times) => (times === 1 ? refuse(reason) : { times }))
      const { here } = await wrapped(handle)
      expect(await here(callOf().call)).toEqual({ refused: reason })
      expect(await here(callOf().call)).toEqual({ times: 2 })
      expect(await here(callOf().call)).toEqual({ times: 2 })
      expect(done.times).toBe(2)
    }
  })
})

describe('every call that changes something', () => {
  it('is marked so in the contract: of the calls by POST only these read', () => {
    // A call of staff has the rate of its action: staff-actions.test.ts in the contract.
    const ofAction = new Set(['change', 'read', 'reveal'])
    const reading = [...ALL_ROUTES, ...STAFF_ROUTES].filter(
      (route) =>
        route.method === 'POST' &&
        !changesSomething(route) &&
        !(route.action && ofAction.has(STAFF_ACTIONS[route.action as StaffAction].kind)),
    )
    const user = [
      ...['authenticatorSetup', 'closing', 'devices', 'figures', 'identity', 'invitees'],
      ...['orderInfo', 'orderList', 'orderTotals', 'owed', 'ownData', 'payInfo', 'push'],
      ...['passkeyChallenge', 'passkeyOptions', 'passkeys', 'proofOptions', 'secondFactor'],
      ...['quantityLogList', 'recharge', 'safetyInfo', 'userInfo', 'withdrawInfo'],
    ]
    const lottery = ['cand', 'feedPlayer', 'heart', 'index', 'issueList', 'oddsList']
    const own = ['passkeyOptions', 'passkeys', 'proofOptions', 'session', 'sessions']
    expect(reading.map(({ path }) => path).toSorted()).toEqual(
      [
        ...user.map((name) => `/api/user/${name}`),
        ...lottery.map((name) => `/api/Lottery/${name}`),
        ...own.map((name) => `/api/staff/own/${name}`),
        ...['/api/protection/changes', '/api/protection/state', '/api/staff/passkeyChallenge'],
        ...['/api/staff/alerts', '/api/staff/members/passkeyRoles'],
      ].toSorted(),
    )
  })
})

describe('two at once', () => {
  it('have one effect and one reply, in one process and in two', async () => {
    const { done, handle } = counted()
    const { here, there } = await wrapped(handle)
    const processes = Array.from({ length: 12 }, (_, at) => (at % 2 ? here : there))
    const calls = processes.map(() => callOf())
    const replies = await Promise.all(
      processes.map((process, at) => process(calls[at]?.call as Call)),
    )
    expect(replies).toEqual(processes.map(() => ({ times: 1 })))
    expect(calls.map(({ answers }) => answers()).toSorted()).toEqual([
      ['success.saved'],
      ...Array(11).fill(['success.saved', 'replayed']),
    ])
    expect(done.times).toBe(1)
  })

  it('of which the first takes too long have one effect and count once: the second is to be sent again', async () => {
    const database = await createTestDatabase()
    const ended = Promise.withResolvers<void>()
    const { done, handle } = counted()
    const slow: Handle = async (call) => {
      const reply = await handle(call)
      await ended.promise
      return reply
    }
    const call = wrapper(database, 0)({ route: saveProfile as RouteBinding['route'], handle: slow })
    const first = call.handle(callOf().call)
    await eventually(() => done.times === 1)
    expect(await call.handle(callOf().call)).toEqual(timedOut())
    ended.resolve()
    expect(await first).toEqual({ times: 1 })
    expect(await call.handle(callOf().call)).toEqual({ times: 1 })
    expect(done.times).toBe(1)
    const counts = await database.owner.query('select distinct calls from app.call_count')
    expect(counts).toEqual([{ calls: 1 }])
  })

  it('of which the first fails are carried out by the second', async () => {
    const { done, handle } = counted((times) => {
      if (times === 1) throw new Error('broken')
      return { times }
    })
    const { here, there } = await wrapped(handle)
    const [first, second] = await Promise.allSettled([here(callOf().call), there(callOf().call)])
    const statuses = [first.status, second.status].toSorted()
    expect(statuses).toEqual(['fulfilled', 'rejected'])
    expect(done.times).toBe(2)
  })
})

describe('a call whose connection to the database falls silent', () => {
  it.each([
    ['before its commit is carried out by its repeat', true, 2],
    ['after its commit was sent is not carried out once more', false, 1],
  ])('%s', async (_name, before, times) => {
    const database = await createTestDatabase()
    const proxy = await startTcpProxy(database.applicationUrl)
    const answerMs = 60_000
    const db = openTestPool(proxy.url, { answerMs })
    const { done, handle } = counted()
    const lost: Handle = (call) =>
      db.transaction(async (tx) => {
        const reply = await handle(call)
        if (done.times > 1) return reply
        await tx.query('select 1')
        proxy.silence('answers')
        if (before) await tx.query('select 2')
        return reply
      })
    const once = wrapper(database, 0)({ route: saveProfile as RouteBinding['route'], handle: lost })
    const first = withoutWaiting(proxy, () => once.handle(callOf().call), answerMs)
    await expect(first).rejects.toThrow()
    expect(await once.handle(callOf().call)).toEqual(before ? { times: 2 } : timedOut())
    expect(done.times).toBe(times)
  })
})

describe('a process that dies', () => {
  it('after the effect and before its reply was stored blocks the key for two minutes', async () => {
    const database = await createTestDatabase()
    const start = Date.now()
    await database.freezeClock(start)
    const keys = keyStore(database.db)
    const inputHash = Buffer.alloc(32)
    const request = { owner: 'staff:1', key: 'the-key', route: '/api/x', inputHash }
    const died = await keys.claim(request)
    expect(died).toHaveProperty('claim')
    expect(await keys.claim(request)).toEqual({ underWay: true })
    await database.freezeClock(start + ABANDONED_AFTER_MS - 1)
    expect(await keys.claim(request)).toEqual({ underWay: true })
    await database.freezeClock(start + ABANDONED_AFTER_MS)
    // It still belongs to the same request.
    const another = { ...request, inputHash: Buffer.alloc(32, 1) }
    expect(await keys.claim(another)).toEqual({ other: true })
    const taken = await keys.claim(request)
    expect(taken).toHaveProperty('claim')
    // If the first was only slow, its late result is not returned to anybody.
    if ('claim' in died) await keys.finish(died.claim, { data: 'late' })
    expect(await keys.claim(request)).toEqual({ underWay: true })
    if ('claim' in died) await keys.release(died.claim)
    expect(await keys.claim(request)).toEqual({ underWay: true })
    if ('claim' in taken) await keys.finish(taken.claim, { data: 'in time' })
    expect(await keys.claim(request)).toEqual({ result: { data: 'in time' } })
  })
})

describe('a call with a secret', () => {
  const withSecret: Idempotency = {
    store: (data) => ({ name: (data as { name: string }).name }),
    replay: async ({ input }, kept) => ({
      ...(kept as object),
      token: `made anew for ${(input as { password: string }).password}`,
    }),
  }

  it('stores neither its secret nor its reply', async () => {
    const { handle } = counted(() => ({ name: 'anna', token: 'the-first-token' }))
    const { database, here } = await wrapped(handle, { route: login, idempotency: withSecret })
    const sign = () =>
      callOf({ caller: null, input: { account: 'anna', password: 'the-password' } })
    expect(await here(sign().call)).toEqual({ name: 'anna', token: 'the-first-token' })
    const repeated = sign()
    expect(await here(repeated.call)).toEqual({
      name: 'anna',
      token: 'made anew for the-password',
    })
    expect(repeated.answers()).toContain('replayed')
    const rows = await database.owner.query('select request_key::text as row from app.request_key')
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toMatch(/token|password|anna"?,/)
  })

  it('stores no refusal, because the right secret may follow', async () => {
    const { handle } = counted((times) =>
      times === 1 ? refuse('account_or_password_wrong') : { name: 'anna', token: 't' },
    )
    const { here } = await wrapped(handle, { route: login, idempotency: withSecret })
    const sign = (password: string) =>
      here(callOf({ caller: null, input: { account: 'anna', password } }).call)
    expect(await sign('wrong')).toEqual({ refused: 'account_or_password_wrong' })
    expect(await sign('right')).toEqual({ name: 'anna', token: 't' })
  })
})

describe('a call', () => {
  it('without a key acts each time', async () => {
    const { done, handle } = counted()
    const { here } = await wrapped(handle)
    for (const _again of [1, 2]) await here(callOf({ idempotencyKey: null }).call)
    expect(done.times).toBe(2)
  })

  it('that changes nothing, or checks its key itself, is not wrapped', async () => {
    const once = wrapper(await createTestDatabase())
    const { handle } = counted()
    const reads = { route: userInfo, handle } as RouteBinding
    const idempotency = 'own_transaction'
    const keyedItself = { route: saveProfile, handle, idempotency } as RouteBinding
    expect(once(reads)).toBe(reads)
    expect(once(keyedItself)).toBe(keyedItself)
    expect(once({ route: staffLogout, handle })).not.toHaveProperty('handle', handle)
  })
})
