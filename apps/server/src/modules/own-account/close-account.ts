import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import type { Database, Queryable, Transaction } from '#src/db/database.ts'
import { only } from '#src/db/database.ts'
import { notify } from '#src/modules/inbox/notify.ts'
import { WITHDRAWAL_MIN } from '#src/modules/withdrawals/request-withdrawal.ts'
import type { Refusal } from '#src/refusal.ts'
import { refuseByWord } from '#src/refusal-words.ts'

/** What stands open in an account, in micro-units. */
export type OpenMatters = {
  /** Stakes of bets that run. */
  running: Amount
  /** Withdrawals that wait, or are approved and not paid out. */
  withdrawing: Amount
  /** Deposits that are held. */
  held: Amount
  balance: Amount
}

export async function openMatters(db: Queryable, playerId: number): Promise<OpenMatters> {
  return only(
    await db.query<OpenMatters>(
      'select running, withdrawing, held, balance from own_account.open_matters($1)',
      [playerId],
    ),
  )
}

/** Whether nothing keeps an account from being closed. */
export function mayClose({ running, withdrawing, held, balance }: OpenMatters): boolean {
  return running === 0n && withdrawing === 0n && held === 0n && balance < WITHDRAWAL_MIN
}

/**
 * Closes a player's account for good, at once and on every device, and tells him by mail. The caller has
 * checked the password.
 *
 * @returns null, or something_open with what stands open, or account_locked
 */
export async function closeAccount(db: Database, playerId: number): Promise<null | Refusal> {
  return db.transaction(async (tx) => {
    const said = await close(tx, playerId)
    if (said === 'something_open') {
      const { running, withdrawing, held, balance } = await openMatters(tx, playerId)
      return refuseByWord(said, {
        running: formatAmount(running),
        withdrawing: formatAmount(withdrawing),
        held: formatAmount(held),
        balance: formatAmount(balance),
      })
    }
    if (said !== 'closed') return refuseByWord(said)
    await notify(tx, { playerId, kind: 'account_closed' })
    return null
  })
}

async function close(
  tx: Transaction,
  playerId: number,
): Promise<'closed' | 'something_open' | 'account_locked'> {
  const rows = await tx.query<{ said: 'closed' | 'something_open' | 'account_locked' }>(
    'select own_account.close_account($1, $2) as said',
    [playerId, WITHDRAWAL_MIN],
  )
  return only(rows).said
}

/** Days for which a closed account keeps who its player is. */
export async function closedKeptDays(db: Queryable): Promise<number> {
  const rows = await db.query<{ days: number }>(
    'select (extract(epoch from closed_kept) / 86400)::integer as days from own_account.terms',
  )
  return only(rows).days
}

/** Writes that time for every process on the database; only its owner may. */
export async function writeClosedKept(owner: Queryable, days: number): Promise<void> {
  await owner.query('update own_account.terms set closed_kept = make_interval(days => $1)', [days])
}

/** Accounts that one statement anonymises. */
const BATCH = 50

/**
 * Takes from accounts that were closed long enough ago all that tells whose they were, step by step.
 *
 * @returns how many it were
 */
export async function anonymiseClosed(db: Queryable, signal?: AbortSignal): Promise<number> {
  let all = 0
  while (!signal?.aborted) {
    const { done } = only(
      await db.query<{ done: number }>('select own_account.anonymise($1) as done', [BATCH]),
    )
    all += done
    if (done < BATCH) break
  }
  return all
}
