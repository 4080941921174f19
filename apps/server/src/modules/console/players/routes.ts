import * as wire from '@sum28/contract/staff-players-routes.ts'
import * as proposals from '@sum28/contract/staff-proposal-routes.ts'
import { addDays, dayOf, startOfDay } from '@sum28/domain/schedule.ts'
import { LANGUAGES } from '@sum28/i18n/languages.ts'
import { wirePage } from '#src/db/list.ts'
import { bind, bindList, type RouteBinding } from '#src/http/call.ts'
import { isRefusal, malformed } from '#src/refusal/refusal.ts'
import type { Resources } from '#src/resources.ts'
import { wireOf } from '#src/wire-form.ts'
import { addNote, endSessions, keepRest, sendMessage } from './act-on-player.ts'
import * as lists from './player-lists.ts'
import { linksOf, playerPage } from './player-page.ts'
import { playersPage } from './players-store.ts'
import { protectionRoutes } from './protection-routes.ts'
import { type AddressDeps, proposeAddress } from './reset-address.ts'
import { proposeReset, requirePassword } from './reset-code.ts'
import { removeTemplate, saveTemplate, templateRows } from './templates.ts'

/** Days, and the hour by which they may be longer. */
const lengthOf = (days: number) => (days * 24 + 1) * 3_600_000

/** In how many days rows without an index are searched, and the fault of more. */
const MONTH = { lengthMs: lengthOf(31), fault: 'month_range' }
const WEEK_OF_ALL_ROOMS = { lengthMs: lengthOf(7), fault: 'week_range' }

/**
 * The conditions of a list of money by time and amount. Small amounts have no index: those of some days are read for
 * them, or those that another condition leaves.
 */
function filtersOf(
  { timeZone, now }: Pick<Resources, 'timeZone' | 'now'>,
  filters: {
    from_day?: string | undefined
    until_day?: string | undefined
    amount_from?: bigint | undefined
    amount_until?: bigint | undefined
  },
  { areFew = false, searched = MONTH } = {},
) {
  const { from_day: first, until_day: last, amount_from: least, amount_until: most } = filters
  const from = first ? new Date(startOfDay(timeZone, first)) : null
  const until = last ? new Date(startOfDay(timeZone, addDays(last, 1))) : null
  const hasAmount = least !== undefined || most !== undefined
  if (hasAmount && (least ?? 0n) < wire.LARGE_AMOUNT && !areFew) {
    if (!from) return malformed({ from_day: 'required' })
    const end = until?.getTime() ?? startOfDay(timeZone, addDays(dayOf(timeZone, now()), 1))
    if (end - from.getTime() > searched.lengthMs) return malformed({ until_day: searched.fault })
  }
  return { from, until, amountFrom: least ?? null, amountUntil: most ?? null }
}

export function playersRoutes(deps: Resources & AddressDeps): RouteBinding[] {
  const { db, timeZone, now } = deps
  return [
    bindList(db, wire.listPlayers, async (db, input) => {
      const { from_day: fromDay, until_day: untilDay, group_id: groupId, ...ask } = input
      return wirePage(await playersPage(db, timeZone, { ...ask, fromDay, untilDay, groupId }))
    }),
    bind(wire.onePlayer, ({ input }) => playerPage(db, input.user_id)),
    bind(wire.playerLinks, ({ input }) => linksOf(db, input.user_id)),

    bindList(db, wire.playerStatement, async (db, { user_id: playerId, ...ask }) =>
      wirePage(await lists.postingsOf(db, { ...ask, playerId })),
    ),
    bindList(db, wire.playerBets, async (db, { user_id: playerId, ...ask }) =>
      wirePage(await lists.betsOf(db, { ...ask, playerId }), lists.betWire),
    ),
    bindList(db, wire.playerDeposits, async (db, { user_id: playerId, ...ask }) =>
      wirePage(await lists.depositsOf(db, { ...ask, playerId })),
    ),
    bindList(db, wire.listBets, async (db, input) => {
      const { game_id: gameId, room_id: roomId, issue, ...ask } = input
      const filters = filtersOf({ timeZone, now }, input, {
        areFew: issue !== undefined,
        searched: roomId === undefined ? WEEK_OF_ALL_ROOMS : MONTH,
      })
      if (isRefusal(filters)) return filters
      const bets = { ...ask, ...filters, gameId, roomId, issue: issue ? BigInt(issue) : null }
      return wirePage(await lists.betsOfAll(db, bets), lists.betWire)
    }),
    bindList(db, wire.listDeposits, async (db, input) => {
      const filters = filtersOf({ timeZone, now }, input)
      if (isRefusal(filters)) return filters
      return wirePage(await lists.depositsOfAll(db, { ...input, ...filters }))
    }),
    bindList(db, wire.playerWithdrawals, async (db, { user_id: playerId, ...ask }) =>
      wirePage(await lists.withdrawalsOf(db, { ...ask, playerId }), lists.withdrawalWire),
    ),
    bindList(db, wire.playerInvitees, async (db, { user_id: playerId, ...ask }) =>
      wirePage(await lists.inviteesOf(db, { ...ask, playerId })),
    ),
    bindList(db, wire.playerActions, async (db, { user_id: playerId, ...ask }) =>
      wirePage(await lists.actionsOn(db, { ...ask, playerId })),
    ),
    bindList(db, wire.playerNotes, async (db, { user_id: playerId, ...ask }) =>
      wirePage(await lists.notesOn(db, { ...ask, playerId })),
    ),

    bindList(db, wire.playerMessages, async (db, { user_id: playerId, ...ask }) =>
      wirePage(await lists.messagesTo(db, { ...ask, playerId }), lists.messageWire),
    ),

    bind(wire.addNote, ({ input: { user_id: playerId, text }, caller }) =>
      addNote(db, { playerId, text, session: caller.token }),
    ),
    bind(wire.keepRest, ({ caller, input: { user_id: playerId, reason } }) =>
      keepRest(db, { playerId, reason, session: caller.token }),
    ),

    bind(wire.sendMessage, ({ input: { user_id: playerId, ...message }, caller }) =>
      sendMessage(db, { playerId, ...message, session: caller.token }),
    ),
    bind(wire.listTemplates, async () =>
      (await templateRows(db)).map((row) => ({
        ...wireOf(row),
        missing: LANGUAGES.filter((lang) => !row.texts.some((each) => each.lang === lang)),
      })),
    ),
    bind(wire.saveTemplate, ({ input: { id, version, name, ...given }, caller }) =>
      saveTemplate(db, {
        id,
        version,
        name,
        session: caller.token,
        texts: LANGUAGES.flatMap((lang) => {
          const text = given[`text_${lang}`]
          return text ? [{ lang, text }] : []
        }),
      }),
    ),
    bind(wire.removeTemplate, ({ input, caller }) =>
      removeTemplate(db, { ...input, session: caller.token }),
    ),
    bind(wire.endSessions, ({ input: { user_id: playerId, reason }, caller }) =>
      endSessions(db, { playerId, reason, session: caller.token }),
    ),
    ...protectionRoutes({ db, timeZone, now }),
    bind(wire.requirePassword, ({ input: { user_id: playerId, reason }, caller }) =>
      requirePassword(db, { playerId, reason, session: caller.token }),
    ),
    ...(
      [
        [proposals.proposeCodeReset, 'code_reset'],
        [proposals.proposeFactorReset, 'factor_reset'],
      ] as const
    ).map(([route, kind]) =>
      bind(route, ({ input, caller: { token: session, role } }) =>
        proposeReset(db, { kind, playerId: input.user_id, reason: input.reason, session, role }),
      ),
    ),
    bind(proposals.proposeAddressReset, ({ input, caller: { token: session, role } }) => {
      const { user_id: playerId, email, reason } = input
      return proposeAddress(deps, { playerId, email, reason, session, role })
    }),
  ]
}
