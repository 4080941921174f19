/**
 * The SQL of the reports. Bets come from the stored totals of finished rounds, deposits and withdrawals from those
 * few postings of the journal that are neither stakes nor payouts.
 */
import {
  type ACTIVITY_BY,
  type ActivityRow as Activity,
  DORMANT_AFTER_DAYS,
  type ReportRow as Item,
  type ReportBy,
} from '@sum28/contract/staff-reports-routes.ts'
import type { Database, Queryable } from '#src/db/database.ts'
import { type KeyColumn, type KeysetRequest, pageOf } from '#src/db/list.ts'
import { readSnapshot } from '#src/db/read-snapshot.ts'
import type { RowOf } from '#src/wire-form.ts'

export type ReportRequest = {
  readonly by: ReportBy
  readonly robots: boolean
  /** Game days, or calendar days of players' activity, both inclusive. */
  readonly beginDay: string
  readonly endDay: string
  /** The start of the first and the end of the last calendar day of the zone, in milliseconds. */
  readonly from: number
  readonly until: number
  readonly zone: string
  readonly gameId: number | null
  readonly roomId: number | null
  readonly playerId: number | null
}

type Figure = Exclude<keyof Item, 'id' | 'day' | 'game' | 'room' | 'username'>

export type ReportRow = Omit<RowOf<Item, Figure>, 'bets'> & { bets: bigint }

export type ReportFigures = Pick<ReportRow, Figure>

/** The subject of a row, as a number; `all`: one row for everything. */
type Grouping = ReportBy | 'all'

const FIGURE_KEY: Record<Grouping, string> = {
  day: `game_day - date '1970-01-01'`,
  game: 'game_id',
  room: 'room_id',
  player: 'player_id',
  all: '0',
}

const MONEY_KEY: Record<Grouping, string> = {
  day: `(posted_at at time zone $9)::date - date '1970-01-01'`,
  game: '0',
  room: '0',
  player: 'player_id',
  all: '0',
}

const NAMES: Record<ReportBy, Partial<Record<'day' | 'game' | 'room' | 'username', string>>> = {
  day: { day: `to_char(date '1970-01-01' + id::integer, 'YYYY-MM-DD')` },
  game: { game: '(select name from games.game where game.id = report.id)' },
  room: {
    game: `(select name from games.room join games.game on game.id = room.game_id
      where room.id = report.id)`,
    room: '(select title from games.room where room.id = report.id)',
  },
  player: { username: '(select username from accounts.player where player.id = report.id)' },
}

/** A report as a table expression with nine values. */
function reportOf(ask: ReportRequest, grouping: Grouping): { text: string; values: unknown[] } {
  const ofPlayers = grouping === 'player' || ask.playerId !== null
  const ofRooms = grouping === 'room' || ask.roomId !== null
  const hasMoney =
    (grouping === 'day' || grouping === 'player' || grouping === 'all') &&
    ask.gameId === null &&
    ask.roomId === null &&
    !ask.robots
  const source = ofPlayers
    ? `select figure.*, room.game_id, null::numeric as variance
       from console_start.player_figure figure join games.room on room.id = figure.room_id
       where ($5::integer is null or room_id = $5) and ($6::integer is null or player_id = $6)`
    : `select figure.* from console_start.day_figure figure
       where ${ofRooms ? 'room_id > 0 and ($5::integer is null or room_id = $5)' : 'room_id = 0 and $5::integer is null'}
         and $6::integer is null`
  const text = `(
    with figure as (
      select ${FIGURE_KEY[grouping]} as key, sum(bets) as bets, sum(staked) as staked, sum(paid) as paid,
        sum(expected) as expected, sum(variance) as variance
      from (${source}) source
      where game_day between $1::date and $2::date and robots = $3::boolean
        and ($4::integer is null or game_id = $4)
      group by 1
    ), money as (
      select key, sum(deposited) as deposited, sum(withdrawn) as withdrawn, sum(adjusted) as adjusted
      from (
        select ${MONEY_KEY[grouping]} as key, moved.*
        from console_start.money_moved moved
        where ${hasMoney} and posted_at >= $7::timestamptz and posted_at < $8::timestamptz
          and $9::text is not null and ${ask.playerId === null ? '$6::integer is null' : 'player_id = $6::integer'}
        -- The planner does not look through this, or would expect a day for each instant and sort them all.
        offset 0
      ) moved
      group by key
    )
    select key::bigint as id, coalesce(bets, 0)::bigint as bets,
      coalesce(staked, 0)::bigint as turnover, coalesce(paid, 0)::bigint as payouts,
      (coalesce(staked, 0) - coalesce(paid, 0))::bigint as result,
      -- In millionths, to sort by; first or last where nothing was staked.
      case when staked > 0 then trunc(paid * 1000000 / staked) else -1 end::bigint as return,
      round(coalesce(expected, 0))::bigint as expected,
      ${ofPlayers ? 'null::bigint' : 'round(sqrt(coalesce(variance, 0)))::bigint'} as deviation,
      ${hasMoney ? 'coalesce(deposited, 0)::bigint' : 'null::bigint'} as deposits,
      ${hasMoney ? 'coalesce(withdrawn, 0)::bigint' : 'null::bigint'} as withdrawals,
      ${hasMoney ? 'coalesce(adjusted, 0)::bigint' : 'null::bigint'} as adjustments
    from figure full join money using (key)
  ) report`
  const values = [
    ask.beginDay,
    ask.endDay,
    ask.robots,
    ask.gameId,
    ask.roomId,
    ask.playerId,
    new Date(ask.from),
    new Date(ask.until),
    ask.zone,
  ]
  return { text, values }
}

const SORTED = ['turnover', 'payouts', 'result', 'return', 'deposits', 'withdrawals', 'adjustments']

const FIGURES =
  'bets, turnover, payouts, result, expected, deviation, deposits, withdrawals, adjustments'

const ID = { sql: 'id', type: 'bigint' } as const

const SORTS: Readonly<Record<string, KeyColumn>> = {
  key: ID,
  ...Object.fromEntries(
    SORTED.map((name) => [name, { sql: `coalesce(${name}, 0)`, type: 'bigint' }]),
  ),
}

function namesOf(by: ReportBy): string {
  return (['day', 'game', 'room', 'username'] as const)
    .map((name) => `${NAMES[by][name] ?? 'null::text'} as ${name}`)
    .join(', ')
}

export function reportPage(db: Queryable, ask: ReportRequest, page: KeysetRequest) {
  const { text, values } = reportOf(ask, ask.by)
  const columns = `id, ${namesOf(ask.by)}, ${FIGURES}`
  return pageOf<ReportRow>(db, { columns, from: text, values, sorts: SORTS, id: ID }, page)
}

export function countRows(db: Queryable, ask: ReportRequest): Promise<number> {
  const { text, values } = reportOf(ask, ask.by)
  return db.value(`select count(*)::integer from ${text}`, values)
}

/** The figures of a whole report; undefined if it is empty. */
export function reportSum(db: Queryable, ask: ReportRequest): Promise<ReportFigures | undefined> {
  const { text, values } = reportOf(ask, 'all')
  return db.first<ReportFigures>(`select ${FIGURES} from ${text}`, values)
}

/**
 * All rows of a report, from one snapshot.
 *
 * @param db a pool for files only: each file holds a connection for as long as its reader takes
 * @yields up to 500 rows at a time
 */
export function wholeReport(
  db: Database,
  ask: ReportRequest,
  { sort = 'key', order = 'desc' }: Pick<KeysetRequest, 'sort' | 'order'>,
): AsyncGenerator<ReportRow[]> {
  const column = SORTS[sort]?.sql ?? 'id'
  const { text, values } = reportOf(ask, ask.by)
  return readSnapshot<ReportRow>(db, {
    text: `select id, ${namesOf(ask.by)}, ${FIGURES} from ${text} order by ${column} ${order}, id ${order}`,
    values,
    batch: 500,
    limitMs: 120_000,
  })
}

export type ActivityRequest = Pick<
  ReportRequest,
  'beginDay' | 'endDay' | 'from' | 'until' | 'zone'
> & { readonly by: (typeof ACTIVITY_BY)[number] }

// Each day of play is read once for all periods: it is a player's first one in its period if the one before it is
// earlier, and it ends in dormancy if his next one is not within so many days, when the last of these is over.
const ACTIVITY = `(
  with period as (
    select date_trunc($1::text, day)::date as key, min(day)::date as first_day, max(day)::date as last_day
    from generate_series($2::date::timestamp, $3::date::timestamp, interval '1 day') day group by 1
  ), registered as (
    select date_trunc($1, created_at at time zone $4::text)::date as key, count(*) as players
    from accounts.player
    where kind = 'person' and created_at >= $5::timestamptz and created_at < $6::timestamptz group by 1
  ), day_of_play as (
    select player_id, day, day + ${DORMANT_AFTER_DAYS} as dormant_on,
      lag(day, 1, '-infinity') over days as previous_day, lead(day, 1, 'infinity') over days as next_day
    from bets.player_day where day between $2 - ${DORMANT_AFTER_DAYS} and $3
    window days as (partition by player_id order by day)
  ), played as (
    select day, dormant_on,
      count(*) filter (where previous_day < greatest($2, date_trunc($1, day::timestamp)::date)) as players,
      count(*) filter (where next_day > dormant_on and dormant_on < (app.now() at time zone $4)::date
        and (closed_at is null or (closed_at at time zone $4)::date > dormant_on)) as lapsed
    from day_of_play left join accounts.player on player.id = player_id and closed_at is not null
    group by day, dormant_on
  )
  select period.first_day - date '1970-01-01' as id, first_day, last_day, registered.players as began,
    (select sum(players) from played where day between first_day and last_day) as active,
    (select sum(lapsed) from played where dormant_on between first_day and last_day) as lapsed
  from period left join registered using (key)
) activity`

export function activityPage(db: Queryable, ask: ActivityRequest, page: KeysetRequest) {
  const { by, beginDay, endDay, zone, from, until } = ask
  return pageOf<RowOf<Activity>>(
    db,
    {
      columns: `id, to_char(first_day, 'YYYY-MM-DD') as "firstDay", to_char(last_day, 'YYYY-MM-DD') as "lastDay",
        coalesce(began, 0)::integer as "newPlayers", coalesce(active, 0)::integer as active,
        coalesce(lapsed, 0)::integer as "turnedDormant"`,
      from: ACTIVITY,
      values: [by, beginDay, endDay, zone, new Date(from), new Date(until)],
      id: ID,
    },
    page,
  )
}

export type Choices = {
  games: { id: number; name: string }[]
  rooms: { id: number; game_id: number; name: string }[]
}

export async function reportChoices(db: Queryable): Promise<Choices> {
  return {
    games: await db.query('select id::integer as id, name from games.game order by id'),
    rooms: await db.query(
      `select room.id, game_id::integer as game_id, game.name || ' · ' || title as name
       from games.room join games.game on game.id = game_id order by room.id`,
    ),
  }
}
