/** What a round takes when it opens: the next seed of its own game's chain, once. */
import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { eachTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'

const { database } = eachTestDatabase()

const ENDS = 1_800_000_000
const ISSUE = 20_270_115_001

beforeEach(() => database.freezeClock((ENDS - 210) * 1_000))

async function addChain({ owner }: TestDatabase, gameId: number, length = 10): Promise<number> {
  return owner.value<number>(
    `insert into fairness.chain (game_id, length, commitment, encrypted_secret, key_id)
     values ($1, $3, $2, 'x', 'test') returning id`,
    [gameId, randomBytes(32), length],
  )
}

type Opening = {
  gameId?: number
  issue?: number
  chain: number
  genesis?: number | null
  period?: number | null
  beaconRound?: number
  /** How long it is. */
  seconds?: number
  day?: string
  /** How long it waits for its value. */
  waits?: number
}

/** What is wrong with an opening, perhaps its time. */
type Wrong = Partial<Opening> & { now?: number }

/** Whether the round is opened, or why it is not. */
async function opened(
  { db }: TestDatabase,
  {
    gameId = 1,
    issue = ISSUE,
    chain,
    genesis = ENDS,
    period = 3,
    beaconRound = 1,
    seconds = 210,
    day = '2027-01-15',
    waits = 600,
  }: Opening,
): Promise<boolean | string> {
  const opening = db.value<boolean>(
    `select rounds.open($1::smallint, $2, $11, 1, $3, $4, $5, $6, 'local', 'x', 'x', 'x', $7, $8, $10, $9)`,
    [
      ...[gameId, issue],
      ...[ENDS - seconds, ENDS - 30, ENDS].map((at) => new Date(at * 1_000)),
      ...[chain, genesis, period, new Date((ENDS + waits) * 1_000), beaconRound, day],
    ],
  )
  return opening.catch((error: Error) => error.message)
}

/** The used seeds of all chains, and those of the rounds. */
async function taken({ owner }: TestDatabase) {
  return {
    used: await owner.query('select id, used from fairness.chain order by id'),
    rounds: await owner.query(
      'select game_id, issue, chain_id, chain_index from rounds.round order by game_id, issue',
    ),
  }
}

it('no round opens while the clocks disagree, and no seed is taken', async () => {
  const chain = await addChain(database, 1)
  await database.owner.query('update games.house set clocks_apart_since = app.now()')
  expect(await opened(database, { chain })).toBe(false)
  expect((await taken(database)).rounds).toEqual([])
  await database.owner.query('update games.house set clocks_apart_since = null')
  expect(await opened(database, { chain })).toBe(true)
  expect((await taken(database)).used).toMatchObject([{ id: chain, used: 1 }])
})

describe('a round that opens', () => {
  it('takes the next seed of its chain, and none if it is open already', async () => {
    const chain = await addChain(database, 1)
    const other = await addChain(database, 1)
    expect(await opened(database, { chain })).toBe(true)
    expect(await opened(database, { chain, issue: ISSUE + 1 })).toBe(true)
    expect(await opened(database, { chain })).toBe(false)
    expect(await taken(database)).toEqual({
      used: [
        { id: chain, used: 2 },
        { id: other, used: 0 },
      ],
      rounds: [
        { game_id: 1, issue: BigInt(ISSUE), chain_id: chain, chain_index: 1 },
        { game_id: 1, issue: BigInt(ISSUE + 1), chain_id: chain, chain_index: 2 },
      ],
    })
  })

  it('takes no seed of another game, of a used-up chain, of one that there is not, or that is not the first', async () => {
    const [others, short] = [await addChain(database, 2), await addChain(database, 1, 1)]
    expect(await opened(database, { chain: short })).toBe(true)
    const issue = ISSUE + 1
    await addChain(database, 1)
    const later = await addChain(database, 1)
    for (const chain of [others, short, later, later + 1]) {
      expect(await opened(database, { chain, issue })).toBe(
        `chain ${chain} does not have the next seed of game 1`,
      )
    }
    expect(await taken(database)).toMatchObject({
      used: [{ used: 0 }, { used: 1 }, { used: 0 }, { used: 0 }],
      rounds: [{ issue: BigInt(ISSUE) }],
    })
  })

  it('is one that runs: to the hour long, opened from a minute before it on, also by an engine that is late', async () => {
    const chain = await addChain(database, 1)
    await database.freezeClock((ENDS - 3_660) * 1_000)
    expect(await opened(database, { chain, seconds: 3_600, waits: 86_400 })).toBe(true)
    await database.freezeClock((ENDS - 1) * 1_000)
    expect(await opened(database, { chain, issue: ISSUE + 1 })).toBe(true)
  })

  it.each([
    ['of another beacon round than the first after its end', 'beacon', { beaconRound: 2 }],
    ['of an earlier one', 'beacon', { genesis: ENDS - 3 }],
    ['without a clock of its beacon', 'beacon', { genesis: null }],
    ['without a period', 'beacon', { period: null }],
    ['of later', 'none of now', { now: ENDS - 271 }],
    ['that has ended', 'none of now', { now: ENDS + 1 }],
    ['longer than any', 'none of now', { seconds: 3_601 }],
    ['that waits for ever', 'none of now', { waits: 86_401 }],
    ['with the name of another month', 'none of now', { issue: 20_270_215_001 }],
  ] as const)('is none %s, and takes no seed', async (_what, fault, { now, ...round }: Wrong) => {
    const chain = await addChain(database, 1)
    if (now) await database.freezeClock(now * 1_000)
    expect(await opened(database, { chain, ...round })).toContain(fault)
    expect(await taken(database)).toEqual({ used: [{ id: chain, used: 0 }], rounds: [] })
  })

  it.each([
    ['the day before, after midnight', '2027-01-14', true],
    ['the day after, where the clock was put back across midnight', '2027-01-16', true],
    ['the second day before', '2027-01-13', false],
    ['the second day after', '2027-01-17', false],
  ])('is of %s: %s', async (_what, day, may) => {
    const chain = await addChain(database, 1)
    const issue = Number(`${day.replaceAll('-', '')}001`)
    const answer = await opened(database, { chain, issue, day })
    expect(answer === true).toBe(may)
  })
})
