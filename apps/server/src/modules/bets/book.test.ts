/** The closed book made by the database, compared with the one that anybody can compute. */
import { buildBook, rootOfClaim } from '@sum28/fairness/book-tree.ts'
import { describe, expect, it } from 'vitest'
import { publishedRoundByIssue } from '#src/modules/rounds/published-round.ts'
import { voidRound } from '#src/modules/rounds/round-store.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import {
  addPlayer,
  addPlayers,
  cashOf,
  openTestRound,
  orderFor,
  placeAccepted,
  placeAll,
  sealTestRound,
  type TestRound,
} from '#testing/database/fixtures.ts'
import { answerAfter, somebodyWaits } from '#testing/database/simultaneous-calls.ts'
import { eachTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { readPositionInBook } from './book-path.ts'
import { leafText } from './receipt.ts'
import { extendBook, sealRound, settleSome } from './round-bets.ts'

const { database, db, owner } = eachTestDatabase()

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

/** Places a bet of each player, on one to three outcomes. */
function betOn(
  database: TestDatabase,
  round: TestRound,
  players: readonly number[],
): Promise<void> {
  return placeAccepted(
    database,
    players.map((player, index) =>
      orderFor(player, round, {
        ruleIds: [[1], [1, 414], [410, 2, 13]][index % 3] ?? [1],
        u: 100 + index / 4,
      }),
    ),
  )
}

/** Adds bets of a player to a round as they stand in the table, without the work of placing them. */
async function addBets(
  { owner }: TestDatabase,
  { player, issue, count }: { player: number; issue: string; count: number },
): Promise<void> {
  await owner.query(
    `insert into bets.bet (player_id, id, booked_on, order_no, game_id, issue, room_id, rule_ids, odds_milli,
       rules_version, stake, total, cash_after, posting_id, accepted_at, nonce, could_pay, client_key)
     select $1, nextval('bets.bet_id'), '2026-11-20', gen_random_uuid(), 1, $2, 11, '{1,2}', '{1920,1920}', 1, n * 10000,
       n * 20000, 0, 0, app.now(), decode(md5(n::text), 'hex'), 0, gen_random_uuid()
     from generate_series(1, $3::integer) n`,
    [player, issue, count],
  )
}

describe('the book of a round', () => {
  it('grows with the bets, in steps of any size, and is closed with the root that anybody can compute', async () => {
    const players = await addPlayers(database, 4, { u: 100_000 })
    const [player = 0] = players
    for (const bets of [0, 1, 2, 255, 256, 257, 771]) {
      await database.freezeClock(Date.now())
      const round = await openTestRound(database)
      const placed = players.slice(0, bets)
      await betOn(database, round, placed)
      const early = Math.floor((bets - placed.length) / 2)
      const add = (count: number) => addBets(database, { player, issue: round.issue, count })
      await add(early)
      for (const piece of [1, 3, 100]) await extendBook(database.db, round, piece)
      await add(bets - placed.length - early)
      await database.freezeClock(round.sealsAt)
      expect(await sealRound(database.db, round)).toBe(true)
      expect(await extendBook(database.db, round, 100)).toBe(0)

      const leaves = await leavesOf(database, round)
      expect(leaves).toHaveLength(bets)
      const book = await published(database, round)
      const { root, size } = buildBook(leaves.map(({ text }) => text))
      expect({ root: book.bookRoot, size: book.bookSize }).toEqual({ root, size })

      for (const leafIndex of new Set([0, 1, 254, 255, 256, 511, 512, 767, bets - 1])) {
        const leaf = leaves[leafIndex]
        if (!leaf) continue
        const position = await readPositionInBook(database.db, book, leaf.id)
        expect(position.leafIndex).toBe(leafIndex)
        expect(rootOfClaim({ ...position, leaf: leaf.text, size })).toBe(root)
      }
      // Each whole block, and each pair of blocks, has its hash; a block also its first bet.
      expect(
        await owner.query(
          `select level, position, first_bet_id as first from bets.book_node where issue = $1
           order by level, position`,
          [round.issue],
        ),
      ).toEqual([
        ...leaves
          .filter((_, at) => at % 256 === 0 && at + 256 <= bets)
          .map(({ id }, position) => ({ level: 8, position, first: id })),
        ...(bets >= 512 ? [{ level: 9, position: 0, first: null }] : []),
      ])
    }
  })

  it('that differs from the published one gives no path', async () => {
    const players = await addPlayers(database, 3, { u: 100_000 })
    const round = await openTestRound(database)
    await betOn(database, round, players)
    await sealTestRound(database, round)
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
  it('closes no book once its round’s value or a later one was seen, whatever the clock says', async () => {
    for (const [seen, closes] of [
      ['beacon_round, beacon_chain_hash', false],
      ['beacon_round + 1, beacon_chain_hash', false],
      ['beacon_round - 1, beacon_chain_hash', true],
      [`beacon_round, 'another'`, true],
    ] as const) {
      const round = await openTestRound(database)
      // It has no bet, and so no book yet.
      expect(await extendBook(database.db, round, 10)).toBe(0)
      await database.freezeClock(round.sealsAt)
      await database.owner.query(
        `update games.house set (beacon_seen, beacon_seen_chain) =
           (select ${seen} from rounds.round where issue = $1)`,
        [round.issue],
      )
      expect(await sealRound(database.db, round), seen).toBe(closes)
    }
  })

  it('waits for a batch that is running, and has its bets in the book', async () => {
    const player = await addPlayer(database)
    const round = await openTestRound(database)
    const sealed = await answerAfter(database, {
      async first(tx) {
        await placeAccepted({ ...database, db: tx as never }, [orderFor(player, round)])
        await database.freezeClock(round.sealsAt)
      },
      second: () => sealRound(database.db, round),
    })
    expect(sealed).toBe(true)
    expect((await published(database, round)).bookSize).toBe(1)
  })
})

it.each([
  ['a millisecond before the end', -1, true],
  ['at the end', 0, false],
])('a seal that has its book together %s answers so', async (_when, ms, done) => {
  await database.freezeClock(NOON)
  const { db, owner } = database
  const round = await openTestRound(database)
  const player = await addPlayer(database)
  await placeAccepted(database, [orderFor(player, round)])
  expect(await extendBook(db, round, 1)).toBe(1)
  await database.freezeClock(round.sealsAt)
  const sealed = await answerAfter(database, {
    // The seal holds the round, has read the time, and waits for the book.
    first: (tx) => tx.query('select from bets.book for update'),
    second: () => sealRound(db, round),
    whileWaiting: () => database.freezeClock(round.drawsAt + ms),
  })
  expect(sealed).toBe(done)
  const sealedAt = done ? round.drawsAt + ms : null
  expect(
    await owner.query(`select state, sealed_at as "sealedAt", book_size as size from rounds.round`),
  ).toEqual([{ state: done ? 'sealed' : 'open', sealedAt, size: done ? 1 : null }])
  await database.freezeClock(round.drawsAt)
  expect(await voidRound(db, round, 'sealed_late')).toBe(!done)
  expect(await settleSome(db, round, { max: 10, onDay: '2026-11-20' })).toBe(done ? 0 : 1)
  expect(await cashOf(database, player)).toBe(done ? 900_000_000n : 1_000_000_000n)
  await expectAlwaysTrue(owner)
})

it('an order for a round that is not open any more does not wait for whoever holds the round', async () => {
  const round = await openTestRound(database)
  const player = await addPlayer(database)
  await sealTestRound(database, round)
  await owner.transaction(async (tx) => {
    await tx.query('select from rounds.round for no key update')
    const waits = somebodyWaits(database).then(() => 'it waits')
    const placing = placeAll(database, [orderFor(player, round)])
    expect(await Promise.race([placing, waits])).toEqual(['round_sealed'])
  })
})

it('a book that another is extending, and has not written yet, is waited for', async () => {
  const round = await openTestRound(database)
  await addBets(database, { player: await addPlayer(database), issue: round.issue, count: 257 })
  expect(await extendBook(db, round, 1)).toBe(1)
  const { first, second } = await owner.transaction(async (tx) => {
    // The first waits here with the hash of the first block, before it writes the book.
    await tx.query('lock table bets.book_node in share mode')
    const first = extendBook(db, round, 300)
    await somebodyWaits(database)
    const second = extendBook(db, round, 1)
    // It is over now if it did not wait.
    await Promise.race([second, somebodyWaits(database, 2)])
    return { first, second }
  })
  expect([await first, await second]).toEqual([256, 0])
  expect(await owner.query('select size from bets.book')).toEqual([{ size: 257 }])
})

it('a book has the bets of its own round, whatever game days the others of its game belong to', async () => {
  const before = await openTestRound(database, { gameDay: '2026-11-19' })
  const player = await addPlayer(database)
  await betOn(database, before, [player])
  const round = await openTestRound(database, { secondsLeft: 120 })
  for (let times = 0; times < 2; times += 1) await betOn(database, round, [player])
  expect(await extendBook(db, round, 1)).toBe(1)
  expect(await extendBook(db, before, 9)).toBe(1)
  expect(await extendBook(db, round, 9)).toBe(1)
  for (const each of [before, round]) expect(await extendBook(db, each, 9)).toBe(0)
  expect(
    await owner.query(
      `select issue::text, size, (select max(id) from bets.bet where bet.issue = book.issue) = last_bet_id as complete
       from bets.book order by issue`,
    ),
  ).toEqual([
    { issue: before.issue, size: 1, complete: true },
    { issue: round.issue, size: 2, complete: true },
  ])
})
