/** The heartbeat of a bet room: public data from memory, and each player's own money from one shared read. */
import type { HitNotice } from '@sum28/contract/replies.ts'
import type { StreamEvents, StreamRound } from '@sum28/contract/stream.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import { LRUCache } from 'lru-cache'
import type { Database } from '#src/db/database.ts'
import { readTogether } from '#src/db/shared-reads.ts'
import type { Caller } from '#src/modules/accounts/caller.ts'
import { maskedName } from '#src/modules/accounts/masked-name.ts'
import { feedMessage } from '#src/modules/bets/bet-wire.ts'
import {
  type Hit,
  hitsOf,
  moneyInRooms,
  type RoomMoney,
  type RoomOfPlayer,
  type RoundHits,
  type RoundOfPlayer,
} from '#src/modules/bets/player-rounds-store.ts'
import { type Catalog, gameStatus } from '#src/modules/games/catalog.ts'
import type { Game, Room } from '#src/modules/games/games-store.ts'
import { issueResult } from '#src/modules/rounds/result-wire.ts'
import { type Refusal, refuse } from '#src/refusal.ts'
import type { Board } from './board.ts'
import { wireRound } from './round-wire.ts'

export type HeartDeps = {
  db: Database
  board: Board
  catalog: () => Promise<Catalog>
  now: () => number
}

export type Place = { game: Game; room: Room }

/** A room's round in its public form, and the rounds whose wins are reported. */
export type ShownRound = { round: StreamRound; wonIn: readonly string[] }

export type Heartbeat = ReturnType<typeof heartbeat>

/** How many cached wins of settled rounds, one entry for each player and round. */
const HITS_KEPT = 50_000

const NO_HITS: readonly Hit[] = []

/** Makes the heartbeat; each kind of player data is read for many players at once. */
export function heartbeat({ db, board, catalog, now }: HeartDeps) {
  const readMoney = readTogether<string, RoomMoney>((keys) =>
    readEach(keys, (rooms: RoomOfPlayer[]) => moneyInRooms(db, rooms)),
  )
  const readHits = readTogether<string, RoundHits>((keys) =>
    readEach(keys, (rounds: RoundOfPlayer[]) => hitsOf(db, rounds)),
  )
  /** A player's wins of a settled round do not change any more. */
  const knownHits = new LRUCache<string, readonly Hit[]>({ max: HITS_KEPT })

  /** A player's own winning bets of a round, once all of his bets in it are settled. */
  async function hits(round: RoundOfPlayer): Promise<readonly Hit[]> {
    const key = JSON.stringify(round)
    const known = knownHits.get(key)
    if (known) return known
    const read = await readHits(key)
    if (!read || read.hits.length === 0) {
      if (read?.final) knownHits.set(key, NO_HITS)
      return NO_HITS
    }
    if (read.final) knownHits.set(key, read.hits)
    return read.hits
  }

  /** The present state of a room and its game, such as whether they are stopped. */
  async function find(request: { gameId: number; roomId: number }): Promise<Place | Refusal> {
    const { games, rooms } = await catalog()
    const room = rooms.find(({ id, gameId }) => id === request.roomId && gameId === request.gameId)
    const game = games.find(({ id }) => id === request.gameId)
    return room && game ? { game, room } : refuse('not_found')
  }

  async function shownRound({ game, room }: Place): Promise<ShownRound> {
    const shown = await board.game(game.id)
    const last = shown.results[0]
    return {
      round: {
        game_status: gameStatus(game, { room, open: shown.scheduled !== null }),
        issue: wireRound(shown, now()),
        last_issue: last ? issueResult(last) : null,
      },
      wonIn: shown.results.map(({ issue }) => issue),
    }
  }

  /** A player's balance, and his stakes in the room in a round. */
  async function money(
    { game, room }: Place,
    issue: string,
    { playerId }: Caller,
  ): Promise<StreamEvents['money']> {
    const roomOfPlayer: RoomOfPlayer = {
      playerId,
      gameId: game.id,
      roomId: room.id,
      issue: issue === '' ? null : issue,
    }
    const read = await readMoney(JSON.stringify(roomOfPlayer))
    if (!read) throw new Error(`the money of player ${playerId} was not read`)
    return { money: formatAmount(read.cash), buy: formatAmount(read.bought) }
  }

  /** A player's own winning bets of some rounds, in the order of acceptance. */
  async function wins(
    { game }: Place,
    issues: readonly string[],
    { playerId }: Caller,
  ): Promise<HitNotice[]> {
    const found = await Promise.all(
      issues.map((issue) => hits({ playerId, gameId: game.id, issue })),
    )
    return found
      .flat()
      .sort((a, b) => Number(a.betId - b.betId))
      .map((hit) => ({
        id: Number(hit.betId),
        issue: hit.issue,
        game_name: game.name,
        nickname: maskedName(hit.username),
        profit: formatAmount(hit.profit),
        round_profit: formatAmount(hit.roundProfit),
      }))
  }

  async function beat(
    caller: Caller,
    request: { gameId: number; roomId: number; after: number | null },
  ) {
    const place = await find(request)
    if ('refused' in place) return place
    const [{ round, wonIn }, entries] = await Promise.all([
      shownRound(place),
      board.feed(request.roomId, request.after),
    ])
    const [own, won] = await Promise.all([
      money(place, round.issue.issue, caller),
      wins(place, wonIn, caller),
    ])
    return {
      ...round,
      user_quantity: own,
      hit_notice: won,
      message: entries.map((bet) => feedMessage(bet, caller)),
    }
  }

  return { beat, find, shownRound, money, wins }
}

/** Reads the data for the keys, each a request as JSON; the answers are in the same order. */
async function readEach<Question, Answer>(
  keys: readonly string[],
  read: (questions: Question[]) => Promise<Answer[]>,
): Promise<Map<string, Answer>> {
  const answers = await read(keys.map((key) => JSON.parse(key) as Question))
  return new Map(keys.map((key, place) => [key, answers[place] as Answer]))
}
