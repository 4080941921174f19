/** Rounds from opening to settlement, in the contract's form. */
import type { RoundPage, TimelineRound } from '@sum28/contract/staff-timeline-routes.ts'
import type { Queryable } from '#src/db/database.ts'
import { type Ask, pageOf } from '#src/db/list.ts'
import type { ReadLogProof } from '#src/modules/public-log/log-proof.ts'
import { publishedRound, publishedRoundByIssue } from '#src/modules/rounds/published-round.ts'
import { SETTLED_BY } from '#src/modules/rounds/round-store.ts'
import { type Refusal, refuse } from '#src/refusal/refusal.ts'
import { type RowOf, wireOf } from '#src/wire-form.ts'

/** @returns the data of one round, or not_found */
export async function roundPage(
  { db, readLogProof }: { db: Queryable; readLogProof: ReadLogProof },
  round: { gameId: number; issue: string },
): Promise<RoundPage | Refusal> {
  const log = await readLogProof(round)
  const row = await db.first<TimelineRow>(
    `select ${ROUNDS.columns} from ${ROUNDS.from} where round.game_id = $1::integer and round.issue = $2`,
    [round.gameId, round.issue],
  )
  const published = await publishedRoundByIssue(db, round)
  if (!row || !published) return refuse('not_found', { field: 'issue' })
  const rooms = await betsOfRound(db, round)
  return {
    ...timelineReply(row),
    rooms: rooms.map(wireOf),
    proof: publishedRound(published, log),
  }
}

export function timelineReply({
  proposedBy,
  proposedAt,
  note,
  confirmedBy,
  ...round
}: TimelineRow): TimelineRound {
  const proposed = proposedBy !== null && proposedAt !== null && note !== null
  return {
    ...wireOf(round),
    id: `${round.gameId}-${round.issue}`,
    proposal: proposed
      ? { ...wireOf({ by: proposedBy, at: proposedAt, note }), confirmed_by: confirmedBy }
      : null,
  }
}

type TimelineState = TimelineRound['state']

export type TimelineRow = RowOf<Omit<TimelineRound, 'id' | 'proposal'>> & {
  proposedBy: string | null
  proposedAt: number | null
  note: string | null
  confirmedBy: string | null
}

const ROUNDS = {
  columns: `round.game_id as "gameId", game.name as game, round.issue::text, round.state,
    opens_at as "opensAt", seals_at as "sealsAt", draws_at as "drawsAt", sealed_at as "bookClosedAt",
    rounds.was_witnessed(round) as witnessed,
    value.stored_at as "valueAt", drawn_at as "drawnAt", settled_at as "settledAt", voided_at as "voidedAt",
    void_reason as "voidReason",
    case when draw.issue is not null then array[digit_1, digit_2, digit_3] end as digits,
    case when round.state <> 'voided' then coalesce(book_size, book.size, 0) end as bets,
    (select name from staff.member where id = proposal.proposed_by) as "proposedBy",
    proposal.proposed_at as "proposedAt", proposal.reason as note,
    (select name from staff.member where id = proposal.confirmed_by) as "confirmedBy"`,
  from: `rounds.round
    join games.game on game.id = round.game_id
    left join rounds.value on value.game_id = round.game_id and value.issue = round.issue
    left join rounds.draw on draw.game_id = round.game_id and draw.issue = round.issue
    left join bets.book on book.game_id = round.game_id and book.issue = round.issue
    left join staff.proposal on proposal.kind = 'void' and proposal.state in ('proposed', 'confirmed')
      and proposal.subject = 'round:' || round.game_id || ':' || round.issue`,
  sorts: { draws_at: { sql: 'round.draws_at', type: 'time' } },
  id: { sql: '(round.issue * 1000 + round.game_id)', type: 'bigint' },
} as const

/** The conditions of the states, each as its index has it. */
const OF_STATE: Record<TimelineState, string> = {
  open: `round.state in ('open', 'sealed', 'drawn') and round.state = 'open'`,
  sealed: `round.state in ('open', 'sealed', 'drawn') and round.state = 'sealed'`,
  drawn: `round.state in ('open', 'sealed', 'drawn') and round.state = 'drawn'`,
  settled: `round.state = 'settled'`,
  voided: `round.state = 'voided'`,
}

/** The condition of rounds that are drawn, settled or refunded late, of which the start page warns. */
export const ROUND_IS_LATE = `settled_at is null and case when round.state in ('drawn', 'voided') then ${SETTLED_BY}
  else draws_at + interval '1 minute' end < app.now()`

/** @param ask `day`: the game day; its rounds end within a day of it in every zone; `q`: a round's number */
export function timelinePage(
  db: Queryable,
  ask: Ask<{ gameId: number; state: TimelineState; day: string; due: 'now'; q: string }>,
) {
  return pageOf<TimelineRow>(db, ROUNDS, ask, {
    'round.game_id = ?::integer': ask.gameId,
    [`round.game_day = ?::date
      and draws_at between ?::date - interval '2 days' and ?::date + interval '3 days'`]: ask.day,
    'round.issue = app.number_in(?) and round.game_id = any (array(select id from games.game))':
      ask.q,
    ...(ask.state && { [OF_STATE[ask.state]]: true }),
    ...(ask.due && { [ROUND_IS_LATE]: true }),
  })
}

type Named = { gameId: number; issue: string }

type RoomBets = RowOf<RoundPage['rooms'][number], 'staked' | 'paid' | 'refunded'>

/** The bets of a round, by room, of players and of robots. Bets are booked on the days around the game day. */
function betsOfRound(db: Queryable, { gameId, issue }: Named): Promise<RoomBets[]> {
  return db.query<RoomBets>(
    `select room.id as "roomId", room.title as room, not accounts.is_person(player) as robots, count(*)::integer as bets,
       sum(bet.total)::bigint as staked, sum(bet.payout)::bigint as paid,
       coalesce(sum(bet.total) filter (where bet.status = 'refunded'), 0)::bigint as refunded,
       (count(*) filter (where bet.status = 'accepted'))::integer as waiting
     from rounds.round
       join bets.bet on bet.game_id = round.game_id and bet.issue = round.issue
         and bet.booked_on between round.game_day - 2 and round.game_day + 2
       join accounts.player on player.id = bet.player_id
       join games.room on room.id = bet.room_id
     where round.game_id = $1::integer and round.issue = $2
     group by 1, 2, 3 order by 1, 3`,
    [gameId, issue],
  )
}
