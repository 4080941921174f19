/** Withdrawals below the API: players with pay methods, three cashiers, and the calls of the database. */
import { MICRO } from '@sum28/domain/money.ts'
import { callFunction, type Queryable, type Transaction } from '#src/db/database.ts'
import { hashPassword } from '#src/modules/accounts/password.ts'
import { pepperOf } from '#src/modules/accounts/security-code.ts'
import { putCode } from '#src/modules/accounts/security-store.ts'
import {
  requestWithdrawal,
  type WithdrawalDeps,
  type WithdrawalRequest,
} from '#src/modules/withdrawals/request-withdrawal.ts'
import { requestAmount } from '#src/modules/withdrawals/withdrawal-store.ts'
import { writeWithdrawalTerms } from '#src/modules/withdrawals/withdrawal-terms.ts'
import { addPlayer } from '../database/fixtures.ts'
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts'
import { PUBLISHED_ADDRESSES } from '../hosts/served-local-node.ts'
import { CIPHER } from '../product/secret-key.ts'
import { staffToken } from './staff.ts'

export const DESK_AT = Date.UTC(2026, 10, 20, 12)

/** The number and the bank of a pay method, as they are shown. */
const SHOWN = {
  bank: ['•••• 4242', 'Bank of Hanoi'],
  wallet: [PUBLISHED_ADDRESSES[0], ''],
} as const

export async function addPayMethod(
  { owner }: TestDatabase,
  playerId: number,
  kind: 'bank' | 'wallet' = 'bank',
  number: string = SHOWN[kind][0],
): Promise<number> {
  const id = await owner.value<number>(
    `insert into withdrawals.pay_method (player_id, kind, encrypted_number, shown_number, key_id, label, bank_name)
       values ($1, $2, 'sealed', $3, 'test', 'Ann', $4) returning id`,
    [playerId, kind, number, SHOWN[kind][1]],
  )
  return id
}

/** Requests whole u for a pay method of this player; returns the request's number. */
export async function askWithdrawal(
  by: TestDatabase['db'],
  { playerId, to, u = 100n }: { playerId: number; to: number; u?: bigint },
): Promise<bigint> {
  return by.value<bigint>(
    `select withdrawal_id from withdrawals.request($1, $2, $3, '2026-11-20', null, null)`,
    [playerId, to, u * MICRO],
  )
}

/** A player with 1,000 u and a card, and three cashiers. One person approves amounts below 10,000 u. */
export async function openCashDesk({ u = 1_000 } = {}) {
  const database = await createTestDatabase()
  const { db, owner } = database
  await writeWithdrawalTerms(owner, { holdMs: 0, twoPersonsFrom: 10_000_000_000n })
  await database.freezeClock(DESK_AT)
  const [ann, bob, cat] = [
    await staffToken(database),
    await staffToken(database),
    await staffToken(database),
  ]
  const player = await addPlayer(database, { u })
  const method = await addPayMethod(database, player)
  /** Calls a function of the schema, by default in a transaction of its own. */
  const say = (call: string, values: unknown[], tx: Pick<Transaction, 'value'> = db) =>
    tx.value<string | null>(`select withdrawals.${call}`, values)
  /** Requests an amount, to the cent; returns the request's id. */
  const request = async (u = 100, of = { player, method }) => {
    const made = await db.transaction((tx) =>
      requestAmount(tx, {
        playerId: of.player,
        payMethodId: of.method,
        amount: BigInt(Math.round(u * 100)) * 10_000n,
        onDay: '2026-11-20',
        key: null,
        inputHash: '00',
      }),
    )
    if (made.reason !== null) throw new Error(made.reason)
    return Number(made.withdrawalId)
  }
  /** Requests an amount, which Ann approves. */
  const approved = async (u = 100) => {
    const id = await request(u)
    const answer = await say('approve($1, $2)', [id, ann])
    if (answer !== 'approved') throw new Error(String(answer))
    return id
  }
  const notices = () =>
    owner.query('select player_id as player, kind, facts from inbox.message order by id')
  const audited = () =>
    owner.query(
      `select member.name as by, action, subject, details from staff.audit
       left join staff.member on member.id = staff_id order by audit.id`,
    )
  return {
    database,
    db,
    owner,
    ann,
    bob,
    cat,
    player,
    method,
    say,
    request,
    approved,
    notices,
    audited,
  }
}

/** Takes a withdrawal and records that it was paid; returns the database's last answer. */
export async function payByHand(
  db: Queryable,
  { id, by, reference }: { id: number | bigint | undefined; by: string; reference: string },
): Promise<string> {
  const taken = await callFunction<string>(db, 'withdrawals.take_payment', id, null, by)
  return taken === 'taken'
    ? callFunction<string>(db, 'withdrawals.record_payout', id, by, reference)
    : taken
}

export const ASKING_CODE = '271828'

export async function addSecurityCode({ db }: TestDatabase, playerId: number): Promise<void> {
  const codeHash = await hashPassword(ASKING_CODE, pepperOf(CIPHER, playerId))
  await db.transaction((tx) => putCode(tx, { playerId, codeHash, oldHash: null }))
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
      { db, cipher: CIPHER, timeZone: 'Asia/Singapore', now: () => DESK_AT, ...deps },
      {
        playerId: player,
        payTo: { id: card },
        amount: 100_000_000n,
        code: ASKING_CODE,
        idempotencyKey: null,
        network: '203.0.113.7',
        ...change,
      },
    )
  const requested = () =>
    owner.query(
      `select player_id as player, id, pay_method_id as method, amount, booked_on as day, cash_after as left, state
       from withdrawals.withdrawal order by id`,
    )
  return { ...desk, card, wallet, ask, requested }
}
