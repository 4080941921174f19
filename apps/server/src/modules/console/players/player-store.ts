/** The SQL of one player's page. */
import {
  LINKED_MAX,
  type LINKS,
  type PlayerPage,
  type PlayerState,
} from '@sum28/contract/staff-players-routes.ts'
import type { Queryable } from '#src/db/database.ts'
import type { RowOf } from '#src/wire-form.ts'

export type Profile = {
  id: number
  username: string
  email: string | null
  groupId: number
  state: PlayerState
  lang: string
  registeredAt: number
  sensitiveChangedAt: number | null
  inviterId: number | null
  inviterName: string | null
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
}

/** A person's profile; undefined if no account has the number, or a robot has it. */
export function profileOf(db: Queryable, playerId: number): Promise<Profile | undefined> {
  return db.first<Profile>(
    `select player.id, player.username, player.email, player.group_id as "groupId", player.state, player.lang,
       player.created_at as "registeredAt", player.sensitive_changed_at as "sensitiveChangedAt",
       inviter.id as "inviterId", inviter.username as "inviterName", address.address as "depositAddress",
       player.password_required_at as "passwordRequiredAt", security_code.player_id is not null as "codeIsSet",
       case when security_code.locked_until > app.now() then security_code.locked_until end as "codeLockedUntil",
       (select count(*)::integer from accounts.passkey where player_id = player.id) as passkeys,
       factor.on_since as "factorSince", factor.totp_key_id is not null as "hasApp",
       (select count(*)::integer from accounts.recovery_code code
        where code.player_id = player.id and code.used_at is null) as "codesLeft",
       freezing.reason as "freezeReason", member.name as "frozenBy", freezing.frozen_at as "frozenAt"
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
}

type Figures = Omit<PlayerPage['figures'], 'net'>

/** In micro-units. */
type PlayerFigures = RowOf<Figures, keyof Figures>

export function figuresOf(db: Queryable, playerId: number): Promise<PlayerFigures | undefined> {
  return db.first<PlayerFigures>(
    `select cash, held, coalesce(staked, 0)::bigint as staked, coalesce(paid, 0)::bigint as paid,
       (select coalesce(sum(amount), 0)::bigint from ledger.posting
        where posting.holder_id = $1 and kind in ('deposit', 'deposit_released')) as deposited,
       (select coalesce(sum(case kind when 'withdrawal_paid' then amount else -amount end), 0)::bigint
        from ledger.posting
        where posting.holder_id = $1 and kind in ('withdrawal_paid', 'withdrawal_reversed')) as withdrawn
     from ledger.balance cross join lateral (
       select sum(staked) as staked, sum(paid) as paid from bets.player_day where player_id = $1
     ) played
     where balance.holder_id = $1`,
    [playerId],
  )
}

type ShownPayMethod = RowOf<PlayerPage['pay_methods'][number]>

/** The present pay methods, as far as they may be shown. */
export function payMethodsShown(db: Queryable, playerId: number): Promise<ShownPayMethod[]> {
  return db.query<ShownPayMethod>(
    `select id, kind, shown_number as number, label, bank_name as "bankName", created_at as "createdAt"
     from withdrawals.pay_method where player_id = $1 and replaced_at is null order by kind`,
    [playerId],
  )
}

type SessionSeen = RowOf<PlayerPage['sessions'][number]>

export function sessionsOf(db: Queryable, playerId: number, limit = 20): Promise<SessionSeen[]> {
  return db.query<SessionSeen>(
    `select created_at as "createdAt", seen_at as "seenAt", ended_at as "endedAt", ended_by as "endedBy",
       network, device
     from accounts.session where player_id = $1 order by created_at desc limit $2`,
    [playerId, limit],
  )
}

/** The devices that can sign in automatically now. */
export function devicesOf(
  db: Queryable,
  playerId: number,
  limit = 50,
): Promise<{ createdAt: number; expiresAt: number }[]> {
  return db.query(
    `select created_at as "createdAt", expires_at as "expiresAt" from accounts.remembered_device
     where player_id = $1 and used_at is null and ended_at is null and expires_at > app.now()
     order by created_at desc limit $2`,
    [playerId, limit],
  )
}

/** Another account with a mark of the player's; or how many of his marks too many others have. */
type Link = {
  by: (typeof LINKS)[number]
  otherId: number | null
  username: string | null
  state: PlayerState | null
  at: number | null
  crowded: number | null
}

export function linksOf(db: Queryable, playerId: number): Promise<Link[]> {
  return db.query<Link>(
    `select by, other_id as "otherId", username, state, at, crowded
     from console_players.linked_with($1, $2)`,
    [playerId, LINKED_MAX],
  )
}
