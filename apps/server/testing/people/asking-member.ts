/** A member of a cash desk who may withdraw, and how he requests it below the API. */

import { hashPassword } from '#src/modules/accounts/password.ts'
import { addCode } from '#src/modules/accounts/security-store.ts'
import {
  requestWithdrawal,
  type WithdrawalDeps,
  type WithdrawalRequest,
} from '#src/modules/withdrawals/request-withdrawal.ts'
import type { TestDatabase } from '../database/test-database.ts'
import { addPayMethod, DESK_AT, openCashDesk } from './cash-desk.ts'

export const ASKING_CODE = '271828'

export async function addSecurityCode({ db }: TestDatabase, playerId: number): Promise<void> {
  const codeHash = await hashPassword(ASKING_CODE)
  await db.transaction((tx) => addCode(tx, { playerId, codeHash }))
}

/** The cash desk's player has a security code, and a wallet besides his card. */
export async function openAskingMember() {
  const desk = await openCashDesk()
  const { database, db, owner, player, method: card } = desk
  await addSecurityCode(database, player)
  const wallet = await addPayMethod(database, player, 'wallet')
  /** Requests 100 u to the card, if the change does not say otherwise. */
  const ask = (change: Partial<WithdrawalRequest> = {}, deps: Partial<WithdrawalDeps> = {}) =>
    requestWithdrawal(
      { db, timeZone: 'Asia/Singapore', now: () => DESK_AT, ...deps },
      {
        ...{ playerId: player, payTo: { id: card }, amount: 100_000_000n },
        ...{ code: ASKING_CODE, idempotencyKey: null, network: '203.0.113.7' },
        ...change,
      },
    )
  /** The requests that are stored. */
  const requested = () =>
    owner.query(
      `select player_id as player, id, pay_method_id as method, amount, booked_on as day, cash_after as left, state
       from withdrawals.withdrawal order by id`,
    )
  return { ...desk, card, wallet, ask, requested }
}
