/** The lists of one player's data, and of all players' bets and deposits, each kind paged by keyset. */
import type * as wire from '@sum28/contract/staff-players-routes.ts'
import { ruleById } from '@sum28/domain/outcomes.ts'
import { hasMessage, translate } from '@sum28/i18n/translate.ts'
import type { Queryable } from '#src/db/database.ts'
import { type Ask, type ItemOf, type Keyset, pageOf } from '#src/db/list.ts'
import { spokenFacts } from '#src/modules/inbox/notify.ts'
import { type PayMethod, shortNumber } from '#src/modules/withdrawals/pay-methods.ts'
import { PAID_AT, SHOWN_STATE } from '#src/modules/withdrawals/withdrawal-store.ts'
import { type RowOf, wireOf } from '#src/wire-form.ts'

type OfPlayer = Ask<{ q: string }> & { playerId: number }

type Posting = RowOf<ItemOf<typeof wire.playerStatement>, 'amount' | 'cashAfter' | 'heldAfter'>

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

type BetRow<R extends typeof wire.playerBets | typeof wire.listBets> = Omit<
  RowOf<ItemOf<R>, 'stake' | 'total' | 'payout'>,
  'outcomes'
> & { ruleIds: number[] }

export function betWire<Row extends BetRow<typeof wire.playerBets>>({ ruleIds, ...bet }: Row) {
  return { ...wireOf(bet), outcomes: ruleIds.map((id) => ruleById(id)?.outcome ?? String(id)) }
}

const BET = `bet.id, order_no as "orderNo", accepted_at as at, game.name as game, room.title as room,
  bet.issue::text as issue,
  rule_ids as "ruleIds", stake, total, status, payout`

/** @param ask `q`: an order number, which is the bet's game day and its id */
export function betsOf(db: Queryable, ask: OfPlayer) {
  const source = {
    columns: BET,
    from: `bets.bet join games.game on game.id = bet.game_id join games.room on room.id = bet.room_id`,
    id: { sql: 'bet.id', type: 'bigint' },
  } as const
  return pageOf<BetRow<typeof wire.playerBets>>(db, source, ask, {
    'bet.player_id = ?': ask.playerId,
    '(bet.id = app.number_in(substr(?::text, 9)) and order_no = ?)': ask.q,
  })
}

/** Which bets or deposits: null for no condition. */
export type Span = { from: Date | null; until: Date | null }
export type Amounts = { amountFrom: bigint | null; amountUntil: bigint | null }

/** With a round, the time in which its bets were accepted. */
const BETS_OF_ROOM = (key: Keyset) => `games.room
    left join rounds.round on round.game_id = room.game_id and round.issue = $3::bigint
    cross join lateral (select * from bets.bet
      where bet.room_id = room.id and ($3::bigint is null or bet.issue = $3)
        and ($3::bigint is null or id >= console_games.first_bet_since(room.id, round.opens_at)
          and id < console_games.first_bet_since(room.id, round.draws_at))
        and ($4::timestamptz is null or accepted_at >= $4 and id >= console_games.first_bet_since(room.id, $4))
        and ($5::timestamptz is null or accepted_at < $5 and id < console_games.first_bet_since(room.id, $5))
        and ($6::bigint is null or total >= $6) and ($7::bigint is null or total <= $7)
        and ${key.where} ${key.tail}) bet
    join games.game on game.id = bet.game_id
    join accounts.player on player.id = bet.player_id`

/**
 * Bets of all players. A page of each room is read by the index of its bets, between the first and the last bet of the
 * time; the result is the first page of all together.
 */
export function betsOfAll(
  db: Queryable,
  ask: Ask<{ gameId: number; roomId: number }> & Span & Amounts & { issue: bigint | null },
) {
  const source = {
    columns: `player_id as "playerId", username, not accounts.is_person(player) as robot, ${BET}`,
    from: BETS_OF_ROOM,
    values: [
      ...[ask.gameId ?? null, ask.roomId ?? null, ask.issue],
      ...[ask.from, ask.until, ask.amountFrom, ask.amountUntil],
    ],
    id: { sql: 'bet.id', type: 'bigint' },
  } as const
  return pageOf<BetRow<typeof wire.listBets>>(db, source, ask, {
    '($1::integer is null or room.game_id = $1)': true,
    '($2::integer is null or room.id = $2)': true,
    '($3::bigint is null or round.issue is not null)': true,
  })
}

const BY_CHAIN = `select 'chain:' || tx_id || ':' || log_index as id, block_at as at, 'chain' as by, transfer.amount,
    0::bigint as taken_back,
    case when protection.is_unresolved(held) then 'held' when held.state = 'refunded' then 'refunded'
      when credited_at is null then 'seen' else 'credited' end as state, tx_id as reference, transfer.player_id
  from deposits.transfer left join protection.held_deposit held
    on held.reference = deposits.reference_of(tx_id, log_index, assignment)`

const BY_BANK = `select 'bank:' || bank.id as id, recorded_at as at, 'bank' as by, bank.amount,
    taken_back,
    case when protection.is_unresolved(held) then 'held' when held.state <> 'released' then held.state
      when taken_back >= bank.amount then 'taken_back' else bank.state end as state,
    bank_reference as reference, bank.player_id
  from deposits.bank_deposit bank
    cross join lateral (select deposits.taken_back('bank:' || bank.id) as taken_back) back
    left join protection.held_deposit held on held.reference = 'bank:' || bank.id`

/** Reads a page of each method by its own index; the result is the first page of both together. */
function depositsBy(methods: readonly string[], condition: string) {
  return (key: Keyset) => {
    const page = (of: string) =>
      `(select * from (${of}) deposit where ${condition} and ${key.where} ${key.tail})`
    return `(${methods.map(page).join(' union all ')}) deposit`
  }
}

const DEPOSITS = {
  sorts: { at: { sql: 'deposit.at', type: 'time' } },
  id: { sql: 'deposit.id', type: 'text' },
} as const

const DEPOSIT =
  'deposit.id, deposit.at, by, amount, taken_back as "takenBack", deposit.state, reference'

type Deposit = RowOf<ItemOf<typeof wire.playerDeposits>, 'amount' | 'takenBack'>

export function depositsOf(db: Queryable, ask: OfPlayer) {
  const from = depositsBy([BY_CHAIN, BY_BANK], 'player_id = $1')
  return pageOf<Deposit>(db, { ...DEPOSITS, columns: DEPOSIT, from, values: [ask.playerId] }, ask)
}

type DepositOfAll = RowOf<ItemOf<typeof wire.listDeposits>, 'amount' | 'takenBack'>

/** Deposits of all players, without transfers that belong to nobody. */
export function depositsOfAll(
  db: Queryable,
  ask: Ask & Span & Amounts & { by?: 'chain' | 'bank' | undefined },
) {
  const methods = { chain: [BY_CHAIN], bank: [BY_BANK] }
  const from = depositsBy(
    ask.by ? methods[ask.by] : [BY_CHAIN, BY_BANK],
    `player_id is not null and ($1::timestamptz is null or at >= $1) and ($2::timestamptz is null or at < $2)
     and ($3::bigint is null or amount >= $3) and ($4::bigint is null or amount <= $4)`,
  )
  const source = {
    ...DEPOSITS,
    columns: `player_id as "playerId", username, ${DEPOSIT}`,
    from: (key: Keyset) => `${from(key)} join accounts.player on player.id = player_id`,
    values: [ask.from, ask.until, ask.amountFrom, ask.amountUntil],
  }
  return pageOf<DepositOfAll>(db, source, ask)
}

type Withdrawal = Pick<PayMethod, 'kind' | 'shownNumber'> &
  Omit<RowOf<ItemOf<typeof wire.playerWithdrawals>, 'amount' | 'paidPart'>, 'payee'>

export function withdrawalsOf(db: Queryable, ask: OfPlayer) {
  const source = {
    columns: `withdrawal.id, requested_at as "requestedAt", amount, paid_part as "paidPart",
      ${SHOWN_STATE} as state, kind, shown_number as "shownNumber", decided_at as "decidedAt",
      reject_reason as "rejectReason", ${PAID_AT} as "paidAt"`,
    from: `withdrawals.withdrawal join withdrawals.pay_method on pay_method.id = pay_method_id`,
    id: { sql: 'withdrawal.id', type: 'bigint' },
  } as const
  return pageOf<Withdrawal>(db, source, ask, { 'withdrawal.player_id = ?': ask.playerId })
}

export function withdrawalWire({ kind, shownNumber, ...withdrawal }: Withdrawal) {
  return { ...wireOf(withdrawal), payee: shortNumber({ kind, shownNumber }) }
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

/** The audit log's rows about the player himself, and about all that gave him money or took it. */
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
          union all select 'held_deposit:' || id from protection.held_deposit where player_id = $1
          union all select 'adjustment:' || id from staff.proposal
            where player_id = $1 and kind in ('bonus', 'credit', 'debit')
          union all select distinct subject from staff.proposal
            where player_id = $1 and kind = 'assignment') about (subject)
        cross join lateral (select * from staff.audit
          -- A transfer may have been proposed for another player before.
          where audit.subject = about.subject and coalesce(details ->> 'player_id', $1::text) = $1::text
            and ${key.where} ${key.tail}) audit
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

export function messagesTo(db: Queryable, ask: OfPlayer) {
  const source = {
    columns: 'message.id, created_at as at, kind, facts, read_at is not null as read',
    from: 'inbox.message',
    id: { sql: 'message.id', type: 'bigint' },
  } as const
  return pageOf<Message>(db, source, ask, { 'message.player_id = ?': ask.playerId })
}

export function messageWire({ kind, facts, ...message }: Message) {
  const [title, text] = [`notice.${kind}.title`, `notice.${kind}.text`]
  const spoken = spokenFacts('en', facts)
  return {
    ...wireOf(message),
    title: hasMessage(title) ? translate('en', title, spoken) : kind,
    text: hasMessage(text) ? translate('en', text, spoken) : '',
  }
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
