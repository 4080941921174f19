/** The heartbeat of a bet room: what all see from memory, and one's own money from one read for all. */
import type { HitNotice } from '@sum28/contract/replies.ts'
import type { StreamEvents, StreamRound } from '@sum28/contract/stream.ts'
import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import { LRUCache } from 'lru-cache'
import type { Database } from '#src/db/database.ts'
import { readTogether } from '#src/db/shared-reads.ts'
import type { Caller } from '#src/modules/accounts/caller.ts'
import { maskedName } from '#src/modules/accounts/masked-name.ts'
import { boughtInRoom, type Hit, hitsOfRounds } from '#src/modules/bets/bet-store.ts'
import { feedMessage } from '#src/modules/bets/bet-wire.ts'
import { type Catalog, gameStatus } from '#src/modules/games/catalog.ts'
import type { Game, Room } from '#src/modules/games/games-store.ts'
import { issueResult } from '#src/modules/rounds/result-wire.ts'
import type { ReadBalance } from '#src/modules/wallet/balance.ts'
import { type Refusal, refuse } from '#src/refusal.ts'
import type { Board } from './board.ts'
import { wireRound } from './round-wire.ts'

export type HeartDeps = {
  db: Database
  board: Board
  catalog: () => Promise<Catalog>
  balance: ReadBalance
  now: () => number
}

export type Place = { game: Game; room: Room }

/** A room's round as all see it, and the rounds whose wins are told. */
export type ShownRound = { round: StreamRound; wonIn: readonly string[] }

export type Heartbeat = ReturnType<typeof heartbeat>

/** Readers kept, one for each room or game and round; those of rounds long gone are dropped. */
const READERS_KEPT = 200

/** Makes the heartbeat; everything in it that belongs to a player is read for many at once. */
export function heartbeat({ db, board, catalog, balance, now }: HeartDeps) {
  const readers = new LRUCache<string, (playerId: number) => Promise<unknown>>({
    max: READERS_KEPT,
  })

  /** The reader of one subject, such as what was bought in a room in a round. */
  function reader<Value>(
    subject: string,
    load: (ids: number[]) => Promise<Map<number, Value>>,
  ): (playerId: number) => Promise<Value | undefined> {
    let read = readers.get(subject)
    if (!read) {
      read = readTogether(load)
      readers.set(subject, read)
    }
    return read as (playerId: number) => Promise<Value | undefined>
  }

  function bought(roomId: number, issue: string, playerId: number): Promise<Amount | undefined> {
    if (issue === '') return Promise.resolve(undefined)
    return reader(`bought ${roomId} ${issue}`, (playerIds) =>
      boughtInRoom(db, { roomId, issue, playerIds }),
    )(playerId)
  }

  function hits(
    gameId: number,
    issues: readonly string[],
    playerId: number,
  ): Promise<Hit[] | undefined> {
    if (issues.length === 0) return Promise.resolve([])
    return reader(`hits ${gameId} ${issues.join()}`, async (playerIds) =>
      Map.groupBy(await hitsOfRounds(db, { gameId, issues, playerIds }), (hit) => hit.playerId),
    )(playerId)
  }

  /** A room and its game as they stand, such as whether they are stopped. */
  async function find(asked: { gameId: number; roomId: number }): Promise<Place | Refusal> {
    const { games, rooms } = await catalog()
    const room = rooms.find(({ id, gameId }) => id === asked.roomId && gameId === asked.gameId)
    const game = games.find(({ id }) => id === asked.gameId)
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

  /** A player's balance, and what he has staked in the room in a round. */
  async function money(
    { room }: Place,
    issue: string,
    { playerId }: Caller,
  ): Promise<StreamEvents['money']> {
    const [cash, buy] = await Promise.all([balance(playerId), bought(room.id, issue, playerId)])
    return { money: formatAmount(cash), buy: formatAmount(buy ?? 0n) }
  }

  /** A player's own winning bets of some rounds. */
  async function wins(
    { game }: Place,
    issues: readonly string[],
    { playerId }: Caller,
  ): Promise<HitNotice[]> {
    return ((await hits(game.id, issues, playerId)) ?? []).map((hit) => ({
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
    asked: { gameId: number; roomId: number; after: number | null },
  ) {
    const place = await find(asked)
    if ('refused' in place) return place
    const [{ round, wonIn }, entries] = await Promise.all([
      shownRound(place),
      board.feed(asked.roomId, asked.after),
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
