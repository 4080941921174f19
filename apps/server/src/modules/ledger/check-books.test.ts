import { beforeAll, describe, expect, it } from 'vitest'
import { addPlayer, giveAddress, moveMoney } from '#testing/database/fixtures.ts'
import {
  createTestDatabase,
  rolledBack,
  shareTestDatabase,
} from '#testing/database/test-database.ts'
import { addPayMethod, askWithdrawal } from '#testing/people/cash-desk.ts'
import { captureLog } from '#testing/product/captured-log.ts'
import { checkAllBooks, checkNewBooks } from './check-books.ts'

describe('the daily check of the books', () => {
  const database = shareTestDatabase()

  /** A player with a deposit by the chain, and a withdrawal that waits. */
  beforeAll(async () => {
    const { owner } = database
    const ann = await addPlayer(database, { u: 500 })
    await giveAddress(owner, ann, 'T5')
    await owner.query(`insert into deposits.watcher_height (chain, block) values ('c', 0)`)
    const transfer = { tx_id: 'ab'.repeat(32), log_index: 0, from_address: 'T0', to_address: 'T5' }
    await owner.query(`select deposits.take_block('c', 1, app.now(), $1, app.now()::date)`, [
      JSON.stringify([{ ...transfer, amount: '5000000' }]),
    ])
    await askWithdrawal(owner, { playerId: ann, to: await addPayMethod(database, ann), u: 200n })
  })

  it('finds them right through the login of jobs', async () => {
    const db = database.jobs
    const { log, lines } = captureLog()
    expect(await checkAllBooks({ db, log })).toEqual([])
    expect(await checkNewBooks({ db, log })).toEqual([])
    expect(lines.join()).toContain('the books are right')
  })

  it.each([
    ['a balance', `update ledger.balance set cash = cash + 1`, 'each balance is the sum of'],
    ['a hold', `update ledger.balance set held = held + 1`, 'what is held is what'],
    [
      'an amount',
      `update ledger.posting set amount = amount + 1`,
      'each withdrawal set its amount',
    ],
    [
      'a posting taken out',
      `delete from ledger.posting where kind = 'withdrawal'`,
      'each withdrawal set its amount',
    ],
    [
      'a withdrawal taken out',
      `delete from withdrawals.withdrawal`,
      'no movement of a withdrawal is without one',
    ],
    [
      'a credit without a transfer',
      `delete from deposits.transfer`,
      'each credited transfer is one deposit',
    ],
  ])('finds %s that somebody altered, and names the rule', async (_what, alteration, rule) => {
    await rolledBack(database, async (tx) => {
      // As somebody with the owner's rights would, behind the triggers.
      await tx.query('set local session_replication_role = replica')
      await tx.query(alteration)
      const { log, lines } = captureLog()
      const broken = await checkAllBooks({ db: tx, log })
      expect(broken.join('; ')).toContain(rule)
      const logged = lines.filter((line) => line.includes('the books are wrong'))
      expect(logged).toHaveLength(broken.length)
      // New rows are checked separately, and also show it.
      expect(await checkNewBooks({ db: tx, log })).not.toEqual([])
    })
  })

  it.each([
    ['an address', `insert into deposits.address (player_id, address) values ($1, 'T1')`],
    [
      'a bank deposit',
      `insert into staff.proposal (kind, subject, player_id, content, proposed_by, proposed_at)
       values ('bank_deposit', 'player:' || $1::integer, $1, '{"amount": 1000000}', 1, app.now())`,
    ],
    [
      'a transfer',
      `insert into deposits.transfer (tx_id, log_index, from_address, to_address, amount, block, block_at, player_id, credited_at)
       values (repeat('a', 64), 0, 'T8', 'T9', 1000000, 1, app.now(), $1, app.now())`,
    ],
  ])('finds a robot that has %s', async (_what, insertion) => {
    const robot = await addPlayer(database, { u: 0, robot: true })
    await rolledBack(database, async (tx) => {
      await tx.query('set local session_replication_role = replica')
      await tx.query(insertion, [robot])
      const broken = await checkAllBooks({ db: tx, log: captureLog().log })
      expect(broken.join('; ')).toContain(
        'a robot has no session, password, address, deposit or withdrawal',
      )
    })
  })

  it('checks the rows since they were right, and broken ones again', async () => {
    const database = await createTestDatabase()
    const { db, owner } = database
    const { log } = captureLog()
    const player = await addPlayer(database, { u: 100 })
    const checked = async () => {
      return owner.value<number>('select through from app.books_checked')
    }
    expect(await checkNewBooks({ db, log })).toEqual([])
    const first = await checked()
    const old = `update ledger.posting set amount = amount + 1 where id = (select min(id) from ledger.posting)`
    const alter = (statement: string) =>
      owner.transaction(async (tx) => {
        await tx.query('set local session_replication_role = replica')
        await tx.query(statement)
      })
    // Rows that were found right long ago are not read again; the full check reads them.
    await database.shiftClock(10 * 86_400_000)
    expect(await checkNewBooks({ db, log })).toEqual([])
    await alter(old)
    expect(await checkNewBooks({ db, log })).toEqual([])
    expect(await checkAllBooks({ db, log })).not.toEqual([])
    await alter(old.replace('+ 1', '- 1'))
    expect(await checkAllBooks({ db, log })).toEqual([])
    // Later rows are compared with it.
    await addPlayer(database, { u: 50 })
    await moveMoney(owner, 'deposit', { playerId: player, micro: 5n, reference: 'test:new' })
    await alter(
      `update ledger.posting set cash_after = cash_after + 1 where reference = 'test:new'`,
    )
    const before = await checked()
    expect(before).toBeGreaterThan(first)
    expect(await checkNewBooks({ db, log })).toEqual([
      'each posting goes on from the one before it, and the balance from the last',
    ])
    // As long as it is wrong, the position stays.
    expect(await checked()).toBe(before)
  })
})
