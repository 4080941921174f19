/** The final content of the database, to compare it with the replies that players got. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '@sum28/server/src/db/database.ts'
import { rowsAgainst } from '@sum28/server/src/modules/ledger/check-books.ts'
import { RULES } from '@sum28/server/src/modules/ledger/rules-of-the-books.ts'
import type { Call, DatabaseState, Posting, StoredBet, StoredKey } from './history.ts'
import { until } from './parts.ts'
import type { Player } from './players.ts'

/** Reads the orders, keys and cash of players. */
export async function readDatabaseState(
  owner: Database,
  players: readonly Player[],
): Promise<DatabaseState> {
  const ids = [players.map(({ id }) => id)]
  const [bets, keys, postings] = await Promise.all([
    owner.query<StoredBet>(
      `select id::float8 as id, player_id as player, accepted_at as at, cash_after as "cashAfter"
       from bets.bet where player_id = any ($1)`,
      ids,
    ),
    owner.query<StoredKey>(
      `select player_id as player, client_key as key, id::float8 as "betId"
       from bets.bet where player_id = any ($1)`,
      ids,
    ),
    owner.query<Posting>(
      `select holder_id as player, posted_at as at, cash_after as "cashAfter",
         case kind when 'stake' then (substring(reference from '^bet:(\\d+)$'))::float8 end as "betId"
       from ledger.posting where holder_id = any ($1) order by holder_id, id`,
      ids,
    ),
  ])
  return { bets, keys, postings }
}

/** The players' first money came neither by the chain nor by a bank. */
const NOT_ASKED = 'each deposit came by the chain or by the bank'

/** The rules of the books that are broken, by name. */
export async function brokenRules(owner: Database): Promise<string[]> {
  const broken: string[] = []
  for (const rule of RULES) {
    if (rule.name !== NOT_ASKED && (await rowsAgainst(owner, rule)).length > 0)
      broken.push(rule.name)
  }
  return broken
}

export type HeldRound = {
  gameId: number
  issue: string
  opensAt: number
  sealsAt: number
  drawsAt: number
  voidsAt: number
  state: string
  /** Null if it is not drawn, or was voided. */
  drawnAt: number | null
  voidReason: string | null
}

/** The rounds that began before an instant, in the order of their ends, after each has ended. */
export function endedRounds(owner: Database, before: number): Promise<HeldRound[]> {
  return until('every round that was played is settled', async () => {
    const rounds = (await readRounds(owner)).filter(({ opensAt }) => opensAt < before)
    return rounds.every(({ state }) => state === 'settled' || state === 'voided') && rounds
  })
}

function readRounds(owner: Database): Promise<HeldRound[]> {
  return owner.query<HeldRound>(
    `select round.game_id as "gameId", round.issue::text, opens_at as "opensAt", seals_at as "sealsAt",
       draws_at as "drawsAt", voids_at as "voidsAt", state, void_reason as "voidReason", drawn_at as "drawnAt"
     from rounds.round left join rounds.draw using (game_id, issue) order by draws_at, game_id`,
  )
}

/** Writes down what was judged, into `history.json` of a folder. */
export function keepHistory(
  folder: string,
  history: { calls: readonly Call[]; state: DatabaseState },
): void {
  mkdirSync(folder, { recursive: true })
  const text = JSON.stringify(history, (_name, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  writeFileSync(join(folder, 'history.json'), text)
}
