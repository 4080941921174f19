import type { Database } from '#src/db/database.ts'
import { asStaff } from '#src/modules/staff/as-staff.ts'
import { malformed, type Refusal } from '#src/refusal/refusal.ts'
import { type BankAccount, putBankAccount } from './bank-deposit-store.ts'

/**
 * Sets the account that players send bank deposits to. Without any field there is no account from now on. The audit
 * log records the previous account and the new one: both were shown to every player.
 *
 * @returns the account, null for none, or malformed if only some of the fields are given
 */
export async function setBankAccount(
  db: Database,
  {
    session,
    bankName,
    holder,
    number,
  }: {
    session: string
    bankName: string | undefined
    holder: string | undefined
    number: string | undefined
  },
): Promise<BankAccount | null | Refusal> {
  const given = { bankname: bankName, banknum: number, bankxm: holder }
  const missing = Object.entries(given).filter(([, value]) => value === undefined)
  const account =
    bankName === undefined || holder === undefined || number === undefined
      ? null
      : { bankName, holder, number }
  if (account === null && missing.length < 3) {
    return malformed(Object.fromEntries(missing.map(([field]) => [field, 'required'])))
  }
  return asStaff(db, async (tx) => {
    await putBankAccount(tx, account, session)
    return account
  })
}
