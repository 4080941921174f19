import { expect, it } from 'vitest'
import type { Database, Transaction } from '#src/db/database.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, giveAddress } from '#testing/database/fixtures.ts'
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

const NOW = Date.UTC(2026, 10, 20, 4)

type Paid = [to: string, amountMicro: bigint]

/** Members with addresses, and how transfers to addresses are credited in one block; each block counts its statements. */
async function watched(...addresses: string[]) {
  const database = await createTestDatabase()
  const { owner } = database
  const members: number[] = []
  for (const address of addresses) {
    const member = await addPlayer(database, { u: 0 })
    await giveAddress(owner, member, address)
    members.push(member)
  }
  await beginWatching(database.db, 'test', 100)
  let blockNumber = 100
  async function credit(paid: Paid[], blockTime: Date | null = new Date()) {
    blockNumber += 1
    const { db, sent } = counting(database.db)
    const credited = await creditBlock(
      { db, chain: 'test', timeZone: 'UTC', now: () => NOW },
      {
        blockNumber,
        blockTime,
        tooLarge: [],
        skipped: [],
        transfers: paid.map(([to, amountMicro], logIndex) => ({
          txId: String(blockNumber).padStart(64, '0'),
          logIndex,
          blockNumber,
          blockTime: blockTime ?? new Date(NOW),
          from: 'elsewhere',
          to,
          amountMicro,
        })),
      },
    )
    return { credited, statements: sent() }
  }
  return { owner, members, credit }
}

it("a deposit keeps its block's time, and is not credited without it: that says whose address it was", async () => {
  const { owner, credit } = await watched('T1')
  const told = NOW - 60_000
  await credit([['T1', 2_000_000n]], new Date(told))
  await expect(credit([['T1', 2_000_000n]], null)).rejects.toThrow('does not say its time')
  expect(await owner.query('select block_at from deposits.transfer')).toEqual([{ block_at: told }])
})

it('a block of many transfers takes as few statements as one of a single transfer, and each member is told', async () => {
  const { owner, members, credit } = await watched('T1', 'T2', 'T3')
  await owner.query(`update accounts.player set lang = 'ja' where id = $1`, [members[1]])
  const one = await credit([['T1', 1_000_000n]])
  // Less than 1 u is only credited, and an unknown address is nobody's.
  const many = await credit([
    ...[1, 2, 3].map((at): Paid => [`T${at}`, BigInt(at) * 2_000_000n]),
    ...([
      ['T3', 7_000_000n],
      ['T1', 999_999n],
      ['T9', 2_000_000n],
    ] satisfies Paid[]),
  ])
  expect([one.credited.length, many.credited.length]).toEqual([1, 5])
  expect(many.statements).toBe(one.statements)
  expect(await owner.query('select from deposits.transfer')).toHaveLength(6)

  const notices = await owner.query<{ player: number; amounts: string[] }>(
    `select player_id as player, array_agg(facts ->> 'amount' order by id) as amounts
     from inbox.message group by player_id order by player_id`,
  )
  const amounts = [['1.00', '2.00'], ['4.00'], ['6.00', '7.00']]
  expect(notices).toEqual(members.map((player, at) => ({ player, amounts: amounts[at] })))
  const mails = await queuedMails({ owner })
  expect(mails).toHaveLength(5)
  const japanese = mails.filter((mail) =>
    /[\p{Script=Han}\p{Script=Katakana}]/u.test(mail?.subject ?? ''),
  )
  const email = await owner.value<string>('select email from accounts.player where id = $1', [
    members[1],
  ])
  expect(japanese.map((mail) => mail?.to)).toEqual([email])
  await expectAlwaysTrue(owner)
})
