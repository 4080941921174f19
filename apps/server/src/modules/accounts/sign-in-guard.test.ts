import { describe, expect, it } from 'vitest'
import { isRefusal } from '#src/refusal/refusal.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { countWithin, countWithWait } from './count-store.ts'
import {
  NAME_FREE,
  NAME_WAIT_MAX_SECONDS,
  NETWORK_DAY_MAX,
  NETWORK_MINUTE_MAX,
  signInGuard,
} from './sign-in-guard.ts'

const HOME = '198.51.100.7'

/** The n-th address of a stranger's many. */
const stranger = (n: number) => `203.${Math.floor(n / 250)}.113.${n % 250}`

/** A guard on a database with a stopped clock, and a player who has signed in from home. */
async function guarded() {
  const database = await createTestDatabase()
  const start = Date.UTC(2026, 10, 20, 2)
  let moment = start
  await database.freezeClock(moment)
  const guard = signInGuard({ db: database.db, key: Buffer.alloc(32, 1), on: true })
  const playerId = await addPlayer(database, { u: 0 })
  await guard.know({ playerId, network: HOME })
  /** Counts a wrong try; returns the seconds to wait if it is not checked, else 0. */
  async function wrong(name: string, network: string, who: number | null = playerId) {
    const counted = await guard.count({ name, playerId: who, network })
    return isRefusal(counted) ? Number(counted.details?.retry_after) : 0
  }
  /** As if this many more tries had been counted wherever so many were, or more. */
  const countMore = (tries: number, { wherever }: { wherever: number }) =>
    database.owner.query('update accounts.counter set tries = tries + $1 where tries >= $2', [
      tries,
      wherever,
    ])
  return {
    ...{ database, guard, playerId, wrong, countMore },
    async later(ms: number) {
      moment += ms
      await database.freezeClock(moment)
    },
    /** Strangers have tried this name so often that the next one has to wait; nothing else was tried. */
    async usedUp(name: string) {
      await database.owner.query('delete from accounts.counter')
      for (const n of [1, 2]) await wrong(name, stranger(n))
      await countMore(100, { wherever: 2 })
    },
  }
}

/** How many of this many tries were checked. */
async function looked(count: number, tried: (n: number) => Promise<number>): Promise<number> {
  let all = 0
  for (let n = 0; n < count; n += 1) if ((await tried(n)) === 0) all += 1
  return all
}

describe('guessing many names from the many networks of one customer', () => {
  it('is limited to four times that of one in a /56, and to sixteen times in a /48', async () => {
    const { wrong, database, countMore } = await guarded()
    const network = (n: number) => `2001:db8:1:${n.toString(16)}::/64`
    /** @param apart how far from each other the networks are: 1 in one /56, 256 in one /48 */
    const inNetworks = (apart: number, from: number) => (n: number) =>
      wrong(`name_${apart}_${from + n}`, network((from + n) * apart), null)
    for (const { apart, share } of [
      { apart: 1, share: 4 },
      { apart: 256, share: 16 },
    ]) {
      await database.owner.query('delete from accounts.counter')
      expect(await looked(20, inNetworks(apart, 0))).toBe(20)
      // Of each of these networks one is counted, and all in the one around them.
      await countMore(share * NETWORK_MINUTE_MAX - 40, { wherever: 20 })
      expect(await looked(40, inNetworks(apart, 20))).toBe(20)
    }
    // Refused tries were not counted for any of the networks.
    await database.owner.query('delete from accounts.counter where tries > 2')
    expect(await wrong('another', network(255 * 256), null)).toBe(0)
  })
})

describe('guessing one name from many addresses', () => {
  it('is slowed down, also for the owner on a new network', async () => {
    const { guard, playerId, wrong } = await guarded()
    expect(await looked(NAME_FREE + 2, (n) => wrong('wanted', stranger(n)))).toBe(NAME_FREE)
    expect(await wrong('wanted', HOME)).toBe(0)
    const counted = await guard.count({ name: 'wanted', playerId, network: HOME })
    expect(isRefusal(counted)).toBe(false)
  })

  it('waits twice as long each time, up to half an hour: fewer than a hundred tries a day', async () => {
    const { database, wrong, countMore } = await guarded()
    const waits = await database.db.query<{ seconds: number }>(
      `select extract(epoch from accounts.wait_after(tries, $1, $2))::float8 as seconds
       from generate_series(0, 99) tries order by tries`,
      [NAME_FREE, NAME_WAIT_MAX_SECONDS],
    )
    const seconds = waits.map((row) => row.seconds)
    expect(seconds.slice(0, NAME_FREE + 5)).toEqual([...Array(NAME_FREE).fill(0), 1, 2, 4, 8, 16])
    expect(seconds.reduce((sum, each) => sum + each)).toBeGreaterThan(86_400)
    expect(await looked(2, (n) => wrong('waited', stranger(n)))).toBe(2)
    await countMore(100, { wherever: 2 })
    expect(await wrong('waited', stranger(2))).toBe(NAME_WAIT_MAX_SECONDS)
  })

  it('is the same for an unknown name, and for every spelling', async () => {
    const { wrong, countMore } = await guarded()
    const written = (name: string, n: number) => (n % 2 ? ` ${name.toUpperCase()} ` : name)
    const taken = (n: number) => wrong(written('taken', n), stranger(n))
    const free = (n: number) => wrong(written('free', n), stranger(n), null)
    for (const tried of [taken, free]) expect(await looked(2, tried)).toBe(2)
    await countMore(NAME_FREE - 4, { wherever: 2 })
    for (const tried of [taken, free]) expect(await looked(5, (n) => tried(2 + n))).toBe(2)
  })

  it('counts all of forty tries at once', async () => {
    const { wrong } = await guarded()
    const waits = await Promise.all(
      Array.from({ length: 40 }, (_, n) => wrong('at_once', stranger(n))),
    )
    expect(waits.filter((wait) => wait === 0)).toHaveLength(NAME_FREE)
  })

  it('does not lock out the owner who proves himself by mail from a new network', async () => {
    const { database, guard, playerId, wrong, usedUp } = await guarded()
    await usedUp('moved')
    const abroad = '192.0.2.77'
    expect(await wrong('moved', abroad)).toBeGreaterThan(0)
    await database.db.transaction((tx) =>
      guard.proved(tx, { playerId, names: ['moved'], network: abroad }),
    )
    expect(await wrong('moved', abroad)).toBe(0)
    await usedUp('moved')
    expect(await wrong('moved', abroad)).toBe(0)
  })

  it('is reset after a day, and after the owner has signed in', async () => {
    const { guard, playerId, wrong, later, usedUp } = await guarded()
    await usedUp('anew')
    await later(86_400_000)
    expect(await looked(29, (n) => wrong('anew', stranger(50 + n)))).toBe(29)
    const counted = await guard.count({ name: 'anew', playerId, network: '192.0.2.1' })
    if (isRefusal(counted)) throw new Error('the thirtieth was refused')
    await guard.right(counted)
    expect(await looked(31, (n) => wrong('anew', stranger(100 + n)))).toBe(NAME_FREE)
  })

  it('is also limited on the owner’s network', async () => {
    const { wrong, later, countMore } = await guarded()
    const tries = (count: number) => looked(count, () => wrong('at_home', HOME))
    expect(await tries(2)).toBe(2)
    await countMore(NAME_FREE - 4, { wherever: 2 })
    await later(60_000)
    // The last two of the tries that everyone has, and two of the same number again.
    expect(await tries(4)).toBe(4)
    await countMore(NAME_FREE - 2, { wherever: 2 })
    await later(60_000)
    // From then on each after a longer wait.
    expect(await tries(10)).toBe(1)
  })
})

describe('the owner on a network from which he has signed in before', () => {
  it('can sign in while the network is blocked for the day or the minute, and while his name is', async () => {
    const { guard, playerId, wrong, later, countMore } = await guarded()
    const isHeld = async (who: number | null, name: string) =>
      isRefusal(await guard.count({ name, playerId: who, network: HOME }))
    await looked(20, (n) => wrong(`minute_${n}`, HOME, null))
    expect(await isHeld(null, 'somebody')).toBe(true)
    expect(await isHeld(playerId, 'owner')).toBe(false)

    await later(60_000)
    await countMore(NETWORK_DAY_MAX - 40, { wherever: 20 })
    await looked(20, (n) => wrong(`day_${n}`, HOME, null))
    await later(60_000)
    expect(await wrong('somebody', HOME, null)).toBeGreaterThan(22 * 3_600)
    expect(await isHeld(playerId, 'owner')).toBe(false)

    await looked(40, (n) => wrong('owner', stranger(n)))
    expect(await wrong('owner', stranger(99))).toBeGreaterThan(0)
    expect(await isHeld(playerId, 'owner')).toBe(false)
  })

  it('gets the same answer to a wrong password as everyone, so that others learn nothing about him', async () => {
    const { guard, playerId, wrong } = await guarded()
    await looked(20, (n) => wrong(`somebody_${n}`, HOME, null))
    const his = await guard.count({ name: 'owner', playerId, network: HOME })
    const nobodys = await guard.count({ name: 'nobody', playerId: null, network: HOME })
    if (isRefusal(his)) throw new Error('the owner was held')
    expect(isRefusal(nobodys)).toBe(true)
    expect(his.ifWrong).toEqual(nobodys)
  })

  it('leaves strangers the same number of tries, whether or not he has signed in', async () => {
    const { guard, playerId, wrong } = await guarded()
    await looked(NAME_FREE, (n) => wrong('owner', stranger(n)))
    const counted = await guard.count({ name: 'owner', playerId, network: HOME })
    if (isRefusal(counted)) throw new Error('the owner was held')
    await guard.right(counted)
    expect(await wrong('owner', stranger(50))).toBeGreaterThan(0)
  })
})

describe('guessing many names from one network', () => {
  it('is limited to twenty a minute, and another network is not affected', async () => {
    const { wrong, later } = await guarded()
    const names = (minute: number) =>
      looked(2 * NETWORK_MINUTE_MAX, (n) => wrong(`name_${minute}_${n}`, '203.0.113.1', null))
    expect(await names(1)).toBe(NETWORK_MINUTE_MAX)
    expect(await wrong('name', HOME)).toBe(0)
    await later(60_000)
    expect(await wrong('next_minute', '203.0.113.1')).toBe(0)
  })

  it('is blocked for a day after the daily limit of checked tries', async () => {
    const { wrong, later, countMore } = await guarded()
    const minute = async (minutes: number) => {
      const all = await looked(20, (n) => wrong(`day_${minutes}_${n}`, '203.0.113.9', null))
      await later(60_000)
      return all
    }
    expect(await minute(1)).toBe(20)
    await countMore(NETWORK_DAY_MAX - 40, { wherever: 20 })
    expect(await minute(2)).toBe(20)
    expect(await wrong('one_more', '203.0.113.9', null)).toBeGreaterThan(23 * 3_600)
    await later(86_400_000)
    expect(await wrong('next_day', '203.0.113.9', null)).toBe(0)
  })

  it('does not come nearer to the daily limit by refused tries', async () => {
    const { wrong, later, countMore } = await guarded()
    const many = await looked(50, (n) => wrong(`many_${n}`, '203.0.113.9', null))
    expect(many).toBe(NETWORK_MINUTE_MAX)
    await later(60_000)
    await countMore(NETWORK_DAY_MAX - 40, { wherever: 20 })
    expect(await looked(20, (n) => wrong(`after_${n}`, '203.0.113.9', null))).toBe(20)
  })

  it('reaches neither limit by tries of a name that has to wait', async () => {
    const { wrong, usedUp } = await guarded()
    await usedUp('waits')
    expect(await looked(NETWORK_MINUTE_MAX + 1, () => wrong('waits', '198.18.0.9'))).toBe(0)
    expect(await looked(20, (n) => wrong(`other_${n}`, '198.18.0.9', null))).toBe(20)
  })

  it('does not count right sign-ins, however many, nor tries whose password was not checked', async () => {
    const { guard, playerId } = await guarded()
    for (let n = 0; n < 2 * NETWORK_MINUTE_MAX; n += 1) {
      const counted = await guard.count({ name: `colleague_${n % 3}`, playerId, network: HOME })
      if (isRefusal(counted)) throw new Error(`number ${n} was refused`)
      await (n % 2 ? guard.right(counted) : guard.notChecked(counted))
    }
  })
})

describe('the counts', () => {
  it('contain no name and no address', async () => {
    const { database, wrong } = await guarded()
    await wrong('kept_secret', '203.0.113.44')
    const rows = await countsOf(database)
    expect(rows.length).toBeGreaterThan(3)
    for (const { row } of rows) expect(row).not.toMatch(/kept_secret|203\.0|198\.51/)
  })
})

function countsOf({ owner }: TestDatabase): Promise<{ row: string }[]> {
  return owner.query(
    `select counter::text as row from accounts.counter
     union all select known_network::text from accounts.known_network`,
  )
}

// How long one waits after so many tries, by the database's own reckoning.
const FREE = 3
const WAIT_MAX = 10

it('the wait after a try is a second once the free ones are used up, doubles, and ends at its most', async () => {
  const { db } = await createTestDatabase()
  const waits = await db.column<number>(
    `select extract(epoch from accounts.wait_after(tries, $1, $2))::float8 as seconds
     from unnest(array[0, 1, 2, 3, 4, 5, 6, 7, 8, 1000, 2147483647]) with ordinality as try (tries, position)
     order by position`,
    [FREE, WAIT_MAX],
  )
  expect(waits).toEqual([0, 0, 0, 1, 2, 4, 8, 10, 10, 10, 10])
})

it('tries are counted at once while they are free, and then each from the end of its wait on', async () => {
  const database = await createTestDatabase()
  let now = Date.UTC(2026, 10, 20)
  const key = Buffer.alloc(32, 1)
  const later = async (ms: number) => {
    now += ms
    await database.freezeClock(now)
  }
  const wait = () => countWithWait(database.db, { key, free: FREE, waitMax: WAIT_MAX })
  await later(0)
  expect([await wait(), await wait(), await wait()]).toEqual([0, 0, 0])
  for (const seconds of [1, 2, 4, 8, 10, 10]) {
    expect(await wait()).toBe(seconds)
    await later(seconds * 1_000 - 1)
    expect(await wait()).toBe(1)
    await later(1)
    expect(await wait()).toBe(0)
  }
})

it('counts that a clock ahead has made delay nobody once it is set back', async () => {
  const database = await createTestDatabase()
  const now = Date.UTC(2026, 10, 20)
  const [tries, events] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const wait = () => countWithWait(database.db, { key: tries, free: 1, waitMax: WAIT_MAX })
  const count = () => countWithin(database.db, { key: events, max: 1, seconds: 60 })
  await database.freezeClock(now + 3_600_000)
  expect([await wait(), await count(), await wait(), await count()]).toEqual([0, 0, 1, 60])
  await database.freezeClock(now)
  expect([await wait(), await count()]).toEqual([0, 0])
  expect([await wait(), await count()]).toEqual([2, 60])
})
