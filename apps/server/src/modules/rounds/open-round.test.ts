/** What a round takes when it opens: the next seed of its own game's chain, once. */
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { only } from '#src/db/database.ts'
import { eachTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'

const { database } = eachTestDatabase()

const ENDS = 1_800_000_000
const ISSUE = 20_270_115_001

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
}

/** Whether the round is opened, or why it is not. */
async function opened(
  { db }: TestDatabase,
  { gameId = 1, issue = ISSUE, chain, genesis = ENDS, period = 3, beaconRound = 1 }: Opening,
): Promise<boolean | string> {
  const opening = db.query<{ opened: boolean }>(
    `select rounds.open($1::smallint, $2, '2027-01-15', 1, $3, $4, $5, $6, 'local', 'x', 'x', 'x', $7, $8, $10, $9) as opened`,
    [
      ...[gameId, issue],
      ...[ENDS - 210, ENDS - 30, ENDS].map((seconds) => new Date(seconds * 1_000)),
      ...[chain, genesis, period, new Date((ENDS + 600) * 1_000), beaconRound],
    ],
  )
  return opening.then(
    (rows) => only(rows).opened,
    (error: Error) => error.message,
  )
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
    expect(await opened(database, { chain: other })).toBe(false)
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

  it('takes no seed of another game, of a used-up chain, or of one that there is not', async () => {
    const [others, short] = [await addChain(database, 2), await addChain(database, 1, 1)]
    expect(await opened(database, { chain: short })).toBe(true)
    const issue = ISSUE + 1
    for (const chain of [others, short, short + 1]) {
      expect(await opened(database, { chain, issue })).toBe(
        `chain ${chain} has no seed left for game 1`,
      )
    }
    expect(await taken(database)).toMatchObject({
      used: [{ used: 0 }, { used: 1 }],
      rounds: [{ issue: BigInt(ISSUE) }],
    })
  })

  it.each([
    ['another beacon round than the first after its end', { beaconRound: 2 }],
    ['an earlier one', { genesis: ENDS - 3 }],
    ['no clock of its beacon', { genesis: null }],
    ['no period', { period: null }],
  ])('is refused with %s, and takes no seed', async (_what, beacon) => {
    const chain = await addChain(database, 1)
    expect(await opened(database, { chain, ...beacon })).toContain('beacon')
    expect(await taken(database)).toEqual({ used: [{ id: chain, used: 0 }], rounds: [] })
  })
})
