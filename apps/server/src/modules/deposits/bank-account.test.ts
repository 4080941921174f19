/** The bank account that players are shown: one at most, and each change of it in the log. */
import { expect, it } from 'vitest'
import { somebodyWaits } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { staffToken } from '#testing/people/staff.ts'
import { type BankAccount, bankAccountOf, putBankAccount } from './bank-deposit.ts'

const [first, second, third] = ['one', 'two', 'three'].map((name) => ({
  ...{ bankName: `Bank ${name}`, holder: `Holder ${name}`, number: `Number ${name}` },
})) as [BankAccount, BankAccount, BankAccount]

async function house() {
  const database = await createTestDatabase()
  const { db, owner } = database
  const session = await staffToken(database)
  return {
    ...{ database, db, session },
    set: (account: BankAccount | null, by = session) => putBankAccount(db, account, by),
    shown: () => bankAccountOf(db),
    log: () =>
      owner.query(
        `select details -> 'before' as before, details -> 'after' as after from staff.audit
         where action = 'bank_account_set' and subject = 'bank_account' order by id`,
      ),
  }
}

it('the owner sets, replaces and removes the account, and the log has both of each time', async () => {
  const { set, shown, log } = await house()
  expect(await shown()).toBeNull()
  for (const account of [first, second, null, null]) {
    await set(account)
    expect(await shown()).toEqual(account)
  }
  expect(await log()).toEqual([
    { before: null, after: first },
    { before: first, after: second },
    { before: second, after: null },
    { before: null, after: null },
  ])
})

it('nobody but the owner sets the account', async () => {
  const { database, set, shown, log } = await house()
  for (const role of ['finance', 'support', 'editor', 'auditor'] as const) {
    const session = await staffToken(database, { role })
    await expect(set(first, session)).rejects.toMatchObject({ code: 'STAFF' })
  }
  expect([await shown(), await log()]).toEqual([null, []])
})

it('of two changes at once the second waits, and the log has what the first has set', async () => {
  const { database, db, session, set, shown, log } = await house()
  await set(first)
  let waiting: Promise<string> | undefined
  await db.transaction(async (tx) => {
    await putBankAccount(tx, second, session)
    waiting = set(third).then(
      () => 'set',
      (error: Error) => error.message,
    )
    await somebodyWaits(database)
    // Readers do not wait.
    expect(await shown()).toEqual(first)
  })
  expect(await waiting).toBe('set')
  expect(await shown()).toEqual(third)
  expect((await log()).slice(1)).toEqual([
    { before: first, after: second },
    { before: second, after: third },
  ])
})
