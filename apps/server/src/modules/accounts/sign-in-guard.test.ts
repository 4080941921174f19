import { describe, expect, it } from 'vitest'
import { isRefusal } from '#src/refusal/refusal.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { eachTestDatabase } from '#testing/database/test-database.ts'
import { countWithin, countWithWait } from './count-store.ts'
import {
  NAME_FREE,
  NAME_WAIT_MAX_SECONDS,
  NETWORK_DAY_MAX,
  NETWORK_MINUTE_MAX,
  signInGuard,
} from './sign-in-guard.ts'

const { database, db, owner } = eachTestDatabase()

const HOME = '198.51.100.7'

/** The n-th address of a stranger's many. */
const stranger = (n: number) => `203.${Math.floor(n / 250)}.113.${n % 250}`

/** A guard on a clock that stands still, and a player who has signed in from home. */
async function guarded() {
  let moment = Date.UTC(2026, 10, 20, 2)
  await database.freezeClock(moment)
  const guard = signInGuard({ db, key: Buffer.alloc(32, 1), on: true })
  const playerId = await addPlayer(database, { u: 0 })
  await guard.know({ playerId, network: HOME })
  /** Counts a wrong try; returns the seconds to wait if it is not checked, else 0. */
  async function wrong(name: string, network: string, who: number | null = playerId) {
    const counted = await guard.count({ name, playerId: who, network })
    return isRefusal(counted) ? Number(counted.details?.retry_after) : 0
  }
  /** As if this many more tries had been counted wherever so many were, or more. */
  const countMore = (tries: number, { wherever }: { wherever: number }) =>
    owner.query('update accounts.counter set tries = tries + $1 where tries >= $2', [
      tries,
      wherever,
    ])
  return {
    guard,
    playerId,
    wrong,
    countMore,
    async later(ms: number) {
      moment += ms
      await database.freezeClock(moment)
    },
    /** Strangers have tried this name so often that the next one has to wait; nothing else was tried. */
    async usedUp(name: string) {
      await owner.query('delete from accounts.counter')
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

it('guessing many names from the many networks of one customer is limited to four times that of one in a /56, and to sixteen times in a /48', async () => {
  const { wrong, countMore } = await guarded()
  const network = (n: number) => `2001:db8:1:${n.toString(16)}::/64`
  /** @param apart how far from each other the networks are: 1 in one /56, 256 in one /48 */
  const inNetworks = (apart: number, from: number) => (n: number) =>
    wrong(`name_${apart}_${from + n}`, network((from + n) * apart), null)
  for (const { apart, share } of [
    { apart: 1, share: 4 },
    { apart: 256, share: 16 },
  ]) {
    await owner.query('delete from accounts.counter')
    expect(await looked(5, inNetworks(apart, 0))).toBe(5)
    // Of each of these networks one is counted, and all in the one around them.
    await countMore(share * NETWORK_MINUTE_MAX - 10, { wherever: 5 })
    expect(await looked(10, inNetworks(apart, 5))).toBe(5)
  }
  // Refused tries were not counted for any of the networks.
  await owner.query('delete from accounts.counter where tries > 2')
  expect(await wrong('another', network(255 * 256), null)).toBe(0)
})

describe('guessing one name from many addresses', () => {
  it('is slowed down, also for the owner on a new network, and no less after he has signed in at home', async () => {
    const { guard, playerId, wrong } = await guarded()
    const atOnce = Array.from({ length: NAME_FREE + 10 }, (_, n) => wrong('wanted', stranger(n)))
    expect((await Promise.all(atOnce)).filter((wait) => wait === 0)).toHaveLength(NAME_FREE)
    const counted = await guard.count({ name: 'wanted', playerId, network: HOME })
    if (isRefusal(counted)) throw new Error('the owner was held')
    await guard.right(counted)
    expect(await wrong('wanted', stranger(50))).toBeGreaterThan(0)
  })

  it('waits twice as long each time, up to half an hour: fewer than a hundred tries a day', async () => {
    const { wrong, countMore } = await guarded()
    const waits = await db.column<number>(
      `select extract(epoch from accounts.wait_after(tries, $1, $2))::float8 as seconds
       from unnest(array(select generate_series(0, 99)) || 2147483647) with ordinality as try (tries, position)
       order by position`,
      [NAME_FREE, NAME_WAIT_MAX_SECONDS],
    )
    expect(waits.slice(0, NAME_FREE + 5)).toEqual([...Array(NAME_FREE).fill(0), 1, 2, 4, 8, 16])
    expect(waits.at(-1)).toBe(NAME_WAIT_MAX_SECONDS)
    expect(waits.slice(0, 100).reduce((sum, each) => sum + each)).toBeGreaterThan(86_400)
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

  it('does not lock out the owner who proves himself by mail from a new network', async () => {
    const { guard, playerId, wrong, usedUp } = await guarded()
    await usedUp('moved')
    const abroad = '192.0.2.77'
    expect(await wrong('moved', abroad)).toBeGreaterThan(0)
    await db.transaction((tx) => guard.proved(tx, { playerId, names: ['moved'], network: abroad }))
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

it('the owner on a network from which he has signed in before can sign in while the network is blocked for the day or the minute, and while his name is; the answer to a wrong password is everybody’s', async () => {
  const { guard, playerId, wrong, later, countMore } = await guarded()
  const isHeld = async (who: number | null, name: string) =>
    isRefusal(await guard.count({ name, playerId: who, network: HOME }))
  await looked(20, (n) => wrong(`minute_${n}`, HOME, null))
  expect(await isHeld(null, 'somebody')).toBe(true)
  // So others learn nothing about him.
  const his = await guard.count({ name: 'owner', playerId, network: HOME })
  const nobodys = await guard.count({ name: 'nobody', playerId: null, network: HOME })
  if (isRefusal(his)) throw new Error('the owner was held')
  expect(his.ifWrong).toEqual(nobodys)

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

describe('guessing many names from one network', () => {
  it('is limited to twenty a minute, and then for a day; refused tries do not count', async () => {
    const { wrong, later, countMore } = await guarded()
    const names = (count: number, minute: number) =>
      looked(count, (n) => wrong(`name_${minute}_${n}`, '203.0.113.1', null))
    expect(await names(NETWORK_MINUTE_MAX + 20, 1)).toBe(NETWORK_MINUTE_MAX)
    // Another network is not affected.
    expect(await wrong('name', HOME)).toBe(0)
    await later(60_000)
    await countMore(NETWORK_DAY_MAX - NETWORK_MINUTE_MAX - 3, { wherever: NETWORK_MINUTE_MAX })
    expect(await names(5, 2)).toBe(3)
    await later(60_000)
    expect(await wrong('one_more', '203.0.113.1', null)).toBeGreaterThan(23 * 3_600)
    await later(86_400_000)
    expect(await wrong('next_day', '203.0.113.1', null)).toBe(0)
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

it('the counts contain no name and no address', async () => {
  const { wrong } = await guarded()
  await wrong('kept_secret', '203.0.113.44')
  const rows = await owner.column<string>(
    `select encode(key, 'escape') as row from accounts.counter
     union all select encode(network_hash, 'escape') from accounts.known_network`,
  )
  expect(rows.length).toBeGreaterThan(3)
  for (const row of rows) expect(row).not.toMatch(/kept_secret|203\.0|198\.51/)
})

it('tries are counted at once while they are free, and then each from the end of its wait on', async () => {
  let now = Date.UTC(2026, 10, 20)
  const key = Buffer.alloc(32, 1)
  const later = async (ms: number) => {
    now += ms
    await database.freezeClock(now)
  }
  const wait = () => countWithWait(db, { key, free: 3, waitMax: 10 })
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
  const now = Date.UTC(2026, 10, 20)
  const [tries, events] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const wait = () => countWithWait(db, { key: tries, free: 1, waitMax: 10 })
  const count = () => countWithin(db, { key: events, max: 1, seconds: 60 })
  await database.freezeClock(now + 3_600_000)
  expect([await wait(), await count(), await wait(), await count()]).toEqual([0, 0, 1, 60])
  await database.freezeClock(now)
  expect([await wait(), await count()]).toEqual([0, 0])
  expect([await wait(), await count()]).toEqual([2, 60])
})
