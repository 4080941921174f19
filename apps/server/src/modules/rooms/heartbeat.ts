/** The heartbeat of a bet room: what all see from memory, and one's own money from one read for all. */
import type { HitNotice } from '@sum28/contract/replies.ts'
import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import { coalesceReads } from '#src/db/coalesce.ts'
import type { Database } from '#src/db/database.ts'
import type { Caller } from '#src/modules/accounts/caller.ts'
import { boughtInRoom, type Hit, hitsOfRounds } from '#src/modules/bets/bet-store.ts'
import { feedMessage, maskedName } from '#src/modules/bets/bet-wire.ts'
import { type Catalog, gameStatus } from '#src/modules/games/catalog.ts'
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

export type Heartbeat = ReturnType<typeof heartbeat>

/** Makes the heartbeat; everything in it that belongs to a player is read for many at once. */
export function heartbeat({ db, board, catalog, balance, now }: HeartDeps) {
  const readers = new Map<string, (playerId: number) => Promise<unknown>>()

  /** A coalesced reader for one subject; those of rounds long gone are dropped. */
  function reader<Value>(
    subject: string,
    load: (ids: number[]) => Promise<Map<number, Value>>,
  ): (playerId: number) => Promise<Value | undefined> {
    let read = readers.get(subject)
    if (!read) {
      if (readers.size > 200) readers.clear()
      read = coalesceReads(load)
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

  function hits(gameId: number, issues: string[], playerId: number): Promise<Hit[] | undefined> {
    if (issues.length === 0) return Promise.resolve([])
    return reader(`hits ${gameId} ${issues.join()}`, async (playerIds) =>
      Map.groupBy(await hitsOfRounds(db, { gameId, issues, playerIds }), (hit) => hit.playerId),
    )(playerId)
  }

  return async function beat(
    caller: Caller,
    asked: { gameId: number; roomId: number; after: number | null },
  ) {
    const { games, rooms } = await catalog()
    const room = rooms.find(({ id, gameId }) => id === asked.roomId && gameId === asked.gameId)
    const game = games.find(({ id }) => id === asked.gameId)
    if (!room || !game) return refuse('room_unknown') satisfies Refusal

    const [shown, entries] = await Promise.all([
      board.game(game.id),
      board.feed(room.id, asked.after),
    ])
    const round = wireRound(shown, now())
    const issues = shown.results.map(({ issue }) => issue)
    const [money, buy, wins] = await Promise.all([
      balance(caller.playerId),
      bought(room.id, round.issue, caller.playerId),
      hits(game.id, issues, caller.playerId),
    ])
    const last = shown.results[0]
    return {
      game_status: gameStatus(game, { room, open: shown.scheduled !== null }),
      issue: round,
      last_issue: last ? issueResult(last) : null,
      user_quantity: { money: formatAmount(money), buy: formatAmount(buy ?? 0n) },
      hit_notice: (wins ?? []).map(
        (hit): HitNotice => ({
          id: Number(hit.betId),
          issue: hit.issue,
          game_name: game.name,
          nickname: maskedName(hit.username),
          profit: formatAmount(hit.profit),
        }),
      ),
      message: entries.map((bet) => feedMessage(bet, caller)),
    }
  }
}
