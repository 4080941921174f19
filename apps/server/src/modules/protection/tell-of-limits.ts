/** Mails and messages about what a player has set to stay in control. */
import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import type { Database, Transaction } from '#src/db/database.ts'
import { notify, notifyAll } from '#src/modules/inbox/notify.ts'
import { takePossibleRaises } from './protection-store.ts'
import type { LimitKind, LimitPeriod } from './protection-terms.ts'

type OfLimit = { playerId: number; kind: LimitKind; period: LimitPeriod }

/** Tells a player that a limit of his is lower now, that he asked for a higher one, or that he has it. */
export async function tellOfLimit(
  tx: Transaction,
  { playerId, kind, period }: OfLimit,
  what: { lowered: Amount } | 'raise_asked' | 'raised',
): Promise<void> {
  const limit = `${kind}.${period}`
  if (typeof what === 'string')
    return notify(tx, { playerId, kind: `limit_${what}`, facts: { limit } })
  const facts = { limit, amount: formatAmount(what.lowered) }
  await notify(tx, { playerId, kind: 'limit_lowered', facts })
}

/** Tells a player that a break of his has begun. `until`: milliseconds since 1970. */
export async function tellOfBreak(
  tx: Transaction,
  {
    playerId,
    kind,
    until,
  }: { playerId: number; kind: 'time_out' | 'self_exclusion'; until: number },
  timeZone: string,
): Promise<void> {
  await notify(tx, {
    playerId,
    kind: kind === 'time_out' ? 'time_out_begun' : 'exclusion_begun',
    facts: { until: momentText(until, timeZone) },
  })
}

/** Players that one transaction tells. */
const BATCH = 100

/** Tells the players whose higher limits may be confirmed now, each once. */
export async function tellOfPossibleRaises({ db }: { db: Database }): Promise<void> {
  for (;;) {
    const told = await db.transaction(async (tx) => {
      const raises = await takePossibleRaises(tx, BATCH)
      await notifyAll(
        tx,
        raises.map(({ playerId, kind, period }) => ({
          playerId,
          kind: 'limit_raise_possible',
          facts: { limit: `${kind}.${period}` },
        })),
      )
      return raises.length
    })
    if (told < BATCH) return
  }
}

/** A moment on the operator's clock, such as `2026-12-01 14:30 Asia/Singapore`. */
function momentText(at: number, timeZone: string): string {
  const clock = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  })
  return `${clock.format(at)} ${timeZone}`
}
