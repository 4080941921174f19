import type { ReplyOf } from '@sum28/contract/route.ts'
import type { PlayerPage, playerLinks } from '@sum28/contract/staff-players-routes.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import type { Database } from '#src/db/database.ts'
import {
  type LimitNow,
  limitsNow,
  type ProtectionNow,
  protectionNow,
} from '#src/modules/protection/protection-store.ts'
import { type Refusal, refuse } from '#src/refusal/refusal.ts'
import { unixSeconds, unixSecondsOrNull, wireOf } from '#src/wire-form.ts'
import * as store from './player-store.ts'

/**
 * One player as staff see him. It contains no password, code or whole card number.
 *
 * @returns the page, or not_found if no person has the number
 */
export async function playerPage(db: Database, playerId: number): Promise<PlayerPage | Refusal> {
  const profile = await store.profileOf(db, playerId)
  const figures = await store.figuresOf(db, playerId)
  const protection = await protectionNow(db, playerId)
  if (!profile || !figures || !protection) {
    return refuse('not_found', { field: 'user_id' })
  }
  const limits = await limitsNow(db, playerId)
  const payMethods = await store.payMethodsShown(db, playerId)
  const sessions = await store.sessionsOf(db, playerId)
  const devices = await store.devicesOf(db, playerId)
  return {
    ...profileReply(profile),
    figures: { ...wireOf(figures), net: formatAmount(figures.paid - figures.staked) },
    limits: limits.map(limitReply),
    exclusion: exclusionReply(protection),
    pay_methods: payMethods.map(wireOf),
    sessions: sessions.map(wireOf),
    devices: devices.map(wireOf),
  }
}

/** The accounts that share a card, a wallet, a device or a network with a player. */
export async function linksOf(
  db: Database,
  playerId: number,
): Promise<ReplyOf<typeof playerLinks>> {
  const links = await store.linksOf(db, playerId)
  return {
    list: links.flatMap(({ by, otherId, username, state, at }) =>
      otherId === null || username === null || state === null || at === null
        ? []
        : [{ by, user_id: otherId, username, state, at: unixSeconds(at) }],
    ),
    crowded: links.flatMap(({ by, crowded }) => (crowded === null ? [] : [{ by, count: crowded }])),
  }
}

function profileReply({
  inviterId,
  inviterName,
  codeIsSet,
  codeLockedUntil,
  factorSince,
  hasApp,
  codesLeft,
  freezeReason,
  frozenBy,
  frozenAt,
  ...profile
}: store.Profile) {
  return {
    ...wireOf(profile),
    invited_by:
      inviterId === null || inviterName === null ? null : { id: inviterId, username: inviterName },
    security_code: { is_set: codeIsSet, locked_until: unixSecondsOrNull(codeLockedUntil) },
    second_factor:
      factorSince === null
        ? null
        : { since: unixSeconds(factorSince), app: hasApp, recovery_codes: codesLeft },
    freeze:
      freezeReason === null || frozenBy === null || frozenAt === null
        ? null
        : { reason: freezeReason, by: frozenBy, at: unixSeconds(frozenAt) },
  }
}

function limitReply({ kind, period, ownAmount, amount, source, used }: LimitNow) {
  const { quantity, ...shown } = wireOf({ kind, period, own: ownAmount, amount, by: source, used })
  return { ...shown, amount: quantity }
}

function exclusionReply({ excludedBy, excludedUntil, mayAskFrom }: ProtectionNow) {
  if (excludedBy === null) return null
  return {
    kind: excludedBy,
    until: unixSecondsOrNull(excludedUntil),
    may_ask_from: unixSecondsOrNull(mayAskFrom),
  }
}
