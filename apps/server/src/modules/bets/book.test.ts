/** The closed book made by the database, compared with the one that anybody can compute. */
import { buildBook, verifyBookPath } from '@sum28/fairness/book-tree.ts'
import { describe, expect, it } from 'vitest'
import { publishedRoundByIssue } from '#src/modules/rounds/published-round.ts'
import { voidRound } from '#src/modules/rounds/round-store.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import {
  addPlayer,
  cashOf,
  openTestRound,
  orderFor,
  placeAll,
  type TestRound,
} from '#testing/database/fixtures.ts'
import { somebodyWaits } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { readPositionInBook } from './book-path.ts'
import { leafText } from './receipt.ts'
import { extendBook, refundSome, sealRound } from './round-bets.ts'

/** Noon of 20 November 2026 in Singapore. */
const NOON = Date.UTC(2026, 10, 20, 4)

type Row = { id: bigint; text: string }

/** The leaves of a round, read from its bets by this test, in the order of acceptance. */
async function leavesOf({ db }: TestDatabase, { gameId, issue }: TestRound): Promise<Row[]> {
  const bets = await db.query<Parameters<typeof leafText>[0] & { id: bigint }>(
    `select id, order_no as "orderNo", room_id as "roomId", rule_ids as "ruleIds", stake,
       odds_milli as "oddsMilli", rules_version as "rulesVersion",
       encode(nonce, 'hex') as nonce
     from bets.bet where game_id = $1 and issue = $2 order by id`,
    [gameId, issue],
  )
  return bets.map((bet) => ({ id: bet.id, text: leafText(bet) }))
}

async function published({ db }: TestDatabase, round: TestRound) {
  const row = await publishedRoundByIssue(db, round)
  if (!row || row.bookRoot === null || row.bookSize === null) throw new Error('no book')
  return { ...round, bookRoot: row.bookRoot, bookSize: row.bookSize }
}

/** Places this many bets of all kinds, in batches with one order of each player. */
async function betOn(
  database: TestDatabase,
  round: TestRound,
  { players, bets }: { players: readonly number[]; bets: number },
): Promise<void> {
  for (let placed = 0; placed < bets; placed += players.length) {
    const orders = players.slice(0, bets - placed).map((player, index) =>
      orderFor(player, round, {
        ruleIds: [[1], [1, 414], [410, 2, 13]][index % 3] ?? [1],
        u: 100 + index / 4,
      }),
    )
    expect((await placeAll(database, orders)).every((reason) => reason === null)).toBe(true)
  }
}

async function manyPlayers(database: TestDatabase, count: number): Promise<number[]> {
  const players: number[] = []
  for (let made = 0; made < count; made += 1) {
    players.push(await addPlayer(database, { u: 100_000 }))
  }
  return players
}

describe('the book of a round', () => {
  it('grows with the bets, in steps of any size, and is closed with the root that anybody can compute', async () => {
    const database = await createTestDatabase()
    const players = await manyPlayers(database, 60)
    for (const bets of [0, 1, 2, 255, 256, 257, 700]) {
      await database.freezeClock(Date.now())
      const round = await openTestRound(database)
      await betOn(database, round, { players, bets: Math.floor(bets / 2) })
      for (const piece of [1, 3, 100]) await extendBook(database.db, round, piece)
      await betOn(database, round, { players, bets: bets - Math.floor(bets / 2) })
      await database.freezeClock(round.sealsAt)
      expect(await sealRound(database.db, round)).toBe(true)

      const leaves = await leavesOf(database, round)
      expect(leaves).toHaveLength(bets)
      const book = await published(database, round)
      const { root, size } = buildBook(leaves.map(({ text }) => text))
      expect({ root: book.bookRoot, size: book.bookSize }).toEqual({ root, size })

      for (const leafIndex of new Set([0, 1, 254, 255, 256, 511, 512, bets - 1])) {
        const leaf = leaves[leafIndex]
        if (!leaf) continue
        const position = await readPositionInBook(database.db, book, leaf.id)
        expect(position.leafIndex).toBe(leafIndex)
        expect(verifyBookPath({ ...position, leaf: leaf.text, size, root })).toBe(true)
      }
    }
    await expectAlwaysTrue(database.owner)
  })

  it('has exactly the bets that were accepted before the seal', async () => {
    const database = await createTestDatabase()
    const players = await manyPlayers(database, 3)
    const round = await openTestRound(database)
    await betOn(database, round, { players, bets: 3 })
    await database.freezeClock(round.sealsAt)
    expect(await placeAll(database, [orderFor(players[0] ?? 0, round)])).toEqual(['round_sealed'])
    await sealRound(database.db, round)
    expect(await extendBook(database.db, round, 100)).toBe(0)
    expect((await published(database, round)).bookSize).toBe(3)
  })

  it('is the same if two processes make it at once', async () => {
    const database = await createTestDatabase()
    const players = await manyPlayers(database, 50)
    const round = await openTestRound(database)
    await betOn(database, round, { players, bets: 300 })
    const added = await Promise.all(
      Array.from({ length: 8 }, () => extendBook(database.db, round, 60)),
    )
    expect(added.reduce((sum, count) => sum + count)).toBe(300)
    await database.freezeClock(round.sealsAt)
    await sealRound(database.db, round)
    const texts = (await leavesOf(database, round)).map(({ text }) => text)
    expect((await published(database, round)).bookRoot).toBe(buildBook(texts).root)
  })

  it('that differs from the published one gives no path', async () => {
    const database = await createTestDatabase()
    const players = await manyPlayers(database, 3)
    const round = await openTestRound(database)
    await betOn(database, round, { players, bets: 3 })
    await database.freezeClock(round.sealsAt)
    await sealRound(database.db, round)
    const book = await published(database, round)
    const [first] = await leavesOf(database, round)
    await expect(
      readPositionInBook(database.db, { ...book, bookRoot: 'ff'.repeat(32) }, first?.id ?? 0n),
    ).rejects.toThrow('not those of its book')
    await expect(readPositionInBook(database.db, book, 999_999n)).rejects.toThrow(
      'not in its round',
    )
  })
})

describe('a seal', () => {
  it('waits for a batch that is running, and has its bets in the book', async () => {
    const database = await createTestDatabase()
    const player = await addPlayer(database)
    const round = await openTestRound(database)
    let sealing: Promise<boolean> | undefined
    await database.db.transaction(async (tx) => {
      await placeAll({ ...database, db: tx as never }, [orderFor(player, round)])
      await database.freezeClock(round.sealsAt)
      sealing = sealRound(database.db, round)
    })
    expect(await sealing).toBe(true)
    expect((await published(database, round)).bookSize).toBe(1)
  })
})

it.each([
  ['a millisecond before the end', -1, true],
  ['at the end', 0, false],
])('a seal that has its book together %s answers so', async (_when, ms, done) => {
  const database = await createTestDatabase()
  await database.freezeClock(NOON)
  const { db, owner } = database
  const round = await openTestRound(database)
  const player = await addPlayer(database)
  expect(await placeAll(database, [orderFor(player, round)])).toEqual([null])
  expect(await extendBook(db, round, 1)).toBe(1)
  await database.freezeClock(round.sealsAt)
  const { sealing } = await owner.transaction(async (tx) => {
    // The seal holds the round, has read the time, and waits for the book.
    await tx.query('select from bets.book for update')
    const sealing = sealRound(db, round)
    await somebodyWaits(database)
    await database.freezeClock(round.drawsAt + ms)
    return { sealing }
  })
  expect(await sealing).toBe(done)
  const sealedAt = done ? round.drawsAt + ms : null
  expect(
    await owner.query(`select state, sealed_at as "sealedAt", book_size as size from rounds.round`),
  ).toEqual([{ state: done ? 'sealed' : 'open', sealedAt, size: done ? 1 : null }])
  await database.freezeClock(round.drawsAt)
  expect(await voidRound(db, round, 'sealed_late')).toBe(!done)
  expect(await refundSome(db, round, { max: 10 })).toBe(done ? 0 : 1)
  expect(await cashOf(database, player)).toBe(done ? 900_000_000n : 1_000_000_000n)
  await expectAlwaysTrue(owner)
})

it('an order for a round that is not open any more does not wait for whoever holds the round', async () => {
  const database = await createTestDatabase()
  const { db, owner } = database
  const round = await openTestRound(database)
  const player = await addPlayer(database)
  await database.freezeClock(round.sealsAt)
  expect(await sealRound(db, round)).toBe(true)
  await owner.transaction(async (tx) => {
    await tx.query('select from rounds.round for no key update')
    const waits = somebodyWaits(database).then(() => 'it waits')
    const placing = placeAll(database, [orderFor(player, round)])
    expect(await Promise.race([placing, waits])).toEqual(['round_sealed'])
  })
})
