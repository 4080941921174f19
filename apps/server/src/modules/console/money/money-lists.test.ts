/** The lists of money and accounts, paged by keyset: each row once, in its order, filtered, also by single rows. */
import { expect, it } from 'vitest'
import type { KeysetRequest } from '#src/db/list.ts'
import { differencePage } from '#src/modules/deposits/compare-with-chain.ts'
import { unmatchedPage } from '#src/modules/deposits/unmatched-transfer.ts'
import { frozenPage } from '#src/modules/staff/freeze-account.ts'
import { proposalPage } from '#src/modules/staff/proposal.ts'
import { withdrawalPage } from '#src/modules/withdrawals/withdrawal-store.ts'
import { isRefusal, type Refusal } from '#src/refusal/refusal.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { addPayMethod } from '#testing/people/cash-desk.ts'
import { confirmReversal, end, propose, proposeReversal } from '#testing/people/proposals.ts'
import { staffToken } from '#testing/people/staff.ts'

type Page<Row> = (ask: KeysetRequest) => Promise<{ list: Row[]; next: string | null } | Refusal>

/** All rows of a list by pages of one, which are the same as those of one large page. */
async function walked<Row>(page: Page<Row>, ask: KeysetRequest = {}): Promise<Row[]> {
  const wholePage = await page({ ...ask, limit: 100 })
  if (isRefusal(wholePage)) throw new Error('refused')
  const rows: Row[] = []
  let after: string | undefined
  for (;;) {
    const part = await page({ ...ask, limit: 1, after })
    if (isRefusal(part)) throw new Error('refused')
    rows.push(...part.list)
    if (part.next === null) break
    after = part.next
  }
  expect(rows).toEqual(wholePage.list)
  expect(await page({ ...ask, after: 'nowhere' })).toMatchObject({ refused: 'invalid_input' })
  return rows
}

it('withdrawals are a queue: open ones, oldest first, then the rest, newest first', async () => {
  const database = await createTestDatabase()
  const { db, owner } = database
  // The first two wait, the others are decided in each way.
  const [one, two] = [await staffToken(database), await staffToken(database)]
  const ids: number[] = []
  for (let at = 0; at < 10; at += 1) {
    const player = await addPlayer(database, { u: 200 })
    const [made] = await owner.query<{ id: bigint }>(
      `select withdrawal_id as id from withdrawals.request($1, $2, 100000000, current_date, null, null)`,
      [player, await addPayMethod(database, player)],
    )
    ids.push(Number(made?.id))
  }
  const say = (call: string, at: number, by: string) =>
    owner.query(`select withdrawals.${call}`, [ids[at], by])
  for (const at of [2, 3]) await say(`reject($1, $2, 'no')`, at, one)
  for (const at of [4, 5, 6, 7, 8, 9]) await say('approve($1, $2)', at, one)
  for (const id of ids.slice(6)) await proposeReversal(owner, { id, session: one })
  for (const id of ids.slice(8)) await confirmReversal(owner, { id, session: two })
  const of = async (ask: Parameters<typeof withdrawalPage>[1]) => {
    const { sort, order, ...filter } = ask
    const page: Page<{ id: bigint }> = (more) => withdrawalPage(db, { ...filter, ...more })
    const rows = await walked(page, { sort, order })
    return rows.map(({ id }) => ids.indexOf(Number(id)))
  }
  expect(await of({})).toEqual([0, 1, 4, 5, 6, 7, 9, 8, 3, 2])
  expect(await of({ sort: 'id', order: 'asc' })).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(await of({ sort: 'id', order: 'desc' })).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
  expect(await of({ state: 'waiting' })).toEqual([0, 1])
  expect(await of({ state: 'rejected' })).toEqual([3, 2])
  expect(await of({ state: 'to_pay' })).toEqual([4, 5])
  expect(await of({ state: 'reversing' })).toEqual([6, 7])
  expect(await of({ state: 'reversed' })).toEqual([9, 8])
  const [row] = await db.query<{ player: number }>(
    'select player_id as player from withdrawals.withdrawal where id = $1',
    [ids[4]],
  )
  expect(await of({ playerId: row?.player })).toEqual([4])
})

it('the lists of proposals, unmatched transfers, differences and frozen accounts show each row once', async () => {
  const database = await createTestDatabase()
  const { db, owner } = database
  const [one, two] = [await staffToken(database), await staffToken(database)]
  const players = [await addPlayer(database, { u: 0 }), await addPlayer(database, { u: 0 })]
  for (let at = 0; at < 6; at += 1) {
    const content = { amount: 1, reference: `BANK${at}`, reference_key: `BANK${at}` }
    const subject = `player:${players[at % 2]}`
    await propose(db, { kind: 'bank_deposit', subject, content, session: one })
    await owner.query(
      `insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount)
       values ($1, $2, $3, app.now(), 'from', 'to', 1000000)`,
      [String(at).repeat(64), at % 3, 7 + Math.floor(at / 4)],
    )
    await owner.query(
      `insert into deposits.chain_difference (kind, tx_id, log_index, details) values ($1, $2, 0, '{}')`,
      [at % 2 === 0 ? 'unmatched' : 'amount_differs', String(at).repeat(64)],
    )
  }
  for (const id of [1, 2]) await end(db, id, two)
  const proposals = async (of: object) => {
    const rows = await walked((ask) => proposalPage(db, { ...ask, ...of }))
    return rows.map(({ id }) => Number(id))
  }
  expect(await proposals({})).toEqual([6, 5, 4, 3, 2, 1])
  expect(await proposals({ state: 'refused' })).toEqual([2, 1])
  expect(await proposals({ subject: `player:${players[0]}` })).toEqual([5, 3, 1])

  const transfers = await walked((ask) => unmatchedPage(db, ask))
  expect(transfers.map(({ block, logIndex, txId }) => [block, logIndex, txId[0]])).toEqual([
    [8, 2, '5'],
    [8, 1, '4'],
    [7, 2, '2'],
    [7, 1, '1'],
    [7, 0, '3'],
    [7, 0, '0'],
  ])
  const oldest = await walked((ask) => unmatchedPage(db, ask), { order: 'asc' })
  expect(oldest).toEqual(transfers.toReversed())
  expect(await walked((ask) => unmatchedPage(db, { ...ask, state: 'assigned' }))).toEqual([])

  const unmatched = await walked((ask) => differencePage(db, { ...ask, kind: 'unmatched' }))
  expect(unmatched.map(({ txId }) => txId[0])).toEqual(['4', '2', '0'])
  expect(await walked((ask) => differencePage(db, ask))).toHaveLength(6)

  for (const player of players) {
    await owner.query(`select staff.freeze_player($1, 'x', $2)`, [player, one])
  }
  const frozen = await walked((ask) => frozenPage(db, ask))
  expect(frozen.map(({ playerId }) => playerId)).toEqual(players.toReversed())
})
