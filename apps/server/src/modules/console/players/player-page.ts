import type { ReplyOf } from '@sum28/contract/route.ts'
import {
  LINKED_MAX,
  type LINKS,
  type PlayerPage,
  type PlayerState,
  type playerLinks,
} from '@sum28/contract/staff-players-routes.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import type { Database } from '#src/db/database.ts'
import {
  type LimitNow,
  limitsNow,
  type ProtectionNow,
  protectionNow,
} from '#src/modules/protection/protection-store.ts'
import { shortNumber } from '#src/modules/withdrawals/pay-methods.ts'
import { type Refusal, refuse } from '#src/refusal/refusal.ts'
import { type RowOf, unixSeconds, unixSecondsOrNull, wireOf } from '#src/wire-form.ts'

type Profile = {
  id: number
  username: string
  email: string | null
  groupId: number
  state: PlayerState
  lang: string
  registeredAt: number
  sensitiveChangedAt: number | null
  invitedBy: PlayerPage['invited_by']
  depositAddress: string | null
  passwordRequiredAt: number | null
  codeIsSet: boolean
  codeLockedUntil: number | null
  passkeys: number
  factorSince: number | null
  hasApp: boolean
  codesLeft: number
  freezeReason: string | null
  frozenBy: string | null
  frozenAt: number | null
  noAdvertising: boolean
}

/** In micro-units. */
type Figures = RowOf<PlayerPage['figures'], keyof PlayerPage['figures']>

type ShownPayMethod = RowOf<PlayerPage['pay_methods'][number]>

type SessionSeen = RowOf<PlayerPage['sessions'][number]>

const SESSIONS_SHOWN = 20
const DEVICES_SHOWN = 50

/**
 * One player as staff see him. It contains no password, code or whole card number.
 *
 * @returns the page, or not_found if no person has the number
 */
export async function playerPage(db: Database, playerId: number): Promise<PlayerPage | Refusal> {
  const profile = await db.first<Profile>(
    `select player.id, player.username, player.email, player.group_id as "groupId", player.state, player.lang,
       player.created_at as "registeredAt", player.sensitive_changed_at as "sensitiveChangedAt",
       case when inviter.id is not null
         then jsonb_build_object('id', inviter.id, 'username', inviter.username) end as "invitedBy",
       address.address as "depositAddress",
       player.password_required_at as "passwordRequiredAt", security_code.player_id is not null as "codeIsSet",
       case when security_code.locked_until > app.now() then security_code.locked_until end as "codeLockedUntil",
       (select count(*)::integer from accounts.passkey where player_id = player.id) as passkeys,
       factor.on_since as "factorSince", factor.totp_key_id is not null as "hasApp",
       (select count(*)::integer from accounts.recovery_code code
        where code.player_id = player.id and code.used_at is null) as "codesLeft",
       freezing.reason as "freezeReason", member.name as "frozenBy", freezing.frozen_at as "frozenAt",
       protection.hears_no_advertising(player.id) as "noAdvertising"
     from accounts.player
       left join accounts.player inviter on inviter.id = player.inviter_id
       left join deposits.address on address.player_id = player.id
       left join accounts.security_code on security_code.player_id = player.id
       left join accounts.second_factor factor on factor.player_id = player.id
       left join accounts.freezing on freezing.player_id = player.id and freezing.lifted_at is null
       left join staff.member on member.id = freezing.frozen_by
     where player.id = $1 and accounts.is_person(player)`,
    [playerId],
  )
  const figures = await db.first<Omit<Figures, 'net'>>(
    `select cash, held, coalesce(staked, 0)::bigint as staked, coalesce(paid, 0)::bigint as paid,
       (select coalesce(sum(case kind when 'deposit_taken_back' then -amount else amount end), 0)::bigint
        from ledger.posting
        where posting.holder_id = $1 and kind in ('deposit', 'deposit_released', 'deposit_taken_back')) as deposited,
       (select coalesce(sum(case kind when 'withdrawal_paid' then amount else -amount end), 0)::bigint
        from ledger.posting
        where posting.holder_id = $1 and kind in ('withdrawal_paid', 'withdrawal_reversed')) as withdrawn
     from ledger.balance cross join lateral (
       select sum(staked) as staked, sum(paid) as paid from bets.player_day where player_id = $1
     ) played
     where balance.holder_id = $1`,
    [playerId],
  )
  const protection = await protectionNow(db, playerId)
  if (!profile || !figures || !protection) {
    return refuse('not_found', { field: 'user_id' })
  }
  const limits = await limitsNow(db, playerId)
  const payMethods = await db.query<ShownPayMethod>(
    `select id, kind, shown_number as number, label, bank_name as "bankName", created_at as "createdAt",
       coalesce(created_at > (select closed_at from accounts.player where player.id = $1), false) as "byStaff"
     from withdrawals.pay_method where player_id = $1 and replaced_at is null order by kind`,
    [playerId],
  )
  const sessions = await db.query<SessionSeen>(
    `select created_at as "createdAt", seen_at as "seenAt", ended_at as "endedAt", ended_by as "endedBy",
       network, device
     from accounts.session where player_id = $1 order by created_at desc limit $2`,
    [playerId, SESSIONS_SHOWN],
  )
  // Those that can sign in automatically now.
  const devices = await db.query<{ createdAt: number; expiresAt: number }>(
    `select created_at as "createdAt", expires_at as "expiresAt" from accounts.remembered_device
     where player_id = $1 and used_at is null and ended_at is null and expires_at > app.now()
     order by created_at desc limit $2`,
    [playerId, DEVICES_SHOWN],
  )
  return {
    ...profileReply(profile),
    figures: { ...wireOf(figures), net: formatAmount(figures.paid - figures.staked) },
    limits: limits.map(limitReply),
    exclusion: exclusionReply(protection),
    no_advertising: profile.noAdvertising,
    pay_methods: payMethods.map(({ number, ...method }) =>
      wireOf({ ...method, number: shortNumber({ kind: method.kind, shownNumber: number }) }),
    ),
    sessions: sessions.map(wireOf),
    devices: devices.map(wireOf),
  }
}

/** Another account with a mark of the player's; or how many of his devices or networks too many others have. */
type Link = {
  by: (typeof LINKS)[number]
  otherId: number | null
  username: string | null
  state: PlayerState | null
  at: number | null
  crowded: number | null
}

/** The accounts that share a card, a wallet, a device or a network with a player. */
export async function linksOf(
  db: Database,
  playerId: number,
): Promise<ReplyOf<typeof playerLinks>> {
  const links = await db.query<Link>(
    `select by, other_id as "otherId", username, state, at, crowded
     from protection.linked_with($1, $2)`,
    [playerId, LINKED_MAX],
  )
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
  codeIsSet,
  codeLockedUntil,
  factorSince,
  hasApp,
  codesLeft,
  freezeReason,
  frozenBy,
  frozenAt,
  ...profile
}: Profile) {
  return {
    ...wireOf(profile),
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
