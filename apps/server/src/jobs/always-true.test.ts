import { describe, expect, it } from 'vitest'
import { captureLog } from '#testing/captured-log.ts'
import { memberWithMoney, withdraw } from '#testing/cashier.ts'
import { createTestApp } from '#testing/test-app.ts'
import { ALWAYS_TRUE, checkAlwaysTrue } from './always-true.ts'

describe('the daily check of the books', () => {
  it('finds them right as the application sees them', async () => {
    const test = await createTestApp()
    await withdraw(test, await memberWithMoney(test, 'ann_lee', 500), '200')
    const { log, lines } = captureLog()
    expect(await checkAlwaysTrue({ db: test.app.db, log })).toEqual([])
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
    const test = await createTestApp()
    await withdraw(test, await memberWithMoney(test, 'ann_lee', 500), '200')
    await alterBehindTheTriggers(test, alteration)
    const { log, lines } = captureLog()
    const broken = await checkAlwaysTrue({ db: test.app.db, log })
    expect(broken.join('; ')).toContain(rule)
    expect(lines.filter((line) => line.includes('the books are wrong'))).toHaveLength(broken.length)
  })

  it('has a name of its own for each rule', () => {
    const names = ALWAYS_TRUE.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})

/** Alters rows as somebody with the owner's rights and bad intentions would. */
async function alterBehindTheTriggers(
  { database }: Awaited<ReturnType<typeof createTestApp>>,
  alteration: string,
): Promise<void> {
  await database.owner.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica')
    await tx.query(alteration)
  })
}
