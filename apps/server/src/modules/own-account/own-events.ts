/**
 * The own events of players with open streams: how their money stands, and which of their data have changed. One read
 * for all of them, for any number of streams: every second and a half, because a change by another process sends no
 * event, and when a round has changed. The database returns only the players of whom something has changed.
 */
import type { OwnState } from '@sum28/contract/stream.ts'
import type { Amount } from '@sum28/domain/money.ts'
import type { Queryable } from '#src/db/database.ts'
import { wireAssets } from '#src/wire-form.ts'

/** A posting shows within 2 s (RTS 1A). */
const READ_EVERY_MS = 1_500

/** The least time between two reads; streams that open meanwhile are read for together. */
const GATHER_MS = 50

/** Of how many players data are read at once; other work has its turn between two reads. */
const READ_AT_ONCE = 500

/** @param json the event's data, without line breaks */
type SendOwn = (json: string) => void

type Watched = {
  readonly sends: Set<SendOwn>
  /** The marks of what was sent last; empty before it. */
  marks: string
  json: string
}

export type OwnEvents = {
  /** Sends the present state, and each later one; returns the function that ends it. */
  watch(playerId: number, send: SendOwn): () => void
  /** Data of many players may have changed. */
  changed(): void
  stop(): void
}

export function ownEvents(deps: { db: Queryable; onError: (error: unknown) => void }): OwnEvents {
  const watched = new Map<number, Watched>()
  let wanted: 'new' | 'all' | null = null
  let reading = false

  function want(which: 'new' | 'all'): void {
    if (watched.size === 0) return
    if (wanted !== 'all') wanted = which
    if (!reading) void readWhileWanted()
  }

  async function readWhileWanted(): Promise<void> {
    reading = true
    while (wanted) {
      await new Promise((gathered) => setTimeout(gathered, GATHER_MS))
      const which = wanted
      wanted = null
      // A failed read is repeated at the next one.
      await readOwn(which).catch(deps.onError)
    }
    reading = false
  }

  async function readOwn(which: 'new' | 'all'): Promise<void> {
    const players = [...watched].filter(([, { marks }]) => which === 'all' || marks === '')
    for (let from = 0; from < players.length; from += READ_AT_ONCE) {
      const some = players.slice(from, from + READ_AT_ONCE)
      const known = some.map(([playerId, { marks }]) => ({ playerId, marks }))
      for (const { playerId, marks, ...own } of await changedOf(deps.db, known)) {
        const player = watched.get(playerId)
        if (!player) continue
        player.marks = marks
        player.json = JSON.stringify(wireOwn(own))
        for (const send of player.sends) send(player.json)
      }
    }
  }

  const timer = setInterval(() => want('all'), READ_EVERY_MS)

  return {
    watch(playerId, send) {
      const player = watched.get(playerId) ?? { sends: new Set(), marks: '', json: '' }
      watched.set(playerId, player)
      player.sends.add(send)
      if (player.marks === '') want('new')
      else send(player.json)
      return () => {
        player.sends.delete(send)
        if (player.sends.size === 0 && watched.get(playerId) === player) watched.delete(playerId)
      }
    },
    changed: () => want('all'),
    stop() {
      clearInterval(timer)
      watched.clear()
    },
  }
}

type OwnRow = {
  cash: Amount
  held: Amount
  version: bigint
  /** What changes without a posting. */
  settled: string
  seen: string
  protection: string
  message: string
}

function wireOwn({ settled, seen, protection, message, ...balance }: OwnRow): OwnState {
  const money = wireAssets(balance)
  return {
    ...money,
    bets: `${money.version} ${settled}`,
    deposits: `${money.version} ${seen}`,
    withdrawals: money.version,
    protection: `${money.version} ${protection}`,
    messages: message,
  }
}

/**
 * Of how many rows the numbers are summed up in a mark. The greatest alone would not show each new row: they are not
 * committed in the order of their numbers.
 */
const LAST_IDS = 5

/** The present state of those players for whom it differs from the marks; of an account without a wallet none. */
function changedOf(
  db: Queryable,
  players: readonly { playerId: number; marks: string }[],
): Promise<(OwnRow & { playerId: number; marks: string })[]> {
  return db.query(
    `select own.*, marks from (
       select asked.player_id as "playerId", known, balance.cash, balance.held,
         balance.last_posting as version,
         concat_ws(' ', day.day, day.staked) as settled,
         concat_ws(' ', seen.transfers, seen.solid, seen.to_block) as seen,
         concat_ws(' ', change.last_ids, rules.today, player.excluded_until > rules.now, player.under_review,
           player.session_active_at > rules.session_from, player.checked_at) as protection,
         coalesce(message.last_ids, 0)::text as message
       from unnest($1::integer[], $2::text[]) as asked (player_id, known)
         cross join (
           select app.now() as now, app.now() - session_break as session_from,
             (app.now() at time zone time_zone)::date as today
           from protection.house offset 0
         ) rules
         join ledger.balance on balance.holder_id = asked.player_id
         left join protection.player on player.player_id = asked.player_id
         left join lateral (
           select day, staked from bets.player_day where player_id = asked.player_id order by day desc limit 1
         ) day on true
         left join lateral (
           select sum(id) as last_ids from (
             select id from protection.change where player_id = asked.player_id order by id desc limit $3) last
         ) change on true
         left join lateral (
           select sum(id) as last_ids from (
             select id from inbox.message where player_id = asked.player_id order by id desc limit $3) last
         ) message on true
         left join lateral (
           select count(*) as transfers, count(*) filter (where solid) as solid, max(seen_block) as to_block
           from deposits.address join deposits.seen_transfer on to_address = address.address
             left join deposits.watcher_height using (chain)
           where address.player_id = asked.player_id
         ) seen on true
       offset 0
     ) own cross join lateral (select concat_ws('/', version, settled, seen, protection, message) as marks) marked
     where marks <> known`,
    [players.map(({ playerId }) => playerId), players.map(({ marks }) => marks), LAST_IDS],
    { prepared: true },
  )
}
