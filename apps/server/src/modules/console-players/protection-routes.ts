import * as wire from '@sum28/contract/staff-protection-routes.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import { unixSeconds, unixSecondsOrNull } from '#src/formats/unix-seconds.ts'
import { bind, type RouteBinding } from '#src/http/binding.ts'
import type { Resources } from '#src/resources.ts'
import { addContact } from './add-contact.ts'
import { decideLikeness } from './decide-likeness.ts'
import { likenessPage } from './likeness-store.ts'
import { listed } from './listed.ts'
import { contactsOf, type SignRow, signPage } from './signs-store.ts'

/** Serves the calls of `staff-protection-routes.ts`. */
export function consoleProtectionRoutes({
  db,
  timeZone,
  now,
}: Pick<Resources, 'db' | 'timeZone' | 'now'>): RouteBinding[] {
  return [
    bind(wire.listLikenesses, async ({ input: { user_id: playerId, ...ask } }) =>
      listed(await likenessPage(db, { ...ask, playerId }), (row) => ({
        id: Number(row.id),
        user_id: row.playerId,
        username: row.username,
        like_user_id: row.likeId,
        like_username: row.likeName,
        like_in: row.likeIn,
        holds: row.holds,
        state: row.state,
        found_at: unixSeconds(row.foundAt),
        decided_by: row.decidedBy,
        decided_at: unixSecondsOrNull(row.decidedAt),
        reason: row.reason,
      })),
    ),
    bind(wire.releaseLikeness, ({ input, caller }) =>
      decideLikeness(db, { ...input, confirms: false, session: caller.token }),
    ),
    bind(wire.confirmLikeness, ({ input, caller }) =>
      decideLikeness(db, { ...input, confirms: true, session: caller.token }),
    ),
    bind(wire.listSigns, async ({ input: { user_id: playerId, ...ask } }) =>
      listed(await signPage(db, { ...ask, playerId }), signWire),
    ),
    bind(wire.playerContacts, async ({ input: { user_id: playerId, ...ask } }) =>
      listed(await contactsOf(db, { ...ask, playerId }), ({ id, writtenAt, ...contact }) => ({
        ...contact,
        id: Number(id),
        written_at: unixSeconds(writtenAt),
      })),
    ),
    bind(wire.addContact, ({ input: { user_id: playerId, ...contact }, caller }) =>
      addContact({ db, timeZone, now }, { ...contact, playerId, session: caller.token }),
    ),
  ]
}

/** Figures of signs that are amounts of money; the others are words, numbers and texts. */
const MONEY = new Set([
  ...['deposited', 'staked', 'staked_before', 'lost_before', 'amount', 'before', 'after'],
])

function signWire(row: SignRow): wire.ListedSign {
  return {
    id: Number(row.id),
    user_id: row.playerId,
    username: row.username,
    kind: row.kind,
    since_day: row.sinceDay,
    until_day: row.untilDay,
    facts: row.facts.map(({ day, values }) => ({
      day,
      values: Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          name,
          MONEY.has(name) ? formatAmount(BigInt(value)) : value,
        ]),
      ),
    })),
    contact_at: unixSecondsOrNull(row.contactAt),
  }
}
