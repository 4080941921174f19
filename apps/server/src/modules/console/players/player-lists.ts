/** The lists of one player's data, each kind paged by keyset. */
import type * as wire from '@sum28/contract/staff-players-routes.ts'
import { hasMessage, translate } from '@sum28/i18n/translate.ts'
import type { Queryable } from '#src/db/database.ts'
import { type Ask, type ItemOf, pageOf } from '#src/db/list.ts'
import { spokenFacts } from '#src/modules/inbox/notify.ts'
import { isRefusal } from '#src/refusal/refusal.ts'
import type { RowOf } from '#src/wire-form.ts'

type OfPlayer = Ask<{ q: string }> & { playerId: number }

type Posting = RowOf<ItemOf<typeof wire.playerStatement>, 'amount' | 'cashAfter' | 'heldAfter'>

/** Every posting of the player's accounts. */
export function postingsOf(db: Queryable, ask: OfPlayer) {
  const source = {
    columns: `posting.id, posted_at as at, kind, source, destination, amount, cash_after as "cashAfter",
      held_after as "heldAfter", reference`,
    from: 'ledger.posting',
    // By time: a holder's postings have the same order by id.
    sorts: { at: { sql: 'posting.id', type: 'bigint' } },
    id: { sql: 'posting.id', type: 'bigint' },
  } as const
  return pageOf<Posting>(db, source, ask, { 'holder_id = ?': ask.playerId })
}

type Bet = RowOf<ItemOf<typeof wire.playerBets>, 'stake' | 'total' | 'payout'>

/** @param ask `q`: an order number, which is the bet's game day and its id */
export function betsOf(db: Queryable, ask: OfPlayer) {
  const source = {
    columns: `bet.id, order_no as "orderNo", accepted_at as at, game.name as game, room.title as room,
      bet.issue::text as issue,
      array(select outcome from games.rule where rule.id = any (bet.rule_ids) order by rule.id) as outcomes,
      stake, total, status, payout`,
    from: `bets.bet join games.game on game.id = bet.game_id join games.room on room.id = bet.room_id`,
    id: { sql: 'bet.id', type: 'bigint' },
  } as const
  return pageOf<Bet>(db, source, ask, {
    'bet.player_id = ?': ask.playerId,
    '(bet.id = app.number_in(substr(?::text, 9)) and order_no = ?)': ask.q,
  })
}

type Deposit = RowOf<ItemOf<typeof wire.playerDeposits>, 'amount'>

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
  return pageOf<Deposit>(
    db,
    {
      columns: 'deposit.*',
      // Reads a page of each by its own index; the result is the first page of both together.
      from: (key) => {
        const page = (of: string) =>
          `(select * from (${of}) deposit where ${key.where} ${key.tail})`
        return `(${page(BY_CHAIN)} union all ${page(BY_BANK)}) deposit`
      },
      values: [ask.playerId],
      sorts: { at: { sql: 'deposit.at', type: 'time' } },
      id: { sql: 'deposit.id', type: 'text' },
    },
    ask,
  )
}

type Withdrawal = RowOf<ItemOf<typeof wire.playerWithdrawals>, 'amount'>

export function withdrawalsOf(db: Queryable, ask: OfPlayer) {
  const source = {
    columns: `withdrawal.id, requested_at as "requestedAt", amount, stage as state, shown_number as payee,
      decided_at as "decidedAt", reject_reason as "rejectReason", paid_at as "paidAt"`,
    from: `withdrawals.withdrawal join withdrawals.pay_method on pay_method.id = pay_method_id`,
    id: { sql: 'withdrawal.id', type: 'bigint' },
  } as const
  return pageOf<Withdrawal>(db, source, ask, { 'withdrawal.player_id = ?': ask.playerId })
}

type Invitee = RowOf<ItemOf<typeof wire.playerInvitees>>

export function inviteesOf(db: Queryable, ask: OfPlayer) {
  const source = {
    columns: 'player.id, username, state, created_at as "registeredAt"',
    from: 'accounts.player',
    id: { sql: 'player.id', type: 'bigint' },
  } as const
  return pageOf<Invitee>(db, source, ask, { 'inviter_id = ?': ask.playerId })
}

type Action = RowOf<ItemOf<typeof wire.playerActions>>

/** The audit log's rows about the player himself, his withdrawals, his bank deposits and his held ones. */
export function actionsOn(db: Queryable, ask: OfPlayer) {
  return pageOf<Action>(
    db,
    {
      columns:
        'audit.id::integer, audit.at, member.name as staff, audit.action, audit.subject, audit.details',
      // The latest rows of each subject, by the index of subjects.
      from: (key) => `(
          select 'player:' || $1::integer
          union all select 'withdrawal:' || id from withdrawals.withdrawal where player_id = $1
          union all select 'bank_deposit:' || id from deposits.bank_deposit where player_id = $1
          union all select 'held_deposit:' || id from protection.held_deposit where player_id = $1) about (subject)
        cross join lateral (select * from staff.audit
          where audit.subject = about.subject and ${key.where} ${key.tail}) audit
        left join staff.member on member.id = audit.staff_id`,
      values: [ask.playerId],
      id: { sql: 'audit.id', type: 'bigint' },
    },
    ask,
  )
}

type Message = {
  id: bigint
  at: number
  kind: string
  facts: Record<string, string>
  read: boolean
}

/** The player's messages, in English. */
export async function messagesTo(db: Queryable, ask: OfPlayer) {
  const source = {
    columns: 'message.id, created_at as at, kind, facts, read_at is not null as read',
    from: 'inbox.message',
    id: { sql: 'message.id', type: 'bigint' },
  } as const
  const page = await pageOf<Message>(db, source, ask, { 'message.player_id = ?': ask.playerId })
  if (isRefusal(page)) return page
  const list = page.list.map(({ kind, facts, ...message }) => {
    const [title, text] = [`notice.${kind}.title`, `notice.${kind}.text`]
    const spoken = spokenFacts('en', facts)
    return {
      ...message,
      title: hasMessage(title) ? translate('en', title, spoken) : kind,
      text: hasMessage(text) ? translate('en', text, spoken) : '',
    }
  })
  return { list, next: page.next }
}

type Note = RowOf<ItemOf<typeof wire.playerNotes>>

export function notesOn(db: Queryable, ask: OfPlayer) {
  const source = {
    columns: 'note.id, written_at as at, member.name as by, text',
    from: 'console_players.note join staff.member on member.id = written_by',
    id: { sql: 'note.id', type: 'bigint' },
  } as const
  return pageOf<Note>(db, source, ask, { 'note.player_id = ?': ask.playerId })
}
