import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import { callFunction, type Database, type Queryable, type Transaction } from '#src/db/database.ts'
import { wholeNumber } from '#src/formats/setting-kinds.ts'
import { notify } from '#src/modules/inbox/notify.ts'
import { payeeText, payMethodById } from '#src/modules/withdrawals/pay-methods.ts'
import { WITHDRAWAL_MIN } from '#src/modules/withdrawals/request-withdrawal.ts'
import { waitingWithdrawal } from '#src/modules/withdrawals/withdrawal-store.ts'
import type { Refusal } from '#src/refusal/refusal.ts'
import { refusalWord, refuse, refuseByWord } from '#src/refusal/refusal.ts'
import { wireOf } from '#src/wire-form.ts'

/** The open positions of an account, in micro-units. */
export type OpenMatters = {
  running: Amount
  /** Withdrawals that are pending, or approved and not paid out. */
  withdrawing: Amount
  held: Amount
  balance: Amount
}

export function openMatters(db: Queryable, playerId: number): Promise<OpenMatters> {
  return db.one<OpenMatters>(
    'select running, withdrawing, held, balance from own_account.open_matters($1)',
    [playerId],
  )
}

/** Whether nothing prevents an account from being closed: held deposits and a balance of less than can be withdrawn do not. */
export function mayClose({ running, withdrawing, held, balance }: OpenMatters): boolean {
  return running === 0n && withdrawing === 0n && held + balance < WITHDRAWAL_MIN
}

/**
 * Closes the accounts of visitors who had no session for thirty days, on which there were rounds, if nothing is open.
 *
 * @returns how many
 */
export async function closeIdleVisitors(db: Database, signal?: AbortSignal): Promise<number> {
  let closed = 0
  for (let last = 0; !signal?.aborted; ) {
    const idle = await db.column<number>(
      `select id from accounts.player, own_account.idle_before() before
       where group_id = 2 and state = 'active' and id > $1 and own_account.is_idle_visitor(player, before)
       order by id limit $2`,
      [last, BATCH],
    )
    for (const id of idle) if (await closeIdleVisitor(db, id)) closed += 1
    last = idle.at(-1) ?? last
    if (idle.length < BATCH) break
  }
  return closed
}

function closeIdleVisitor(db: Database, playerId: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const name = 'own_account.close_idle_visitor'
    if ((await callFunction<string>(tx, name, playerId)) !== 'closed') return false
    await notifyOfClosing(tx, playerId)
    return true
  })
}

/** Where the remaining balance of a player who closes his account is paid to. */
export type Rest = { payMethodId: number; onDay: string }

/**
 * Closes a player's account permanently, at once and on every device, and notifies him by mail. The caller has
 * checked the password, and, if a rest is paid out, the security code.
 *
 * @param closing `session`: the hash of the token of the session that asks, null: none does; `rest`: where a balance
 * below the smallest withdrawal is paid to, null: it stays booked
 * @returns null, or something_open with the open positions, account_locked, session_replaced (the session has ended
 * meanwhile), or the reason why the rest cannot be withdrawn: pay_method_missing or withdrawal_on_hold
 */
export async function closeAccount(
  db: Database,
  {
    playerId,
    session,
    rest = null,
  }: { playerId: number; session: Buffer | null; rest?: Rest | null },
): Promise<null | Refusal> {
  return db.transaction(async (tx) => {
    const word = await callFunction<string>(
      tx,
      'own_account.close_account',
      playerId,
      rest?.payMethodId ?? null,
      rest?.onDay ?? null,
    )
    if (word === 'something_open') {
      return refuseByWord(word, wireOf(await openMatters(tx, playerId)))
    }
    if (word !== 'closed') return refuseByWord(refusalWord(word))
    // The closing has ended it, unless the account was taken back before, while the password was checked.
    const ended = `select from accounts.session where token_hash = $1 and ended_by = 'closed'`
    if (session && !(await tx.exists(ended, [session]))) return refuse('session_replaced')
    if (rest) await notifyOfRest(tx, { playerId, ...rest })
    await notifyOfClosing(tx, playerId)
    return null
  })
}

/** Says for how long the account is kept: then it is anonymous, and nobody can pay what is left in it. */
async function notifyOfClosing(tx: Transaction, playerId: number): Promise<void> {
  const facts = { days: String(await closedKeptDays(tx)) }
  await notify(tx, { playerId, kind: 'account_closed', facts })
}

async function notifyOfRest(
  tx: Transaction,
  { playerId, payMethodId }: Rest & { playerId: number },
): Promise<void> {
  const requested = await waitingWithdrawal(tx, playerId)
  const method = await payMethodById(tx, payMethodId)
  if (!requested || !method) return
  await notify(tx, {
    playerId,
    kind: 'rest_requested',
    facts: { amount: formatAmount(requested.amount), payee: payeeText(method) },
  })
}

export function closedKeptDays(db: Queryable): Promise<number> {
  return db.value<number>(
    'select (extract(epoch from closed_kept) / 86400)::integer from own_account.terms',
  )
}

export const closingVariables = {
  CLOSED_ACCOUNT_KEPT_DAYS: wholeNumber.min(30).max(36_500).default(1_826),
}

/** Stores that time for every process on the database; only its owner may. */
export async function writeClosedKept(owner: Queryable, days: number): Promise<void> {
  await owner.query('update own_account.terms set closed_kept = make_interval(days => $1)', [days])
}

/** Accounts that one statement anonymises. */
const BATCH = 50

/**
 * Deletes the personal data of accounts that were closed long enough ago, step by step.
 *
 * @returns how many accounts
 */
export async function anonymiseClosed(db: Queryable, signal?: AbortSignal): Promise<number> {
  let all = 0
  while (!signal?.aborted) {
    const done = await callFunction<number>(db, 'own_account.anonymise', BATCH)
    all += done
    if (done < BATCH) break
  }
  return all
}
