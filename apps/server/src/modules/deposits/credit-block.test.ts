import { expect, it } from 'vitest'
import type { Database, Transaction } from '#src/db/database.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { queuedMails } from '#testing/database/stored-rows.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { beginWatching, creditBlock } from './deposit-store.ts'

/** A database that counts the statements sent within transactions. */
function counting(db: Database): { db: Database; sent: () => number } {
  let sent = 0
  return {
    sent: () => sent,
    db: {
      ...db,
      transaction: (work) =>
        db.transaction((tx) => {
          const counted: Transaction = {
            ...tx,
            query(text, values) {
              sent += 1
              return tx.query(text, values)
            },
          }
          return work(counted)
        }),
    },
  }
}

/** A member whose address is `address-<his id>`, and how transfers to addresses are credited in one block. */
async function creditedTo(addresses: (member: number) => [to: string, amountMicro: bigint][]) {
  const database = await createTestDatabase()
  const { db, owner } = database
  const member = await addPlayer(database, { u: 0 })
  await owner.query('insert into deposits.address (player_id, address) values ($1, $2)', [
    member,
    `address-${member}`,
  ])
  await beginWatching(db, 'test', 100)
  const now = Date.UTC(2026, 10, 20, 4)
  const credit = (blockNumber: number, blockTime: Date | null) =>
    creditBlock(
      { db, chain: 'test', timeZone: 'UTC', now: () => now },
      {
        ...{ blockNumber, blockTime, unusable: [], skipped: [] },
        transfers: addresses(member).map(([to, amountMicro], logIndex) => ({
          ...{ txId: String(blockNumber).padStart(64, '0'), logIndex, blockNumber },
          ...{ blockTime: blockTime ?? new Date(now), from: 'elsewhere', to, amountMicro },
        })),
      },
    )
  return { owner, now, credit }
}

it('a deposit of exactly 1 u is notified, and one of less is only credited', async () => {
  const { owner, credit } = await creditedTo((id) => [
    [`address-${id}`, 1_000_000n],
    [`address-${id}`, 999_999n],
  ])
  expect(await credit(101, new Date())).toHaveLength(2)
  expect(await owner.query(`select facts ->> 'amount' as amount from inbox.message`)).toEqual([
    { amount: '1.00' },
  ])
})

it("a deposit keeps its block's time, and has that of now if the chain did not tell it", async () => {
  const { owner, now, credit } = await creditedTo((id) => [[`address-${id}`, 2_000_000n]])
  const told = now - 60_000
  await credit(101, new Date(told))
  await credit(102, null)
  expect(await owner.query('select block_at from deposits.transfer order by block')).toEqual([
    { block_at: told },
    { block_at: now },
  ])
})

it('a block of many transfers takes as few statements as one of a single transfer', async () => {
  const database = await createTestDatabase()
  const { owner } = database
  const players: number[] = []
  for (let at = 0; at < 40; at += 1) {
    const playerId = await addPlayer(database, { u: 0 })
    await owner.query('insert into deposits.address (player_id, address) values ($1, $2)', [
      playerId,
      `address-${at}`,
    ])
    players.push(playerId)
  }
  await owner.query(`update accounts.player set lang = 'ja' where id = $1`, [players[1]])
  await beginWatching(database.db, 'test', 100)
  const transfer = (at: number, logIndex: number, amountMicro = 2_000_000n + BigInt(at)) => ({
    txId: String(at).padStart(64, '0'),
    logIndex,
    blockNumber: 101,
    blockTime: new Date(),
    from: 'elsewhere',
    to: `address-${at}`,
    amountMicro,
  })
  const { db, sent } = counting(database.db)
  const deps = { db, chain: 'test', timeZone: 'UTC', now: Date.now }
  const block = { blockTime: new Date(), unusable: [], skipped: [] }
  // One for each member, a second for one, dust, and one for an unknown address.
  const many = [
    ...players.map((_, at) => transfer(at, 0)),
    transfer(3, 1),
    transfer(4, 1, 999_999n),
    transfer(99, 0),
  ]
  expect(await creditBlock(deps, { ...block, blockNumber: 101, transfers: many })).toHaveLength(42)
  const forMany = sent()
  expect(await owner.query('select from deposits.transfer')).toHaveLength(42)
  await creditBlock(deps, {
    ...block,
    blockNumber: 102,
    transfers: [{ ...transfer(0, 2), blockNumber: 102 }],
  })
  expect(sent() - forMany).toBe(forMany)

  const notices = await owner.query<{ player: number; amounts: string[] }>(
    `select player_id as player, array_agg(facts ->> 'amount' order by id) as amounts
     from inbox.message group by player_id order by player_id`,
  )
  expect(notices).toEqual(
    players.map((player, at) => ({
      player,
      amounts: Array(at === 0 || at === 3 ? 2 : 1).fill(
        `2.${String(at).padStart(6, '0').replace(/0+$/, '').padEnd(2, '0')}`,
      ),
    })),
  )
  const mails = await queuedMails({ owner })
  expect(mails).toHaveLength(42)
  const japanese = mails.filter((mail) =>
    /[\p{Script=Han}\p{Script=Katakana}]/u.test(mail?.subject ?? ''),
  )
  const email = await owner.value<string>('select email from accounts.player where id = $1', [
    players[1],
  ])
  expect(japanese.map((mail) => mail?.to)).toEqual([email])
  await expectAlwaysTrue(owner)
})
