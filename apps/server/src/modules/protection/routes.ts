import * as wire from '@sum28/contract/protection-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import type { Database } from '#src/db/database.ts'
import { bind, type RouteBinding } from '#src/http/binding.ts'
import { malformed } from '#src/refusal.ts'
import { refuseByWord } from '#src/refusal-words.ts'
import * as store from './protection-store.ts'

const DAY_S = 86_400

export function protectionRoutes({ db }: { db: Database }): RouteBinding[] {
  return [
    bind(wire.protectionState, async ({ caller: { playerId } }) => {
      const [limits, standing, held] = await Promise.all([
        store.limitsNow(db, playerId),
        store.standingNow(db, playerId),
        store.heldDeposits(db, playerId),
      ])
      if (!standing) throw new Error(`player ${playerId} has no protection`)
      return {
        limits: limits.map(limitReply),
        ...standingReply(standing),
        held: held.map(({ id, amount, because, heldAt }) => ({
          id: Number(id),
          quantity: formatAmount(amount),
          because,
          createtime: seconds(heldAt),
        })),
      }
    }),

    bind(wire.setLimit, async ({ caller: { playerId }, input: { kind, period, money } }) => {
      const amount = money ?? null
      return { outcome: await store.setLimit(db, { playerId, kind, period, amount }) }
    }),

    bind(wire.confirmLimit, async ({ caller: { playerId }, input: { kind, period } }) => {
      const said = await store.confirmRaise(db, { playerId, kind, period })
      return said === 'raised' ? null : refuseByWord(said)
    }),

    bind(wire.setRealityCheck, async ({ caller: { playerId }, input: { minutes } }) => {
      const said = await store.setRealityCheck(db, { playerId, everyMinutes: minutes })
      return said === 'set' ? null : refuseByWord(said)
    }),

    bind(wire.acknowledgeCheck, async ({ caller: { playerId } }) => {
      return { was_due: await store.acknowledgeRealityCheck(db, playerId) }
    }),

    bind(wire.takeBreak, async ({ caller: { playerId }, input: { hours, months } }) => {
      if ((hours === undefined) === (months === undefined)) {
        return malformed({ hours: 'choice', months: 'choice' })
      }
      const said = await store.exclude(db, {
        playerId,
        ...(hours === undefined
          ? { kind: 'self_exclusion', lasting: `${months} months` }
          : { kind: 'time_out', lasting: `${hours} hours` }),
      })
      return said === 'begun' ? null : refuseByWord(said)
    }),

    bind(wire.askReturn, async ({ caller: { playerId } }) => {
      const said = await store.askReturn(db, playerId)
      return said === 'return_asked' ? null : refuseByWord(said)
    }),
  ]
}

type StateReply = ReplyOf<typeof wire.protectionState>

function limitReply(limit: store.LimitNow): StateReply['limits'][number] {
  const { kind, period, own, amount, source, used, raiseAskedAt, raiseAmount } = limit
  return {
    kind,
    period,
    own: amountReply(own),
    amount: amountReply(amount),
    by: source,
    used: formatAmount(used),
    left: amountReply(amount === null ? null : amount > used ? amount - used : 0n),
    begins_anew_at: seconds(limit.beginsAnewAt),
    raise:
      raiseAskedAt === null
        ? null
        : {
            own: amountReply(raiseAmount),
            from: seconds(raiseAskedAt) + DAY_S,
            until: seconds(raiseAskedAt) + 8 * DAY_S,
          },
  }
}

function standingReply(standing: store.StandingNow): Omit<StateReply, 'limits' | 'held'> {
  const { checkMinutes, beganAt, checkAt, staked, won, excludedBy } = standing
  return {
    check_minutes: checkMinutes,
    session:
      beganAt === null || checkAt === null
        ? null
        : {
            began_at: seconds(beganAt),
            staked: formatAmount(staked),
            won: formatAmount(won),
            net: formatAmount(won - staked),
            check_at: seconds(checkAt),
          },
    exclusion:
      excludedBy === null
        ? null
        : {
            kind: excludedBy,
            until: standing.excludedUntil === null ? null : seconds(standing.excludedUntil),
            may_ask_from: standing.mayAskFrom === null ? null : seconds(standing.mayAskFrom),
          },
  }
}

function amountReply(amount: bigint | null): string | null {
  return amount === null ? null : formatAmount(amount)
}

/** Never before the time: a part of a second counts as a whole one. */
function seconds(at: number): number {
  return Math.ceil(at / 1000)
}
