/** Members who can withdraw, and the steps before a withdrawal. */
import { randomBytes } from 'node:crypto'
import {
  quantityLogList,
  setPayInfo,
  setSafety,
  withdrawAction,
} from '@sum28/contract/money-routes.ts'
import { prove } from '@sum28/contract/passkey-routes.ts'
import type { LedgerRow } from '@sum28/contract/replies.ts'
import { answerBankBatch } from '@sum28/contract/staff-bank-routes.ts'
import { recordPayout, takePayment } from '@sum28/contract/staff-routes.ts'
import { tronAddressOfPrivateKey } from '#src/adapters/chain/tron-address.ts'
import { only } from '#src/db/database.ts'
import { approveWithdrawal } from '#src/modules/withdrawals/review-withdrawal.ts'
import {
  deposit,
  registerMember,
  TEST_PASSWORD,
  type TestApp,
  type TestMember,
} from '../product/test-app.ts'
import { addSeatedPlayer, type SeatedPlayer } from './seated-player.ts'

export const TEST_CODE = '271828'

/** A published TRON address: index 0 of the mnemonic 'abandon … about'. */
export const TEST_WALLET = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'

/** A known card number for tests. */
export const TEST_CARD = '4242 4242 4242 4242'

export async function setCode(test: TestApp, member: TestMember, code = TEST_CODE): Promise<void> {
  await test.call(prove, { password: TEST_PASSWORD }, member)
  const reply = await test.call(setSafety, { new_code: code }, member)
  if (reply.code !== 1) throw new Error(`the code was not set: ${JSON.stringify(reply)}`)
}

/** The address of a wallet that no other member has: whose payee an excluded player has is held for staff. */
export function newWallet(): string {
  return tronAddressOfPrivateKey(randomBytes(32))
}

/** @param address by default one that nobody else has */
export async function addWallet(
  test: TestApp,
  member: TestMember,
  address = newWallet(),
): Promise<number> {
  const reply = await test.call(setPayInfo, { type: 1, acc: address, acc_name: 'TRC20' }, member)
  if (reply.code !== 1) throw new Error(`the wallet was not saved: ${JSON.stringify(reply)}`)
  return reply.data.id
}

/** A member with money, a security code and a wallet. */
export async function memberWithMoney(
  test: TestApp,
  username: string,
  u: number,
  give = deposit,
): Promise<TestMember & { payId: number; wallet: string }> {
  const member = await registerMember(test, username)
  await give(test, member, u)
  await setCode(test, member)
  const wallet = newWallet()
  return { ...member, payId: await addWallet(test, member, wallet), wallet }
}

export async function withdraw(
  test: TestApp,
  member: TestMember & { payId: number },
  money: string,
): Promise<number> {
  const reply = await test.call(
    withdrawAction,
    { pay_id: member.payId, money, security_code: TEST_CODE },
    member,
  )
  if (reply.code !== 1) throw new Error(`the withdrawal was refused: ${JSON.stringify(reply)}`)
  return reply.data.id
}

/** What a member's statement says of his withdrawals, the latest first. */
export async function statementOf(test: TestApp, member: { token: string }) {
  const { data } = await test.call(quantityLogList, { type: 1 }, member)
  const rows = data as LedgerRow[]
  return rows.map(({ quantity, over, status, mark }) => ({ quantity, over, status, mark }))
}

/** Takes a withdrawal, and records that it was paid. */
export async function recordPaid(
  test: TestApp,
  payout: { id: number; reference: string },
  by: { token: string },
) {
  await test.call(takePayment, { id: payout.id }, by)
  return test.call(recordPayout, payout, by)
}

const PAYEES = {
  card: { type: 0, acc: 'Ann "x", Lee', acc_name: TEST_CARD, acc_bank: 'Hanoi' },
  wallet: { type: 1, acc: TEST_WALLET, acc_name: 'TRC20' },
}

/**
 * A seated player's request of 120 u, which this member of staff approves.
 *
 * @param request `wallet`: its address, by default the test's
 */
export async function approvedWithdrawal(
  test: TestApp,
  {
    to,
    by,
    wallet,
  }: { to: keyof typeof PAYEES; by: { token: string }; wallet?: string | undefined },
): Promise<{ id: number; member: SeatedPlayer }> {
  const { db } = test.database
  const member = await addSeatedPlayer(test.database, { u: 200 })
  const payee = { ...PAYEES[to], ...(wallet && { acc: wallet }) }
  const { data: method } = await test.call(setPayInfo, payee, member)
  const rows = await db.query<{ id: bigint; reason: string | null }>(
    `select withdrawal_id as id, reason
     from withdrawals.request($1, $2, 120000000, app.now()::date, null, null)`,
    [member.id, method?.id],
  )
  const id = Number(only(rows).id)
  const answer = await approveWithdrawal(db, { id, session: by.token })
  if (answer !== 'approved') throw new Error(`not approved: ${JSON.stringify([rows, answer])}`)
  return { id, member }
}

/** Sends lines as a file of the bank's answers for a batch; with `check` they are only looked at. */
export async function sendBankAnswers(
  test: TestApp,
  { id, lines, check = false }: { id: number; lines?: string | undefined; check?: boolean },
  by: { token: string },
): Promise<{ code: number; msg: string; data: Record<string, unknown> }> {
  const body = new FormData()
  body.set('id', String(id))
  if (check) body.set('check', '1')
  if (lines !== undefined) {
    body.set('file', new Blob([`withdrawal,amount,status,reference,reason\n${lines}`]), 'a.csv')
  }
  const headers = { Token: by.token }
  const reply = await test.fetch(answerBankBatch.path, { method: 'POST', headers, body })
  return reply.json() as ReturnType<typeof sendBankAnswers>
}
