/** The lists of one player's data, each kind paged by keyset. */
import type { PlayerState } from '@sum28/contract/staff-players-routes.ts'
import type { WithdrawalState } from '@sum28/contract/withdrawal-states.ts'
import type { Amount } from '@sum28/domain/money.ts'
import type { Queryable } from '#src/db/database.ts'
import {
  type KeyColumn,
  type KeyedRow,
  type Keyset,
  type KeysetRequest,
  keyset,
} from '#src/db/keyset.ts'
import { SHOWN_STATE } from '#src/modules/withdrawals/withdrawal-store.ts'
import { isRefusal, type Refusal } from '#src/refusal/refusal.ts'

export type ListPage<Row> = { list: Row[]; next: string | null }

type OfPlayer = KeysetRequest & { playerId: number; q?: string | undefined }

type List = {
  columns: string
  /** The text of the query from `from` on, with a `where` that has the player as $1. */
  from: string | ((key: Keyset) => string)
  /** The condition of the search, whose text is $2. */
  search?: string
  sorts: Readonly<Record<string, KeyColumn>>
  id: KeyColumn
}

async function pageOf<Row extends object>(
  db: Queryable,
  { playerId, q, ...ask }: OfPlayer,
  { columns, from, search, sorts, id }: List,
): Promise<ListPage<Row> | Refusal> {
  const searches = search !== undefined && q !== undefined
  const key = keyset(ask, { sorts, id, firstValue: searches ? 3 : 2 })
  if (isRefusal(key)) return key
  const tables = typeof from === 'string' ? from : from(key)
  const rows = await db.query<Row & KeyedRow>(
    `select ${columns}, ${key.columns} ${tables} and ${searches ? search : 'true'} and ${key.where} ${key.tail}`,
    [playerId, ...(searches ? [q] : []), ...key.values],
  )
  return key.page(rows)
}

export type PostingRow = {
  id: bigint
  at: number
  kind: string
  source: string
  destination: string
  amount: Amount
  cashAfter: Amount
  heldAfter: Amount
  reference: string
}

/** Every posting of the player's accounts. */
export function postingsOf(db: Queryable, ask: OfPlayer) {
  return pageOf<PostingRow>(db, ask, {
    columns: `posting.id, posted_at as at, kind, source, destination, amount, cash_after as "cashAfter",
      held_after as "heldAfter", reference`,
    from: 'from ledger.posting where holder_id = $1',
    sorts: { at: { sql: 'posting.posted_at', type: 'time' } },
    id: { sql: 'posting.id', type: 'bigint' },
  })
}

export type BetRow = {
  id: bigint
  orderNo: string
  at: number
  game: string
  room: string
  issue: bigint | string
  outcomes: string[]
  stake: Amount
  total: Amount
  status: 'accepted' | 'won' | 'lost' | 'refunded'
  payout: Amount
}

/** @param ask `q`: an order number, which is the bet's game day and its id */
export function betsOf(db: Queryable, ask: OfPlayer) {
  const id: KeyColumn = { sql: 'bet.id', type: 'bigint' }
  return pageOf<BetRow>(db, ask, {
    columns: `bet.id, order_no as "orderNo", accepted_at as at, game.name as game, room.title as room, bet.issue,
      array(select outcome from games.rule where rule.id = any (bet.rule_ids) order by rule.id) as outcomes,
      stake, total, status, payout`,
    from: `from bets.bet join games.game on game.id = bet.game_id join games.room on room.id = bet.room_id
      where bet.player_id = $1`,
    search: '(bet.id = app.number_in(substr($2::text, 9)) and order_no = $2)',
    sorts: { id },
    id,
  })
}

export type DepositRow = {
  id: string
  at: number
  by: 'chain' | 'bank'
  amount: Amount
  state: 'seen' | 'credited' | 'recorded' | 'confirmed' | 'refused' | 'held' | 'returned'
  reference: string
}

const BY_CHAIN = `select 'chain:' || tx_id || ':' || log_index as id, block_at as at, 'chain' as by, transfer.amount,
    case when held.state <> 'released' then held.state when credited_at is null then 'seen'
      else 'credited' end as state, tx_id as reference
  from deposits.transfer left join protection.held_deposit held
    on held.reference = 'usdt:' || tx_id || ':' || log_index
  where transfer.player_id = $1`

const BY_BANK = `select 'bank:' || bank.id as id, recorded_at as at, 'bank' as by, bank.amount,
    case when held.state <> 'released' then held.state else bank.state end as state, bank_reference as reference
  from deposits.bank_deposit bank left join protection.held_deposit held
    on held.reference = 'bank:' || bank.id
  where bank.player_id = $1`

export function depositsOf(db: Queryable, ask: OfPlayer) {
  return pageOf<DepositRow>(db, ask, {
    columns: 'deposit.*',
    // Reads a page of each by its own index; the result is the first page of both together.
    from: (key) => {
      const page = (of: string) => `(select * from (${of}) deposit where ${key.where} ${key.tail})`
      return `from (${page(BY_CHAIN)} union all ${page(BY_BANK)}) deposit where true`
    },
    sorts: { at: { sql: 'deposit.at', type: 'time' } },
    id: { sql: 'deposit.id', type: 'text' },
  })
}

export type WithdrawalRow = {
  id: bigint
  requestedAt: number
  amount: Amount
  state: WithdrawalState
  payee: string
  decidedAt: number | null
  rejectReason: string | null
  paidAt: number | null
}

export function withdrawalsOf(db: Queryable, ask: OfPlayer) {
  const id: KeyColumn = { sql: 'withdrawal.id', type: 'bigint' }
  return pageOf<WithdrawalRow>(db, ask, {
    columns: `withdrawal.id, requested_at as "requestedAt", amount, ${SHOWN_STATE} as state, shown_number as payee,
      decided_at as "decidedAt", reject_reason as "rejectReason", paid_at as "paidAt"`,
    from: `from withdrawals.withdrawal join withdrawals.pay_method on pay_method.id = pay_method_id
      where withdrawal.player_id = $1`,
    sorts: { id },
    id,
  })
}

export type InviteeRow = {
  id: number
  username: string
  state: PlayerState
  registeredAt: number
}

export function inviteesOf(db: Queryable, ask: OfPlayer) {
  const id: KeyColumn = { sql: 'player.id', type: 'bigint' }
  return pageOf<InviteeRow>(db, ask, {
    columns: 'player.id, username, state, created_at as "registeredAt"',
    from: 'from accounts.player where inviter_id = $1',
    sorts: { id },
    id,
  })
}

export type ActionRow = {
  id: number
  at: number
  staff: string | null
  action: string
  subject: string
  details: Record<string, unknown>
}

/** The audit log's rows about the player himself, his withdrawals, his bank deposits and his held ones. */
export function actionsOn(db: Queryable, ask: OfPlayer) {
  const id: KeyColumn = { sql: 'audit.id', type: 'bigint' }
  return pageOf<ActionRow>(db, ask, {
    columns:
      'audit.id::integer, audit.at, member.name as staff, audit.action, audit.subject, audit.details',
    // The latest rows of each subject, by the index of subjects.
    from: (key) => `from (
        select 'player:' || $1::integer
        union all select 'withdrawal:' || id from withdrawals.withdrawal where player_id = $1
        union all select 'bank_deposit:' || id from deposits.bank_deposit where player_id = $1
        union all select 'held_deposit:' || id from protection.held_deposit where player_id = $1) about (subject)
      cross join lateral (select * from staff.audit
        where audit.subject = about.subject and ${key.where} ${key.tail}) audit
      left join staff.member on member.id = audit.staff_id where true`,
    sorts: { id },
    id,
  })
}

export type NoteRow = { id: bigint; at: number; by: string; text: string }

export function notesOn(db: Queryable, ask: OfPlayer) {
  const id: KeyColumn = { sql: 'note.id', type: 'bigint' }
  return pageOf<NoteRow>(db, ask, {
    columns: 'note.id, written_at as at, member.name as by, text',
    from: `from console_players.note join staff.member on member.id = written_by
      where note.player_id = $1`,
    sorts: { id },
    id,
  })
}
