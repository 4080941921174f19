/** Transfers in blocks that may still be replaced: which are stored, which are deleted, and which are solid. */
import { expect, it } from 'vitest'
import { addPlayer, giveAddress } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { noteSeen, seenTo } from './deposit-store.ts'

type Seen = {
  of: string
  log?: number
  block: number
  from?: string
  to?: string
  amount?: number
}

/** A member with the address T1, and a chain of which everything up to block 10 is credited. */
async function lookedAt() {
  const database = await createTestDatabase()
  const player = await addPlayer(database, { u: 0 })
  await giveAddress(database.owner, player, 'T1')
  await database.owner.query(
    `insert into deposits.watcher_height (chain, block) values ('test', 10)`,
  )
  return {
    /** Notes what was seen in blocks 11 to 13 after block 10, unless it is said otherwise. */
    note: (
      seen: Seen[],
      { chain = 'test', height = 10, from = 11, to = 13, solidHeight = 10 } = {},
    ) =>
      noteSeen(database.db, {
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
    coming: () => seenTo(database.db, { chain: 'test', address: 'T1' }),
    /** A second member, with the address T2. */
    async addSecond() {
      const second = await addPlayer(database, { u: 0 })
      await giveAddress(database.owner, second, 'T2')
    },
    /** Each as `letter: amount to address`. */
    async storedAmounts(): Promise<string[]> {
      return database.owner.column<string>(`select left(tx_id, 1) || ': ' || amount || ' to ' || to_address as text
         from deposits.seen_transfer order by tx_id, log_index`)
    },
    /** Each as `letter:log index@block`, and those that are solid with an exclamation mark. */
    async stored(chain = 'test'): Promise<string[]> {
      return database.owner.column<string>(
        `select left(tx_id, 1) || ':' || log_index || '@' || block || case when solid then '!' else '' end as text
         from deposits.seen_transfer where chain = $1 order by tx_id, log_index`,
        [chain],
      )
    },
  }
}

it('the confirmations of a transfer grow with each block, and none is lost when fewer blocks are seen', async () => {
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

it('a transfer to a member is stored if its block is not credited yet and it is of any amount', async () => {
  const { note, stored, addSecond } = await lookedAt()
  await addSecond()
  await note([
    { of: 'a', block: 10 },
    { of: 'b', block: 11 },
    { of: 'c', block: 12, to: 'T9' },
    { of: 'd', block: 12, amount: 0 },
    { of: 'e', block: 12, amount: 1 },
    // The house moves what it has: nothing is credited.
    { of: 'f', block: 12, from: 'T2' },
  ])
  expect(await stored()).toEqual(['b:0@11', 'e:0@12'])
})

it('a transfer that has left the blocks is deleted, and those of other blocks and chains stay', async () => {
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

it('a transfer is deleted when its block is credited, and not earlier', async () => {
  const { note, stored } = await lookedAt()
  await note([
    { of: 'a', block: 11 },
    { of: 'b', block: 12 },
    { of: 'c', block: 13 },
  ])
  await note([], { height: 12, from: 14, to: 15 })
  expect(await stored()).toEqual(['c:0@13'])
})

it('a transfer is solid from the height on at which its block cannot be replaced', async () => {
  const { note, stored } = await lookedAt()
  const seen = [
    { of: 'a', block: 11 },
    { of: 'b', block: 12 },
    { of: 'c', block: 13 },
  ]
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

it('a transfer that does something else in another block is stored as it is there', async () => {
  const { note, stored, storedAmounts, addSecond } = await lookedAt()
  await addSecond()
  await note([
    { of: 'a', block: 11 },
    { of: 'b', block: 11 },
    { of: 'c', block: 11 },
    { of: 'd', block: 11 },
  ])
  await note([
    { of: 'a', block: 13, amount: 7 },
    { of: 'b', block: 13, to: 'T2' },
    { of: 'c', block: 13, to: 'T9' },
    { of: 'd', block: 13, amount: 0 },
  ])
  expect(await storedAmounts()).toEqual(['a: 7 to T1', 'b: 5 to T2'])
  expect(await stored()).toEqual(['a:0@13', 'b:0@13'])
  // Also if its earlier block was not looked at again.
  await note([{ of: 'e', block: 14 }], { from: 14, to: 14 })
  await note([{ of: 'e', block: 13, amount: 7 }], { from: 12, to: 13 })
  expect(await storedAmounts()).toEqual(['e: 7 to T1'])
})

it('a transfer that is in two blocks, of which one replaces the other, is stored once', async () => {
  const { note, stored } = await lookedAt()
  await note([
    { of: 'a', block: 12 },
    { of: 'a', block: 13 },
    { of: 'a', block: 11 },
  ])
  expect(await stored()).toEqual(['a:0@13'])
})
