/** The heartbeat of a bet room: public data from memory, and each player's own money from one shared read. */
import type { HitNotice } from '@sum28/contract/replies.ts'
import type { StreamEvents, StreamRound } from '@sum28/contract/stream.ts'
import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import { LRUCache } from 'lru-cache'
import { serializeByKey } from '#src/concurrency/concurrency.ts'
import type { Database } from '#src/db/database.ts'
import { readTogether } from '#src/db/shared-reads.ts'
import type { Caller } from '#src/http/caller.ts'
import { feedMessage } from '#src/modules/bets/bet-wire.ts'
import {
  hitsOf,
  moneyInRooms,
  type RoomMoney,
  type RoomOfPlayer,
  type RoundHits,
  type RoundOfPlayer,
} from '#src/modules/bets/player-rounds-store.ts'
import type { Game, Room } from '#src/modules/games/catalog.ts'
import { type Catalog, gameStatus } from '#src/modules/games/catalog.ts'
import { issueResult } from '#src/modules/rounds/results.ts'
import { type Refusal, refuse } from '#src/refusal/refusal.ts'
import { maskedName, wireBalance } from '#src/wire-form.ts'
import type { Board } from './board.ts'
import { wireRound } from './board.ts'

export type HeartDeps = {
  db: Database
  board: Board
  catalog: () => Promise<Catalog>
  now: () => number
}

export type RoomOfGame = { game: Game; room: Room }

/** A room's round in its public form, and the rounds whose wins are reported. */
export type ShownRound = { round: StreamRound; wonIn: readonly string[] }

export type Heartbeat = ReturnType<typeof heartbeat>

/** How much is cached of settled rounds: an entry for each player and round, and his wins in it. */
const HITS_KEPT = 50_000

/** Of how many players in a room and round the latest balance and stakes are kept. */
const MONEY_KEPT = 50_000

const NO_HITS: RoundHits = { final: true, hits: [] }
const NO_HITS_YET: RoundHits = { final: false, hits: [] }

/** Makes the heartbeat; each kind of player data is read for many players at once. */
export function heartbeat({ db, board, catalog, now }: HeartDeps) {
  const latestMoney = new LRUCache<string, RoomMoney>({ max: MONEY_KEPT })

  /** Of many players; their stakes are added up again only where their balance has changed. */
  async function readRooms(rooms: readonly RoomOfPlayer[]): Promise<RoomMoney[]> {
    const keys = rooms.map(({ playerId, roomId, issue }) => `${playerId} ${roomId} ${issue}`)
    const kept = keys.map((key) => latestMoney.get(key))
    const read = await moneyInRooms(
      db,
      rooms,
      kept.map((money) => money?.version ?? null),
    )
    return read.map(({ bought, ...balance }, at) => {
      const money = { ...balance, bought: bought ?? (kept[at]?.bought as Amount) }
      if (bought !== null) latestMoney.set(keys[at] as string, money)
      return money
    })
  }

  const readMoney = readTogether<RoomOfPlayer, RoomMoney>(async (rooms) =>
    byQuestion(rooms, await readRooms(rooms)),
  )
  const readHits = readTogether<RoundOfPlayer, RoundHits>(async (rounds) =>
    byQuestion(rounds, await hitsOf(db, rounds)),
  )
  const oneAtATime = serializeByKey<'money' | 'wins'>()
  /** A player's wins of a settled round do not change any more. */
  const recentHits = new LRUCache<string, RoundHits>({
    maxSize: HITS_KEPT,
    sizeCalculation: ({ hits }) => 1 + hits.length,
  })

  /** A player's own winning bets of a round, once all of his bets in it are settled: mostly at once, from memory. */
  function hits(round: RoundOfPlayer): RoundHits | Promise<RoundHits> {
    const key = `${round.gameId} ${round.issue} ${round.playerId}`
    return recentHits.get(key) ?? readAndKeepHits(round, key)
  }

  async function readAndKeepHits(round: RoundOfPlayer, key: string): Promise<RoundHits> {
    const read = await readHits(round)
    if (!read) return NO_HITS_YET
    const hits = read.final && read.hits.length === 0 ? NO_HITS : read
    if (hits.final) recentHits.set(key, hits)
    return hits
  }

  /** The present state of a room and its game, such as whether they are stopped. */
  async function find(request: { gameId: number; roomId: number }): Promise<RoomOfGame | Refusal> {
    const { games, rooms } = await catalog()
    const room = rooms.find(({ id, gameId }) => id === request.roomId && gameId === request.gameId)
    const game = games.find(({ id }) => id === request.gameId)
    return room && game ? { game, room } : refuse('not_found')
  }

  async function shownRound({ game, room }: RoomOfGame): Promise<ShownRound> {
    const shown = await board.game(game.id)
    const last = shown.results[0]
    return {
      round: {
        game_status: gameStatus(game, { room, open: shown.scheduled !== null }),
        issue: wireRound(shown, { at: now(), changes: game.changes }),
        last_issue: last ? issueResult(last) : null,
      },
      wonIn: shown.results.map(({ issue }) => issue),
    }
  }

  /** A player's balance, and his stakes in the room in a round. */
  async function money(roomOfGame: RoomOfGame, issue: string, caller: Caller): Promise<RoomMoney> {
    const read = await readMoney(roomOfPlayer(roomOfGame, issue, caller))
    if (!read) throw new Error(`the money of player ${caller.playerId} was not read`)
    return read
  }

  /** The same of many players in a room, in their order. Such reads run one after the other. */
  function moneyOfAll(
    roomOfGame: RoomOfGame,
    issue: string,
    callers: readonly Caller[],
  ): Promise<readonly RoomMoney[]> {
    return oneAtATime('money', () =>
      readRooms(callers.map((caller) => roomOfPlayer(roomOfGame, issue, caller))),
    )
  }

  /** A player's own winning bets of some rounds. */
  async function wins({ game }: RoomOfGame, issues: readonly string[], { playerId }: Caller) {
    const rounds = issues.map((issue) => ({ playerId, gameId: game.id, issue }))
    return winsIn(game, await Promise.all(rounds.map(hits)))
  }

  /** The same of many players, in their order. Such reads run one after the other. */
  async function winsOfAll(
    { game }: RoomOfGame,
    issues: readonly string[],
    callers: readonly Caller[],
  ): Promise<Wins[]> {
    const rounds = callers.flatMap(({ playerId }) =>
      issues.map((issue) => ({ playerId, gameId: game.id, issue })),
    )
    const hitsOfRounds = await oneAtATime('wins', () => hitsOf(db, rounds))
    return callers.map((_, number) =>
      winsIn(game, hitsOfRounds.slice(number * issues.length, (number + 1) * issues.length)),
    )
  }

  async function beat(
    caller: Caller,
    request: { gameId: number; roomId: number; after: number | null },
  ) {
    const roomOfGame = await find(request)
    if ('refused' in roomOfGame) return roomOfGame
    const [{ round, wonIn }, entries] = await Promise.all([
      shownRound(roomOfGame),
      board.feed(request.roomId, request.after),
    ])
    const [own, { won }] = await Promise.all([
      money(roomOfGame, round.issue.issue, caller),
      wins(roomOfGame, wonIn, caller),
    ])
    return {
      ...round,
      user_quantity: wireMoney(own, round.issue.issue),
      hit_notice: won,
      message: entries.map((bet) => feedMessage(bet, caller)),
    }
  }

  return { beat, find, shownRound, moneyOfAll, winsOfAll }
}

/** Wins in the order of acceptance; final if no more can come. */
export type Wins = { won: HitNotice[]; final: boolean }

function winsIn(game: Game, rounds: readonly RoundHits[]): Wins {
  const won = rounds
    .flatMap(({ hits }) => hits)
    .sort((a, b) => Number(a.betId - b.betId))
    .map((hit) => ({
      id: Number(hit.betId),
      issue: hit.issue,
      game_name: game.name,
      nickname: maskedName(hit.username),
      profit: formatAmount(hit.profit),
      round_profit: formatAmount(hit.roundProfit),
    }))
  return { won, final: rounds.every(({ final }) => final) }
}

/** A player's money in a room in its public form; `issue`: the round that `bought` is of. */
export function wireMoney(money: RoomMoney, issue: string): StreamEvents['money'] {
  return { ...wireBalance(money), buy: formatAmount(money.bought), buy_issue: issue }
}

function roomOfPlayer(
  { game, room }: RoomOfGame,
  issue: string,
  { playerId }: Caller,
): RoomOfPlayer {
  return { playerId, gameId: game.id, roomId: room.id, issue: issue === '' ? null : issue }
}

/** Answers by their questions, which are in the same order. */
function byQuestion<Question, Answer>(
  questions: readonly Question[],
  answers: readonly Answer[],
): Map<Question, Answer> {
  return new Map(questions.map((question, index) => [question, answers[index] as Answer]))
}
