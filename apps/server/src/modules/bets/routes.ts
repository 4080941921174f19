import { playOrder } from '@sum28/contract/lottery-routes.ts'
import { orderCsv, orderInfo, orderList, orderTotals } from '@sum28/contract/user-routes.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import { dayOf } from '@sum28/domain/schedule.ts'
import type { Database } from '#src/db/database.ts'
import { bind, type RouteBinding } from '#src/http/call.ts'
import { instantsOfDays } from '#src/http/day-range.ts'
import { listReply, pagingOf } from '#src/http/page.ts'
import { bindDownload, type DownloadBinding } from '#src/http/serve-downloads.ts'
import { isRefusal, refuse } from '#src/refusal/refusal.ts'
import { betCsv } from './bet-csv.ts'
import { type BetStatus, historyOf, totalsOf } from './bet-store.ts'
import { betRecord, feedMessageOfPlayer, STATUS_ON_WIRE } from './bet-wire.ts'
import type { PlaceBet } from './place-bet.ts'
import { type ReceiptLog, readReceipt } from './receipt.ts'

export function betRoutes(
  deps: ReceiptLog & {
    db: Database
    placeBet: PlaceBet
    timeZone: string
    now: () => number
  },
): RouteBinding[] {
  return [
    bind(
      playOrder,
      async ({ caller, input, idempotencyKey, extras }) => {
        const placed = await deps.placeBet({
          playerId: caller.playerId,
          gameId: input.game_id,
          roomId: input.plan_id,
          issue: input.issue,
          ruleIds: input.play_type,
          stake: input.money,
          followId: input.follow_id ?? null,
          rulesVersion: input.rules_version ?? null,
          idempotencyKey,
        })
        if (isRefusal(placed)) return placed
        if (placed.replayed) extras.replayed()
        extras.say('success.order')
        return feedMessageOfPlayer(placed.bet)
      },
      'own_transaction',
    ),

    bind(orderList, async ({ caller, input, extras }) => {
      const span = instantsOfDays(deps.timeZone, deps.now(), input)
      if (isRefusal(span)) return span
      const paging = pagingOf(input)
      const { bets, total } = await historyOf(deps.db, {
        playerId: caller.playerId,
        ...span,
        statuses: statusesOf(input.status),
        limit: paging.limit,
        offset: paging.offset,
      })
      return listReply(bets.map(betRecord), total, { ...paging, extras })
    }),

    bind(orderTotals, async ({ caller, input }) => {
      const span = instantsOfDays(deps.timeZone, deps.now(), input)
      if (isRefusal(span)) return span
      const totals = await totalsOf(deps.db, {
        playerId: caller.playerId,
        ...span,
        statuses: statusesOf(input.status),
      })
      const { count, staked, payout, pending, refunded } = totals
      return {
        count: Number(count),
        quantity: formatAmount(staked),
        payout: formatAmount(payout),
        profit: formatAmount(payout - (staked - pending - refunded)),
        pending: formatAmount(pending),
        refunded: formatAmount(refunded),
      }
    }),

    bind(orderInfo, async ({ caller, input }) => {
      const request = { playerId: caller.playerId, orderNo: input.orderNo }
      return (await readReceipt(deps, request)) ?? refuse('not_found')
    }),
  ]
}

export function betDownloads(deps: {
  /** A pool for files only. */
  db: Database
  timeZone: string
  now: () => number
}): DownloadBinding[] {
  const { db, timeZone, now } = deps
  return [
    bindDownload(orderCsv, async ({ caller, input, lang }) => {
      const span = instantsOfDays(timeZone, now(), input)
      if (isRefusal(span)) return span
      const range = { playerId: caller.playerId, ...span, statuses: statusesOf(undefined) }
      return {
        name: `bets-${dayOf(timeZone, span.from)}-${dayOf(timeZone, span.until - 1)}.csv`,
        chunks: betCsv(db, range, { lang, timeZone }),
      }
    }),
  ]
}

/** The states that a wire status stands for; all states if none is given. */
function statusesOf(wireStatus: number | undefined): BetStatus[] {
  return (Object.keys(STATUS_ON_WIRE) as BetStatus[]).filter(
    (status) => wireStatus === undefined || STATUS_ON_WIRE[status] === wireStatus,
  )
}
