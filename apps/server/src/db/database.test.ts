import dns from 'node:dns'
import { describe, expect, it, vi } from 'vitest'
import { refuse } from '#src/refusal/refusal.ts'
import { eachTestDatabase, openTestPool } from '#testing/database/test-database.ts'
import { startTcpProxy, type TcpProxy, withoutWaiting } from '#testing/hosts/tcp-proxy.ts'
import { eventually } from '#testing/requests/patience.ts'
import { exhausted, isDatabaseAway, isTimedOut, mayBeCommitted, only } from './database.ts'

/** For the answer to a statement; a test of silence lets it pass in a moment. */
const ANSWER_MS = 60_000

const { database, db, owner } = eachTestDatabase()

/** The error with which a promise rejects. */
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

/** Whether work fails by a database that is away, and whether by a limit of time. */
async function outcomeOf(work: Promise<unknown>): Promise<[away: boolean, timedOut: boolean]> {
  const failed = await failureOf(work)
  return [isDatabaseAway(failed), isTimedOut(failed)]
}

const addPlayer = (name: string) =>
  `insert into accounts.player (username, group_id) values ('${name}', 2)`

describe('a transaction', () => {
  const players = async () => (await db.query('select from accounts.player')).length

  it('commits all of its work or none, also if a statement in it failed unnoticed', async () => {
    const failing = (onError: (error: unknown) => void) =>
      failureOf(
        db.transaction(async (tx) => {
          await tx.query(addPlayer('first'))
          await tx.query(addPlayer('FIRST')).catch(onError)
        }),
      )
    const passOn = (error: unknown) => {
      throw error
    }
    expect(await failing(passOn)).toMatchObject({ constraint: 'username_taken' })
    expect(await failing(() => {})).toMatchObject({
      message: expect.stringContaining('had failed'),
    })
    expect(await players()).toBe(0)
    await db.transaction((tx) => tx.query(addPlayer('first')))
    expect(await players()).toBe(1)
  })

  it('fails, and nothing else does, when its connection breaks between two statements', async () => {
    const failed = failureOf(
      db.transaction(async (tx) => {
        const pid = await tx.value<number>('select pg_backend_pid()')
        await owner.query('select pg_terminate_backend($1, 5000)', [pid])
        await new Promise((noticed) => setTimeout(noticed, 50))
        await tx.query('select 1')
      }),
    )
    expect(isDatabaseAway(await failed)).toBe(true)
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }])
  })

  it('rolls back what was written before a refusal, unless the option keeps it', async () => {
    const addAndRefuse = (keepRefusals: boolean) =>
      db.transaction(
        async (tx) => {
          await tx.query(addPlayer('first'))
          return refuse('username_taken')
        },
        { keepRefusals },
      )
    for (const kept of [false, true]) {
      expect(await addAndRefuse(kept)).toEqual(refuse('username_taken'))
      expect(await players()).toBe(kept ? 1 : 0)
    }
  })

  it('is repeated after a deadlock with another, and both succeed', async () => {
    await owner.query(`create table app.test_row (id integer primary key, touched integer not null);
      insert into app.test_row values (1, 0), (2, 0);
      grant select, update on app.test_row to sum28_application`)
    const met = Promise.withResolvers<void>()
    let arrived = 0
    const begun: string[] = []
    /** Locks one row, waits at first until the other has locked its own, and locks that. */
    const cross = (own: number, other: number) =>
      db.transaction(async (tx) => {
        begun.push(`${own}`)
        await tx.query('update app.test_row set touched = touched + 1 where id = $1', [own])
        arrived += 1
        if (arrived === 2) met.resolve()
        await met.promise
        await tx.query('update app.test_row set touched = touched + 1 where id = $1', [other])
      })
    await Promise.all([cross(1, 2), cross(2, 1)])
    // One is aborted; if both have detected the deadlock at the same moment, both are.
    expect(begun.length).toBeGreaterThanOrEqual(3)
    expect(await db.query('select id, touched from app.test_row order by id')).toEqual([
      { id: 1, touched: 2 },
      { id: 2, touched: 2 },
    ])
  })

  it('is repeated a limited number of times', async () => {
    let begun = 0
    const failed = failureOf(
      db.transaction(async (tx) => {
        begun += 1
        await tx.query(`do $$ begin raise sqlstate '40001'; end $$`)
      }),
    )
    expect(await failed).toMatchObject({ code: '40001' })
    expect(begun).toBe(6)
    expect(isDatabaseAway(await failed)).toBe(true)
  })
})

it('a single statement is sent again if the database aborted it because of others', async () => {
  await owner.query(`create sequence app.test_try;
    create function app.test_broken_off() returns bigint language plpgsql security definer as $$
    begin
      if nextval('app.test_try') < 3 then raise sqlstate '40P01'; end if;
      return currval('app.test_try');
    end $$;
    grant execute on function app.test_broken_off to sum28_application`)
  expect(await db.value('select app.test_broken_off()')).toBe(3n)
})

describe('a connection that has fallen silent', () => {
  /** A pool of one connection through a proxy, which has been used. */
  async function throughProxy() {
    const proxy = await startTcpProxy(database.applicationUrl)
    const db = openTestPool(proxy.url, { answerMs: ANSWER_MS })
    await db.query('select 1')
    return { db, proxy }
  }

  const closed = (proxy: TcpProxy) => eventually(() => proxy.open === 0)

  it.each(['requests', 'answers'] as const)(
    'is given up and closed, and the next statement has another: %s are swallowed',
    async (what) => {
      const { db, proxy } = await throughProxy()
      proxy.silence(what)
      const failing = () => failureOf(db.query('select 1 as one'))
      const failed = await withoutWaiting(proxy, failing, ANSWER_MS)
      expect([isDatabaseAway(failed), isTimedOut(failed)]).toEqual([true, true])
      await closed(proxy)
      expect(await db.query('select 1 as one')).toEqual([{ one: 1 }])
    },
  )

  it('delays no transaction for longer than one statement', async () => {
    const { db, proxy } = await throughProxy()
    const failing = () =>
      failureOf(
        db.transaction(async (tx) => {
          await tx.query('select 1')
          proxy.silence('answers')
          await tx.query('select 2')
        }),
      )
    const error = await withoutWaiting(proxy, failing, ANSWER_MS)
    expect(isDatabaseAway(error)).toBe(true)
    expect(mayBeCommitted(error)).toBe(false)
    await closed(proxy)
    expect(await db.transaction((tx) => tx.query('select 1 as one'))).toEqual([{ one: 1 }])
  })

  it('leaves unknown whether a commit or a single statement without an answer had an effect', async () => {
    const { db, proxy } = await throughProxy()
    const commit = () =>
      failureOf(
        db.transaction(async (tx) => {
          await tx.query('select 1')
          proxy.silence('answers')
        }),
      )
    expect(mayBeCommitted(await withoutWaiting(proxy, commit, ANSWER_MS))).toBe(true)
    await closed(proxy)
    await db.query('select 1')
    proxy.silence('answers')
    const single = () => failureOf(db.query('select 1'))
    expect(mayBeCommitted(await withoutWaiting(proxy, single, ANSWER_MS))).toBe(true)
    expect(mayBeCommitted(await failureOf(db.query('select 1 / 0')))).toBe(false)
    const nowhere = openTestPool('postgres://nobody@127.0.0.1:1/none')
    expect(mayBeCommitted(await failureOf(nowhere.query('select 1')))).toBe(false)
  })

  it('does not affect a statement that is sent through a new connection', async () => {
    const { db, proxy } = await throughProxy()
    const held = await db.pool.connect()
    proxy.silence('answers')
    expect(await db.queryAfresh('select 1 as one')).toEqual([{ one: 1 }])
    held.release(true)
  })
})

it('a connection that takes too long, new or free, counts as a time limit', async () => {
  const proxy = await startTcpProxy(database.applicationUrl)
  const db = openTestPool(proxy.url, { connectMs: 200 })
  proxy.silenceAll(true)
  expect(await outcomeOf(db.query('select 1'))).toEqual([true, true])
  expect(await outcomeOf(db.queryAfresh('select 1'))).toEqual([true, true])
  proxy.silenceAll(false)
  const held = await eventually(() => db.pool.connect().catch(() => undefined))
  expect(await outcomeOf(db.query('select 1'))).toEqual([true, true])
  held.release()
})

it('a statement that takes too long is cancelled by the server, like one that waits too long for a lock', async () => {
  const lock = 'select pg_advisory_xact_lock(28)'
  await owner.transaction(async (tx) => {
    await tx.query(lock)
    for (const [limits, statement, code] of [
      [{ statementMs: 200, answerMs: 30_000 }, 'select pg_sleep(60)', '57014'],
      [{ lockMs: 200 }, lock, '55P03'],
    ] as const) {
      const failed = await failureOf(openTestPool(database.applicationUrl, limits).query(statement))
      expect(failed).toMatchObject({ code })
      expect([isDatabaseAway(failed), isTimedOut(failed)]).toEqual([true, true])
    }
  })
})

describe('values from the database', () => {
  it('are bigint, milliseconds and days as text', async () => {
    const rows = await db.query(
      `select 9007199254740993::bigint as large, '2026-11-20 10:00:00+08'::timestamptz as instant,
         '2026-11-20'::date as day, array[1, 9007199254740993]::bigint[] as list, '{}'::bigint[] as none`,
    )
    expect(rows).toEqual([
      {
        large: 9_007_199_254_740_993n,
        instant: Date.UTC(2026, 10, 20, 2),
        day: '2026-11-20',
        list: [1n, 9_007_199_254_740_993n],
        none: [],
      },
    ])
  })

  it('are one row if one is expected, or an error', () => {
    expect(only([{ a: 1 }])).toEqual({ a: 1 })
    expect(() => only([])).toThrow('one was expected, 0 came')
    expect(() => only([1, 2])).toThrow('one was expected, 2 came')
  })
})

describe('a database that is away', () => {
  it.each([
    ['is read-only, as a replica until its promotion', 'read_only_sql_transaction'],
    ['has a full disk', 'disk_full', 'the disk of the database is full: free some of it'],
    ['runs on a machine that fails', 'io_error'],
  ])(
    'is also one that %s, and one that a library names as the cause',
    async (_, condition, told?: string) => {
      const fault = `do $$ begin raise exception 'it cannot' using errcode = '${condition}'; end $$`
      const failed = await failureOf(db.query(fault))
      expect(isDatabaseAway(failed)).toBe(true)
      const caused = new Error('no job was read', { cause: failed })
      expect(isDatabaseAway(caused)).toBe(true)
      expect([exhausted(failed), exhausted(caused)]).toEqual([told ?? null, told ?? null])
    },
  )

  it.each([
    ['whose name cannot be resolved', (url: URL) => (url.hostname = 'no-such-host.invalid')],
    [
      'that refuses encrypted connections',
      (url: URL) => url.searchParams.set('sslmode', 'require'),
    ],
    ['whose port is closed', (url: URL) => (url.port = '1')],
  ])('is also one %s, for the pool, a transaction and a new connection', async (_, change) => {
    const { applicationUrl } = database
    const url = new URL(applicationUrl)
    change(url)
    const db = openTestPool(url.toString(), { connectionsMax: 10 })
    const works = [
      () => db.query('select'),
      () => db.transaction((tx) => tx.query('select')),
      () => db.queryAfresh('select'),
      () => db.pool.connect(),
    ]
    for (const work of works) {
      const failed = await failureOf(work())
      // Nothing was sent.
      expect([isDatabaseAway(failed), mayBeCommitted(failed)]).toEqual([true, false])
    }
  })

  it('is also one whose name is not resolved for a moment, and then is used again', async () => {
    const { applicationUrl, takeAway, giveBack } = database
    const url = new URL(applicationUrl)
    url.hostname = 'localhost'
    const db = openTestPool(url.toString(), { connectionsMax: 10 })
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }])
    await takeAway()
    await giveBack()
    const failing = vi.spyOn(dns, 'lookup').mockImplementation(((...given: unknown[]) => {
      const answer = given.at(-1) as (error: Error) => void
      answer(Object.assign(new Error('getaddrinfo EAI_AGAIN localhost'), { code: 'EAI_AGAIN' }))
    }) as never)
    const outcome = () =>
      db.query('select 1 as one').catch((error) => [isDatabaseAway(error), mayBeCommitted(error)])
    await eventually(() => (failing.mock.calls.length > 0 ? true : outcome().then(() => undefined)))
    expect(await outcome()).toEqual([true, false])
    failing.mockRestore()
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }])
  })

  it('is distinguished from a wrong statement or value, and from another system', async () => {
    const { takeAway, giveBack } = database
    for (const wrong of ['select nonsense', 'select 1 / 0'])
      expect(await outcomeOf(db.query(wrong))).toEqual([false, false])
    const unsendable = await failureOf(db.query('select $1::json', [{ amount: 1n }]))
    expect(unsendable).toBeInstanceOf(TypeError)
    expect(isDatabaseAway(unsendable)).toBe(false)
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    expect(isDatabaseAway(refused)).toBe(false)
    await takeAway()
    for (const _again of [1, 2, 3]) {
      expect(await outcomeOf(db.query('select 1'))).toEqual([true, false])
    }
    await giveBack()
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }])
  })
})
