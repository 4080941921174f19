import * as wire from '@sum28/contract/staff-protection-routes.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import { wirePage } from '#src/db/list.ts'
import { bind, bindList, type RouteBinding } from '#src/http/call.ts'
import type { Resources } from '#src/resources.ts'
import { wireOf } from '#src/wire-form.ts'
import { addContact, decideLikeness } from './act-on-player.ts'
import { likenessPage } from './likeness-store.ts'
import { contactsOf, protectionPage, type SignRow, signPage } from './signs-store.ts'

export function protectionRoutes({
  db,
  timeZone,
  now,
}: Pick<Resources, 'db' | 'timeZone' | 'now'>): RouteBinding[] {
  return [
    bindList(db, wire.listLikenesses, async (db, { user_id: playerId, ...ask }) =>
      wirePage(await likenessPage(db, { ...ask, playerId })),
    ),
    bind(wire.releaseLikeness, ({ input: { again, ...input }, caller }) =>
      decideLikeness(db, { ...input, again: !!again, confirms: false, session: caller.token }),
    ),
    bind(wire.confirmLikeness, ({ input: { again, ...input }, caller }) =>
      decideLikeness(db, { ...input, again: !!again, confirms: true, session: caller.token }),
    ),
    bindList(db, wire.listSigns, async (db, { user_id: playerId, ...ask }) =>
      wirePage(await signPage(db, { ...ask, playerId }), signWire),
    ),
    bindList(db, wire.playerContacts, async (db, { user_id: playerId, ...ask }) =>
      wirePage(await contactsOf(db, { ...ask, playerId })),
    ),
    bindList(db, wire.listProtection, async (db, ask) => wirePage(await protectionPage(db, ask))),
    bind(wire.addContact, ({ input: { user_id: playerId, ...contact }, caller }) =>
      addContact({ db, timeZone, now }, { ...contact, playerId, session: caller.token }),
    ),
  ]
}

/** Figures of signs that are amounts of money; the others are words, numbers and texts. */
const MONEY = new Set([
  'deposited',
  'staked',
  'staked_before',
  'lost_before',
  'amount',
  'before',
  'after',
])

function signWire(row: SignRow): wire.ListedSign {
  return {
    ...wireOf(row),
    facts: row.facts.map(({ day, values }) => ({
      day,
      values: Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          name,
          MONEY.has(name) ? formatAmount(BigInt(value)) : value,
        ]),
      ),
    })),
  }
}
