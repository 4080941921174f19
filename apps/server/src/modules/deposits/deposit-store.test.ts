/** Blocks that are taken, once and in order; and transfers in blocks that may still be replaced. */
import { describe, expect, it } from 'vitest'
import type { Database, Queryable, Transaction } from '#src/db/database.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf, giveAddress, takeBlock } from '#testing/database/fixtures.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { queuedMails } from '#testing/database/stored-rows.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { changePlayer } from '#testing/people/seated-player.ts'
import { staffToken } from '#testing/people/staff.ts'
import { beginWatching, creditBlock, noteSeen, seenTo, watcherHeight } from './deposit-store.ts'

/** A member with the address T1, and a chain that is watched after block 10. */
async function watched() {
  const database = await createTestDatabase()
  const { db, owner } = database
  const addMember = async (address: string) => {
    const member = await addPlayer(database, { u: 0 })
    await giveAddress(owner, member, address)
    return member
  }
  const player = await addMember('T1')
  await beginWatching(db, 'test', 10)
  return { database, db, owner, player, addMember }
}

describe('a block', () => {
  /** Blocks with one transaction, which has a transfer to the member for each amount. */
  async function taken() {
    const at = await watched()
    const { database, db, owner, player } = at
    const take = (
      block: number,
      amounts: number[],
      {
        by = db,
        again = false,
        from = 'T0',
      }: { by?: Queryable; again?: boolean; from?: string } = {},
    ) =>
      takeBlock(by, {
        chain: 'test',
        block,
        transfers: amounts.map((amount, log) => ({
          tx: 'ab'.repeat(32),
          log,
          from,
          to: 'T1',
          amount: BigInt(amount),
        })),
        again,
      })
    /** The height, how many transfers are recorded, and the member's money; the books are right. */
    const books = async () => {
      await expectAlwaysTrue(owner)
      const recorded = await owner.query('select from deposits.transfer')
      return [await watcherHeight(db, 'test'), recorded.length, await cashOf(database, player)]
    }
    return { ...at, take, books }
  }

  it('is taken only if it is the one after the last', async () => {
    const { take, books } = await taken()
    for (const wrong of [9, 10, 12]) {
      await expect(take(wrong, [5]), String(wrong)).rejects.toThrow('the height is 10')
    }
    expect(await books()).toEqual([10, 0, 0n])
    expect(await take(11, [5])).toHaveLength(1)
    await expect(take(11, [5])).rejects.toThrow('the height is 11')
    expect(await books()).toEqual([11, 1, 5n])
  })

  it('up to the last is taken again for what a node hid, which moves no height', async () => {
    const { take, books } = await taken()
    const again = { again: true }
    await take(11, [5])
    await take(12, [])
    expect(await take(11, [5, 6], again)).toMatchObject([{ amount: 6n }])
    expect(await take(12, [5, 6, 7], again)).toMatchObject([{ amount: 7n }])
    await expect(take(14, [8], again)).rejects.toThrow('the height is 12')
    expect(await books()).toEqual([12, 3, 18n])
  })

  it('that two take at once is refused to the second, who waits', async () => {
    const { database, take, books } = await taken()
    const second = await answerAfter(database, {
      first: (tx) => take(11, [5], { by: tx }),
      second: () => take(11, [5]).catch((error: Error) => error.message),
    })
    expect(second).toContain('the height is 11')
    expect(await books()).toEqual([11, 1, 5n])
  })

  it('has no transfer of nothing, and one of a micro-unit is credited, to a frozen player too', async () => {
    const { database, player, take, books } = await taken()
    await changePlayer(database, player, `state = 'frozen'`)
    expect(await take(11, [0, 1])).toMatchObject([{ playerId: player, amount: 1n }])
    expect(await books()).toEqual([11, 1, 1n])
  })

  it('from before the address was the member’s credits him nothing', async () => {
    const { database, owner, player, take, books } = await taken()
    await database.freezeClock(Date.UTC(2026, 10, 20))
    const given = (minutes: number) =>
      owner.query(`update deposits.address set given_at = app.now() + $1 * interval '1 minute'`, [
        minutes,
      ])
    // The clocks of the chain and of the database may differ by ten minutes.
    await given(11)
    expect(await take(11, [5])).toEqual([])
    expect(await books()).toEqual([11, 1, 0n])
    await given(10)
    expect(await take(12, [0, 5])).toMatchObject([{ playerId: player, amount: 5n }])
    expect(await books()).toEqual([12, 2, 5n])
  })

  it('has the house’s own money if it comes from an address of ours: it is unmatched, and nobody’s', async () => {
    const { db, owner, database, player, take, books } = await taken()
    await owner.query(
      `insert into deposits.spare_address (account, derivation_index, address) values ('a', 9, 'T2')`,
    )
    expect(await take(11, [5], { from: 'T2' })).toEqual([])
    expect(await books()).toEqual([11, 1, 0n])
    const unmatched = await db.query('select state, from_address from deposits.unmatched_transfer')
    expect(unmatched).toEqual([{ state: 'waiting', from_address: 'T2' }])
    // Staff, who find a member by the address that it went to, are told that it is none of his.
    const answer = await db.value(
      `select proposed.answer from deposits.unmatched_transfer
       cross join staff.propose('assignment', deposits.subject_of(tx_id, log_index),
         jsonb_build_object('player_id', $1::integer, 'amount', amount::text), 'his address', $2) proposed`,
      [player, await staffToken(database)],
    )
    expect(answer).toBe('not_found')
  })

  it('that is awaited is late until one is known: to be asked for again is no news of it', async () => {
    const database = await createTestDatabase()
    const { db, owner } = database
    await beginWatching(db, 'test', null)
    await database.shiftClock(3_600_000)
    await beginWatching(db, 'test', null)
    const isLate = `select moved_at <= app.now() - interval '1 hour' as late from deposits.watcher_height`
    expect(await owner.value(isLate)).toBe(true)
    await beginWatching(db, 'test', 10)
    expect(await owner.value(isLate)).toBe(false)
  })
})

describe('the credit of a block', () => {
  const NOW = Date.UTC(2026, 10, 20, 4)

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

  type Paid = [to: string, amountMicro: bigint]

  /** Credits a block with a transaction of these transfers, and counts its statements. */
  async function credit(
    db: Database,
    blockNumber: number,
    { paid, blockTime = new Date() }: { paid: Paid[]; blockTime?: Date | null },
  ) {
    const counted = counting(db)
    const credited = await creditBlock(
      { db: counted.db, chain: 'test', timeZone: 'UTC', now: () => NOW },
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
    return { credited: credited.length, statements: counted.sent() }
  }

  it('keeps its time, and is none without it: that says whose address it was', async () => {
    const { db, owner } = await watched()
    const paid: Paid[] = [['T1', 2_000_000n]]
    const told = NOW - 60_000
    await credit(db, 11, { paid, blockTime: new Date(told) })
    await expect(credit(db, 12, { paid, blockTime: null })).rejects.toThrow('does not say its time')
    // A block without a transfer to us needs none.
    expect(await credit(db, 12, { paid: [], blockTime: null })).toMatchObject({ credited: 0 })
    expect(await owner.query('select block_at from deposits.transfer')).toEqual([
      { block_at: told },
    ])
  })

  it('takes as few statements for many transfers as for one, and each member is told', async () => {
    const { database, db, owner, player, addMember } = await watched()
    const members = [player, await addMember('T2'), await addMember('T3')]
    await changePlayer(database, members[1] ?? 0, `lang = 'ja', email = 'ja@example.org'`)
    const one = await credit(db, 11, { paid: [['T1', 1_000_000n]] })
    const many = await credit(db, 12, {
      paid: [
        ['T1', 2_000_000n],
        ['T2', 4_000_000n],
        ['T3', 6_000_000n],
        ['T3', 7_000_000n],
        // Less than 1 u is only credited, and an unknown address is nobody's.
        ['T1', 999_999n],
        ['T9', 2_000_000n],
      ],
    })
    expect([one.credited, many.credited]).toEqual([1, 5])
    expect(many.statements).toBe(one.statements)
    expect(await owner.query('select from deposits.transfer')).toHaveLength(6)

    const notices = await owner.query<{ player: number; amounts: string[] }>(
      `select player_id as player, array_agg(facts ->> 'amount' order by id) as amounts
       from inbox.message group by player_id order by player_id`,
    )
    const amounts = [['1.00', '2.00'], ['4.00'], ['6.00', '7.00']]
    expect(notices).toEqual(members.map((member, at) => ({ player: member, amounts: amounts[at] })))
    const mails = await queuedMails({ owner })
    expect(mails).toHaveLength(5)
    const japanese = mails.filter((mail) =>
      /[\p{Script=Han}\p{Script=Katakana}]/u.test(mail?.subject ?? ''),
    )
    expect(japanese.map((mail) => mail?.to)).toEqual(['ja@example.org'])
    await expectAlwaysTrue(owner)
  })
})

describe('a transfer that is seen', () => {
  type Seen = {
    of: string
    log?: number
    block: number
    from?: string
    to?: string
    amount?: number
  }

  /** A chain of which everything up to block 10 is credited. */
  async function lookedAt() {
    const { db, owner, addMember } = await watched()
    return {
      /** Notes what was seen in blocks 11 to 13 after block 10, unless it is said otherwise. */
      note: (
        seen: Seen[],
        { chain = 'test', height = 10, from = 11, to = 13, solidHeight = 10 } = {},
      ) =>
        noteSeen(db, {
          chain,
          height,
          from,
          to,
          solidHeight,
          transfers: seen.map(
            ({ of, log = 0, block, from = 'T0', to: address = 'T1', amount = 5 }) => ({
              txId: of.repeat(64),
              logIndex: log,
              from,
              to: address,
              blockNumber: block,
              blockTime: null,
              amountMicro: BigInt(amount),
            }),
          ),
        }),
      coming: () => seenTo(db, { chain: 'test', address: 'T1' }),
      addMember,
      /** Each as `letter:log index@block`, and those that are solid with an exclamation mark. */
      stored: (chain = 'test') =>
        owner.column<string>(
          `select left(tx_id, 1) || ':' || log_index || '@' || block || case when solid then '!' else '' end as text
           from deposits.seen_transfer where chain = $1 order by tx_id, log_index`,
          [chain],
        ),
      /** Each as `letter: amount to address@block`. */
      storedAmounts: () =>
        owner.column<string>(
          `select left(tx_id, 1) || ': ' || amount || ' to ' || to_address || '@' || block as text
           from deposits.seen_transfer order by tx_id, log_index`,
        ),
    }
  }

  it('has more confirmations with each block, and loses none when fewer blocks are seen', async () => {
    const { note, coming } = await lookedAt()
    const look = async (to: number, solidHeight: number) => {
      await note([{ of: 'a', block: 12 }], { to, solidHeight })
      return (await coming()).map(({ confirmations, confirmationsNeeded }) => [
        confirmations,
        confirmationsNeeded,
      ])
    }
    expect(await look(12, 10)).toEqual([[1, 3]])
    expect(await look(14, 10)).toEqual([[3, 5]])
    expect(await look(13, 10)).toEqual([[3, 5]])
    expect(await look(15, 12)).toEqual([[4, 4]])
  })

  it('is stored until its block is credited, if it goes to a member, of any amount', async () => {
    const { note, stored, addMember } = await lookedAt()
    await addMember('T2')
    await note([
      { of: 'a', block: 10 },
      { of: 'b', block: 11 },
      { of: 'c', block: 12, to: 'T9' },
      { of: 'd', block: 12, amount: 0 },
      { of: 'e', block: 12, amount: 1 },
      // The house moves what it has: nothing is credited.
      { of: 'f', block: 12, from: 'T2' },
      { of: '0', block: 13 },
    ])
    expect(await stored()).toEqual(['0:0@13', 'b:0@11', 'e:0@12'])
    await note([], { height: 12, from: 14, to: 15 })
    expect(await stored()).toEqual(['0:0@13'])
  })

  it('is deleted once it has left the blocks, and those of other blocks and chains stay', async () => {
    const { note, stored } = await lookedAt()
    const noted = [11, 12, 13, 14].map((block) => ({ of: String(block % 10), block }))
    await note(noted, { to: 14 })
    await note(noted, { to: 14, chain: 'other' })
    await note([], { from: 12, to: 13 })
    expect(await stored()).toEqual(['1:0@11', '4:0@14'])
    // Of two transfers of a transaction one.
    const [first, second] = [0, 1].map((log) => ({ of: '2', log, block: 12 })) as [Seen, Seen]
    await note([first, second], { from: 12, to: 13 })
    await note([second], { from: 12, to: 13 })
    expect(await stored()).toEqual(['1:0@11', '2:1@12', '4:0@14'])
    expect(await stored('other')).toEqual(['1:0@11', '2:0@12', '3:0@13', '4:0@14'])
  })

  it('is solid from the height on at which its block cannot be replaced', async () => {
    const { note, stored } = await lookedAt()
    const seen = ['a', 'b', 'c'].map((of, at) => ({ of, block: 11 + at }))
    await note(seen, { solidHeight: 11 })
    await note(seen, { solidHeight: 11, chain: 'other' })
    expect(await stored()).toEqual(['a:0@11!', 'b:0@12', 'c:0@13'])
    await note([], { from: 14, to: 15, solidHeight: 12 })
    expect(await stored()).toEqual(['a:0@11!', 'b:0@12!', 'c:0@13'])
    expect(await stored('other')).toEqual(['a:0@11!', 'b:0@12', 'c:0@13'])
    // One that another block has now is solid only if that block is.
    await note([{ of: 'a', block: 13 }], { solidHeight: 12 })
    expect(await stored()).toEqual(['a:0@13'])
  })

  it('in several blocks is stored once, as it is in the last, or in the one that was looked at again', async () => {
    const { note, storedAmounts, addMember } = await lookedAt()
    await addMember('T2')
    await note(['a', 'b', 'c', 'd'].map((of) => ({ of, block: 11 })))
    await note([
      { of: 'a', block: 12 },
      { of: 'a', block: 13, amount: 7 },
      { of: 'a', block: 11 },
      { of: 'b', block: 13, to: 'T2' },
      { of: 'c', block: 13, to: 'T9' },
      { of: 'd', block: 13, amount: 0 },
    ])
    expect(await storedAmounts()).toEqual(['a: 7 to T1@13', 'b: 5 to T2@13'])
    await note([{ of: 'e', block: 14 }], { from: 14, to: 14 })
    await note([{ of: 'e', block: 13, amount: 7 }], { from: 12, to: 13 })
    expect(await storedAmounts()).toEqual(['e: 7 to T1@13'])
  })
})
