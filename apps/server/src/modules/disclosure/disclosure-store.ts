/** What is published of the house's money: SQL for several. */
import type { Amount } from '@sum28/domain/money.ts'
import { gameDayAt, type ScheduleRules } from '@sum28/domain/schedule.ts'
import {
  leafNode,
  nodeOfBytes,
  type OwedProof,
  readOwedLeaf,
  type SumNode,
  sumLevels,
  sumPath,
} from '@sum28/fairness/sum-tree.ts'
import { callFunction, type Database, type Queryable } from '#src/db/database.ts'

/** How many counts are shown: about a quarter of daily ones. */
const COUNTS_SHOWN = 92

export type OwedCountRow = {
  number: number
  countedAt: number
  size: number
  /** In hex. */
  root: string
  owed: Amount
  onChain: Amount
  block: bigint | null
  atBank: Amount | null
}

export function lastCounts(db: Queryable, limit = COUNTS_SHOWN): Promise<OwedCountRow[]> {
  return db.query(
    `select number, counted_at as "countedAt", size, encode(root, 'hex') as root, total as owed,
       on_chain as "onChain", block, at_bank as "atBank"
     from disclosure.owed_count order by number desc limit $1`,
    [limit],
  )
}

export type ReserveAddressRow = {
  id: number
  address: string
  statement: string
  signature: string
  /** At the last count. */
  amount: Amount | null
}

export function listedAddresses(db: Queryable): Promise<ReserveAddressRow[]> {
  return db.query(
    `select id, address, statement, signature, amount
     from deposits.house_address left join disclosure.address_balance on address_id = id
       and number = (select max(number) from disclosure.owed_count)
     where removed_at is null order by id`,
  )
}

/** A tile has the leaves, or nodes, under one node eight levels above. */
const TILE_WIDTH = 256
const TILE_DEPTH = 8

/** All counts of the player are read first: of a new count no statistics know that its leaves are many. */
export const PLACE_OF_PLAYER = `select position
  from (select number, position from disclosure.owed_leaf where player_id = $2 offset 0) leaf where number = $1`

/** That a player is in a count; null if nothing was owed to him, or if its leaves are not kept any more. */
export async function owedProof(
  db: Queryable,
  { number, size }: Pick<OwedCountRow, 'number' | 'size'>,
  playerId: number,
): Promise<OwedProof | null> {
  const place = await db.first<{ position: number }>(PLACE_OF_PLAYER, [number, playerId])
  if (!place) return null
  const index = place.position
  const leaves = await db.column<string>(
    'select text from disclosure.tile_of_leaves($1, $2) text',
    [number, Math.floor(index / TILE_WIDTH)],
  )
  const leaf = leaves[index % TILE_WIDTH]
  // They were deleted between the two questions.
  if (leaf === undefined) return null
  let nodes: SumNode[] = leaves.map((text) => nodeOfText(text))
  let position = index
  const path = sumPath(sumLevels(nodes), position % TILE_WIDTH)
  for (let level = TILE_DEPTH; TILE_WIDTH ** (level / TILE_DEPTH) < size; level += TILE_DEPTH) {
    position = Math.floor(position / TILE_WIDTH)
    nodes = await nodesOf(db, { number, level, tile: Math.floor(position / TILE_WIDTH) })
    if (nodes.length === 0) return null
    path.push(...sumPath(sumLevels(nodes), position % TILE_WIDTH))
  }
  return { leaf, index, path }
}

function nodeOfText(text: string): SumNode {
  const leaf = readOwedLeaf(text)
  if (!leaf) throw new Error('the database made a leaf that is none')
  return leafNode(leaf)
}

async function nodesOf(
  db: Queryable,
  { number, level, tile }: { number: number; level: number; tile: number },
): Promise<SumNode[]> {
  const nodes = await db.column<Buffer>(
    `select node from disclosure.owed_node
     where number = $1 and level = $2 and position between $3 and $3 + 255 order by position`,
    [number, level, tile * TILE_WIDTH],
  )
  return nodes.map((node) => nodeOfBytes(node))
}

export type OutcomeReturnRow = {
  ruleId: number
  rounds: number
  wins: number
  turnover: Amount
  payouts: Amount
  expected: Amount
  deviation: Amount
  chance: number
}

type ReadReturns = (
  of: Pick<ComparedRow, 'gameId' | 'days'>,
) => Promise<{ day: string | null; tests: number; unlikely: number; list: OutcomeReturnRow[] }>

type ComparedRow = OutcomeReturnRow & { gameId: number; days: number }

/**
 * Makes a reader of the last comparison of theory and fact: of one game over some days, and how many there were of all.
 * A day's are read once, all together: each is made of all days of a year.
 */
export function returnsReader(db: Queryable): ReadReturns {
  let latest: { day: string; rows: Promise<ComparedRow[]> } | null = null

  function rowsUntil(day: string): Promise<ComparedRow[]> {
    if (latest?.day === day) return latest.rows
    const reading = {
      day,
      rows: db.query<ComparedRow>(
        `select game_id as "gameId", days, rule_id as "ruleId", rounds, wins, staked as turnover,
           paid as payouts, expected, deviation, chance
         from disclosure.returns_until($1) order by rule_id`,
        [day],
      ),
    }
    latest = reading
    reading.rows.catch(() => {
      if (latest === reading) latest = null
    })
    return reading.rows
  }

  return async ({ gameId, days }) => {
    const report = await db.first<{ day: string; tests: number; unlikely: number }>(
      'select day, tests, unlikely from disclosure.return_report order by day desc limit 1',
    )
    if (!report) return { day: null, tests: 0, unlikely: 0, list: [] }
    const rows = await rowsUntil(report.day)
    const list = rows
      .filter((row) => row.gameId === gameId && row.days === days)
      .map(({ gameId: _game, days: _days, ...row }) => row)
    return { ...report, list }
  }
}

/**
 * Reports each finished game day once, the oldest first, until none is left or the signal stops it.
 *
 * @returns the reported days
 */
export async function reportReturns(
  { db, schedule, now }: { db: Database; schedule: ScheduleRules; now: () => number },
  signal?: AbortSignal,
): Promise<string[]> {
  const reported: string[] = []
  while (!signal?.aborted) {
    const present = gameDayAt(schedule, now())
    const day = await callFunction<string | null>(db, 'disclosure.day_to_report', present)
    if (day === null) break
    await callFunction(db, 'disclosure.report_returns', day)
    reported.push(day)
  }
  return reported
}
