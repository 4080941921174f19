/** Mails and messages about the limits and breaks that a player has set. */
import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import type { Database, Transaction } from '#src/db/database.ts'
import { notify, notifyAll } from '#src/modules/inbox/notify.ts'
import { type OfLimit, takePossibleRaises } from './protection-store.ts'

/** Notifies a player that his limit is lower now, that he requested a higher one, or that the higher one applies. */
export async function notifyOfLimit(
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

/** Notifies a player that his break has begun. `until`: milliseconds since 1970. */
export async function notifyOfBreak(
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
    facts: { until: new Date(until).toISOString(), zone: timeZone },
  })
}

/** Players that one transaction notifies. */
const BATCH = 100

/** Notifies the players whose higher limits can be confirmed now, each once, and says until when. */
export async function notifyOfPossibleRaises({
  db,
  timeZone,
}: {
  db: Database
  timeZone: string
}): Promise<void> {
  for (;;) {
    const notified = await db.transaction(async (tx) => {
      const raises = await takePossibleRaises(tx, BATCH)
      await notifyAll(
        tx,
        raises.map(({ playerId, kind, period, until }) => ({
          playerId,
          kind: 'limit_raise_possible',
          facts: {
            limit: `${kind}.${period}`,
            until: new Date(until).toISOString(),
            zone: timeZone,
          },
        })),
      )
      return raises.length
    })
    if (notified < BATCH) return
  }
}
