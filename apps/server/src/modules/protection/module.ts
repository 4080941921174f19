/** Player protection: limits, the reality check, breaks, and deposits that are held. */
import * as wire from '@sum28/contract/protection-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import type { Queryable } from '#src/db/database.ts'
import { bind, type RouteBinding } from '#src/http/call.ts'
import { pagingOf } from '#src/http/page.ts'
import { countOfDay } from '#src/modules/accounts/count-store.ts'
import { NOTIFY_FROM, notify } from '#src/modules/inbox/notify.ts'
import {
  isRefusal,
  malformed,
  type Refusal,
  refuse,
  refuseAmountBelow,
  refuseByWord,
} from '#src/refusal/refusal.ts'
import type { Resources } from '#src/resources.ts'
import { unixSeconds } from '#src/wire-form.ts'
import { markNoter } from './likeness.ts'
import { notifyOfBreak, notifyOfLimit } from './notify-of-limits.ts'
import * as store from './protection-store.ts'

type ProtectionDeps = Pick<Resources, 'db' | 'config' | 'cipher' | 'timeZone'> & {
  /** While they are, nobody knows whether the time for less protection has come. */
  areClocksApart: (db: Queryable) => Promise<boolean>
}

export function protectionModule(deps: ProtectionDeps) {
  return {
    routes: protectionRoutes(deps),
    noteMark: markNoter(deps.cipher, { limits: deps.config.rateLimits }),
  }
}

const DAY_S = 86_400

/** How often a day a player may change his limits and his reality check, all together; lower a limit he always may. */
export const LIMIT_CHANGES_A_DAY = 50
/** How often a day a player may begin a break of one length anew: each of them already lasts into the next day. */
export const BREAKS_A_DAY = 5

/** The player is not too early: the house cannot tell. */
const CLOCKS_APART: Refusal = { ...refuse('too_early'), wording: 'unavailable' }

function protectionRoutes({ db, timeZone, areClocksApart }: ProtectionDeps): RouteBinding[] {
  return [
    bind(wire.protectionState, async ({ caller: { playerId } }) => {
      const [limits, standing, held] = await Promise.all([
        store.limitsNow(db, playerId),
        store.protectionNow(db, playerId),
        store.heldDeposits(db, playerId),
      ])
      if (!standing) throw new Error(`player ${playerId} has no protection`)
      return {
        limits: limits.map(limitReply),
        ...protectionReply(standing),
        held: held.map(({ id, amount, because, heldAt, isAskedBack }) => ({
          id: Number(id),
          quantity: formatAmount(amount),
          because,
          createtime: secondsRoundedUp(heldAt),
          asked_back: isAskedBack,
        })),
      }
    }),

    bind(wire.setLimit, async ({ caller: { playerId }, input: { kind, period, money } }) => {
      const limit = { playerId, kind, period }
      const amount = money ?? null
      let isLower = false
      const done = await db.transaction(async (tx) => {
        const outcome = await store.setLimit(tx, { ...limit, amount })
        isLower = outcome === 'lowered'
        // The wait for a raise is not counted from a wrong time.
        if (outcome === 'raise_asked' && (await areClocksApart(tx))) return CLOCKS_APART
        const tooMany = outcome === 'same' ? null : await countOfDay(tx, limitChange(playerId))
        if (tooMany) return tooMany
        if (outcome === 'raise_asked') await notifyOfLimit(tx, limit, outcome)
        if (outcome === 'lowered' && amount !== null)
          await notifyOfLimit(tx, limit, { lowered: amount })
        return { outcome }
      })
      if (!isRefusal(done) || !isLower) return done
      // A lower limit always applies; so many a day come without a message and without an entry in the log.
      return db.transaction(async (tx) => {
        const outcome = await store.setLimit(tx, { ...limit, amount, logged: false })
        return outcome === 'lowered' ? { outcome } : done
      })
    }),

    bind(wire.confirmLimit, async ({ caller: { playerId }, input: { kind, period } }) => {
      const limit = { playerId, kind, period }
      if (await areClocksApart(db)) return CLOCKS_APART
      return db.transaction(async (tx) => {
        const word = await store.confirmRaise(tx, limit)
        if (word !== 'raised') return refuseByWord(word)
        await notifyOfLimit(tx, limit, word)
        return null
      })
    }),

    bind(wire.askBack, async ({ caller: { playerId }, input: { id } }) => {
      const word = await store.askBack(db, { playerId, id })
      if (word === 'below_minimum') return refuseAmountBelow(formatAmount(NOTIFY_FROM))
      return word === 'asked' ? null : refuseByWord(word)
    }),

    bind(wire.setRealityCheck, async ({ caller: { playerId }, input: { minutes } }) => {
      return db.transaction(async (tx) => {
        const word = await store.setRealityCheck(tx, { playerId, everyMinutes: minutes })
        return word === 'set' ? countOfDay(tx, limitChange(playerId)) : refuseByWord(word)
      })
    }),

    bind(wire.acknowledgeCheck, async ({ caller: { playerId } }) => {
      return { was_due: await store.acknowledgeRealityCheck(db, playerId) }
    }),

    bind(wire.takeBreak, async ({ caller: { playerId }, input: { hours, months } }) => {
      if ((hours === undefined) === (months === undefined)) {
        return malformed({ hours: 'choice', months: 'choice' })
      }
      const kind = hours === undefined ? 'self_exclusion' : 'time_out'
      const lasting = hours === undefined ? `${months} months` : `${hours} hours`
      const event = `breaks of ${lasting}`
      return db.transaction(async (tx) => {
        // First, because a break makes others wait while accounts are compared.
        const tooMany = await countOfDay(tx, { playerId, event, max: BREAKS_A_DAY })
        if (tooMany) return tooMany
        const word = await store.exclude(tx, { playerId, kind, lasting })
        if (word !== 'begun') return refuseByWord(word)
        const until = await store.lastBreakEnds(tx, playerId)
        await notifyOfBreak(tx, { playerId, kind, until }, timeZone)
        return null
      })
    }),

    bind(wire.askReturn, async ({ caller: { playerId } }) => {
      if (await areClocksApart(db)) return CLOCKS_APART
      return db.transaction(async (tx) => {
        const word = await store.requestEnd(tx, playerId)
        if (word !== 'end_requested') return refuseByWord(word)
        await notify(tx, { playerId, kind: 'end_requested' })
        return null
      })
    }),

    bind(wire.protectionChanges, async ({ caller: { playerId }, input }) => {
      const { page, ...paging } = pagingOf({ ...input, page: input.page ?? 1 })
      const { rows, total } = await store.changesOf(db, { playerId, ...paging })
      return { total, page: page ?? 1, list: rows.map(changeReply) }
    }),
  ]
}

function limitChange(playerId: number) {
  return { playerId, event: 'changes of limits', max: LIMIT_CHANGES_A_DAY }
}

type ChangeReply = ReplyOf<typeof wire.protectionChanges>['list'][number]

function changeReply({ id, at, what, details }: store.Change): ChangeReply {
  const { kind = null, period = null, until = null, name = null } = details
  function valueText(value: string | number | null = null): string | null {
    if (value === null) return null
    // For a limit an amount, in micro-units; for the reality check minutes.
    return kind === null ? String(value) : formatAmount(BigInt(value))
  }
  return {
    id: Number(id),
    what,
    createtime: unixSeconds(at),
    kind: kind as ChangeReply['kind'],
    period: period as ChangeReply['period'],
    before: valueText(details.before),
    after: valueText(details.after),
    until: until === null ? null : Number(until),
    name: name === null ? null : String(name),
  }
}

type StateReply = ReplyOf<typeof wire.protectionState>

function limitReply(limit: store.LimitNow): StateReply['limits'][number] {
  const { kind, period, ownAmount, amount, source, used, raiseAskedAt, raiseAmount } = limit
  return {
    kind,
    period,
    own: amountReply(ownAmount),
    amount: amountReply(amount),
    by: source,
    used: formatAmount(used),
    left: amountReply(amount === null ? null : amount > used ? amount - used : 0n),
    begins_anew_at: secondsRoundedUp(limit.beginsAnewAt),
    raise:
      raiseAskedAt === null
        ? null
        : {
            own: amountReply(raiseAmount),
            from: secondsRoundedUp(raiseAskedAt) + DAY_S,
            until: secondsRoundedUp(raiseAskedAt) + 8 * DAY_S,
          },
  }
}

function protectionReply(protection: store.ProtectionNow): Omit<StateReply, 'limits' | 'held'> {
  const { checkMinutes, beganAt, checkAt, staked, won, excludedBy } = protection
  return {
    check_minutes: checkMinutes,
    session:
      beganAt === null || checkAt === null
        ? null
        : {
            began_at: secondsRoundedUp(beganAt),
            staked: formatAmount(staked),
            won: formatAmount(won),
            net: formatAmount(won - staked),
            check_at: secondsRoundedUp(checkAt),
          },
    exclusion:
      excludedBy === null
        ? null
        : {
            kind: excludedBy,
            until:
              protection.excludedUntil === null ? null : secondsRoundedUp(protection.excludedUntil),
            may_ask_from:
              protection.mayAskFrom === null ? null : secondsRoundedUp(protection.mayAskFrom),
          },
  }
}

function amountReply(amount: bigint | null): string | null {
  return amount === null ? null : formatAmount(amount)
}

/** Rounded up, so that it is never too early. */
function secondsRoundedUp(at: number): number {
  return Math.ceil(at / 1000)
}
