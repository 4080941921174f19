/** The database's book of a round, step by step, against the one that anybody can compute. */
import { buildBook } from '@sum28/fairness/book-tree.ts'
import { expect, it } from 'vitest'
import { addPlayer, openTestRound, orderFor, placeAll } from '#testing/database/fixtures.ts'
import { somebodyWaits } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { readBookRow } from './book-path.ts'
import { leafText } from './receipt.ts'
import { extendBook } from './round-bets.ts'

/** Adds bets of a player to a round as they stand in the table, without the work of placing them. */
async function addBets(
  { owner }: TestDatabase,
  { player, issue, count }: { player: number; issue: string; count: number },
): Promise<void> {
  await owner.query(
    `insert into bets.bet (player_id, id, booked_on, order_no, game_id, issue, room_id, rule_ids, odds_milli,
       rules_version, stake, total, cash_after, posting_id, accepted_at, nonce, could_pay, client_key)
     select $1, nextval('bets.bet_id'), '2026-11-20', 'no' || n, 1, $2, 11, '{1,2}', '{1920,1920}', 1, n * 10000,
       n * 20000, 0, 0, app.now(), decode(md5(n::text), 'hex'), 0, 'no' || n
     from generate_series(1, $3::integer) n`,
    [player, issue, count],
  )
}

it('a book that two extend at once has each bet once: the second continues after the first', async () => {
  const database = await createTestDatabase()
  const { db, owner } = database
  const round = await openTestRound(database)
  const players = [await addPlayer(database), await addPlayer(database), await addPlayer(database)]
  await placeAll(
    database,
    players.slice(0, 2).map((player) => orderFor(player, round)),
  )
  expect(await extendBook(db, round, 1)).toBe(1)
  const { second } = await db.transaction(async (tx) => {
    expect(await extendBook(tx, round, 100)).toBe(1)
    const second = extendBook(db, round, 1)
    await somebodyWaits(database)
    return { second }
  })
  expect(await second).toBe(0)
  expect(await owner.query('select size from bets.book')).toEqual([{ size: 2 }])
})

it('a book that another is extending, and has not written yet, is waited for', async () => {
  const database = await createTestDatabase()
  const { db, owner } = database
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
  const database = await createTestDatabase()
  const { db, owner } = database
  const before = await openTestRound(database, { gameDay: '2026-11-19' })
  const player = await addPlayer(database)
  expect(await placeAll(database, [orderFor(player, before)])).toEqual([null])
  const round = await openTestRound(database, { secondsLeft: 120 })
  expect(await placeAll(database, [orderFor(player, round)])).toEqual([null])
  expect(await placeAll(database, [orderFor(player, round)])).toEqual([null])
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

it('the root of a book joins its complete parts, at each size', async () => {
  const { db } = await createTestDatabase()
  for (let size = 0; size <= 17; size += 1) {
    const leaves = Array.from({ length: size }, (_, leaf) => `leaf ${leaf}`)
    // Element n is the root of the part of 2^n leaves, if the size has that bit; the largest parts come first.
    let left = size
    const subtreeRoots = [0, 1, 2, 3, 4].map((level) => {
      const leavesOfPart = 2 ** level
      if ((size & leavesOfPart) === 0) return null
      left -= leavesOfPart
      return buildBook(leaves.slice(left, left + leavesOfPart)).root
    })
    const [row] = await db.query(
      `select encode(bets.root_of($1, array(
         select decode(part, 'hex') from unnest($2::text[]) with ordinality as each (part, position) order by position
       )), 'hex') as root`,
      [size, subtreeRoots],
    )
    expect(row, `${size} leaves`).toEqual({ root: buildBook(leaves).root })
  }
})

it('a book of three blocks and a bit keeps each block, and each pair of blocks, with its hash', async () => {
  const database = await createTestDatabase()
  const { db, owner } = database
  const round = await openTestRound(database)
  const player = await addPlayer(database)
  const count = 3 * 256 + 3
  await addBets(database, { player, issue: round.issue, count })
  for (const [max, added] of [
    [255, 255],
    [2, 2],
    [300, 300],
    [9_999, count - 557],
    [9_999, 0],
  ] as const) {
    expect(await extendBook(db, round, max)).toBe(added)
  }
  const bets = await db.query<Parameters<typeof leafText>[0] & { id: bigint }>(
    `select id, order_no as "orderNo", room_id as "roomId", rule_ids as "ruleIds", stake,
       odds_milli as "oddsMilli", rules_version as "rulesVersion",
       encode(nonce, 'hex') as nonce from bets.bet order by id`,
  )
  const rootOf = (from: number, until: number) =>
    buildBook(bets.slice(from, until).map((bet) => leafText(bet))).root
  expect(await readBookRow(db, round)).toMatchObject({
    size: count,
    blockFirstId: bets[768]?.id,
    root: rootOf(0, count),
  })
  expect(
    await owner.query(
      `select level, position, encode(hash, 'hex') as hash, first_bet_id as first from bets.book_node
       order by level, position`,
    ),
  ).toEqual([
    { level: 8, position: 0, hash: rootOf(0, 256), first: bets[0]?.id },
    { level: 8, position: 1, hash: rootOf(256, 512), first: bets[256]?.id },
    { level: 8, position: 2, hash: rootOf(512, 768), first: bets[512]?.id },
    { level: 9, position: 0, hash: rootOf(0, 512), first: null },
  ])
})
