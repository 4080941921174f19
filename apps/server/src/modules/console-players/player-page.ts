import type { PlayerPage } from '@sum28/contract/staff-players-routes.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import type { Database } from '#src/db/database.ts'
import { unixSeconds, unixSecondsOrNull } from '#src/formats/unix-seconds.ts'
import {
  type LimitNow,
  limitsNow,
  type StandingNow,
  standingNow,
} from '#src/modules/protection/protection-store.ts'
import { type Refusal, refuse } from '#src/refusal/refusal.ts'
import * as store from './player-store.ts'

/**
 * One player as staff see him. It contains no password, code or whole card number.
 *
 * @returns the page, or not_found if no person has the number
 */
export async function playerPage(db: Database, playerId: number): Promise<PlayerPage | Refusal> {
  const profile = await store.profileOf(db, playerId)
  const figures = await store.figuresOf(db, playerId)
  const standing = await standingNow(db, playerId)
  if (!profile || !figures || !standing) {
    return refuse('not_found', { field: 'user_id' })
  }
  const limits = await limitsNow(db, playerId)
  const payMethods = await store.payMethodsShown(db, playerId)
  const sessions = await store.sessionsOf(db, playerId)
  const devices = await store.devicesOf(db, playerId)
  return {
    ...profileReply(profile),
    figures: figuresReply(figures),
    limits: limits.map(limitReply),
    exclusion: exclusionReply(standing),
    pay_methods: payMethods.map(({ id, kind, shownNumber, label, bankName, createdAt }) => ({
      ...{ id, kind, label },
      number: shownNumber,
      bank_name: bankName,
      created_at: unixSeconds(createdAt),
    })),
    sessions: sessions.map(({ createdAt, seenAt, endedAt, endedBy }) => ({
      created_at: unixSeconds(createdAt),
      seen_at: unixSeconds(seenAt),
      ended_at: unixSecondsOrNull(endedAt),
      ended_by: endedBy,
    })),
    devices: devices.map(({ createdAt, expiresAt }) => ({
      created_at: unixSeconds(createdAt),
      expires_at: unixSeconds(expiresAt),
    })),
  }
}

function profileReply(profile: store.Profile) {
  const { inviterId, inviterName, freezeReason, frozenBy, frozenAt } = profile
  return {
    id: profile.id,
    username: profile.username,
    email: profile.email,
    group_id: profile.groupId,
    state: profile.state,
    lang: profile.lang,
    registered_at: unixSeconds(profile.registeredAt),
    sensitive_changed_at: unixSecondsOrNull(profile.sensitiveChangedAt),
    invited_by:
      inviterId === null || inviterName === null ? null : { id: inviterId, username: inviterName },
    deposit_address: profile.depositAddress,
    password_required_at: unixSecondsOrNull(profile.passwordRequiredAt),
    security_code: {
      is_set: profile.codeIsSet,
      locked_until: unixSecondsOrNull(profile.codeLockedUntil),
    },
    freeze:
      freezeReason === null || frozenBy === null || frozenAt === null
        ? null
        : { reason: freezeReason, by: frozenBy, at: unixSeconds(frozenAt) },
  }
}

function figuresReply({ cash, held, deposited, withdrawn, staked, paid }: store.PlayerFigures) {
  return {
    cash: formatAmount(cash),
    held: formatAmount(held),
    deposited: formatAmount(deposited),
    withdrawn: formatAmount(withdrawn),
    staked: formatAmount(staked),
    paid: formatAmount(paid),
    net: formatAmount(paid - staked),
  }
}

function limitReply({ kind, period, own, amount, source, used }: LimitNow) {
  return {
    kind,
    period,
    own: own === null ? null : formatAmount(own),
    amount: amount === null ? null : formatAmount(amount),
    by: source,
    used: formatAmount(used),
  }
}

function exclusionReply({ excludedBy, excludedUntil, mayAskFrom }: StandingNow) {
  if (excludedBy === null) return null
  return {
    kind: excludedBy,
    until: unixSecondsOrNull(excludedUntil),
    may_ask_from: unixSecondsOrNull(mayAskFrom),
  }
}
