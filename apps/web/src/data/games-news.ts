/**
 * What the games' stream tells, put into the cache of replies as if it had been asked for: the games
 * themselves, and the lists of their latest rounds, which go on from round to round without a gap or
 * are asked for anew.
 */
import type { GameDraw } from '@sum28/contract/stream.ts'
import type { QueryClient } from '@tanstack/react-query'
import { roundMark } from '#src/data/asked-game.ts'
import { type Game, gamesQuery } from '#src/data/games.ts'
import { LATEST_COUNT, type PastDraw, pastDrawFromWire, withLatest } from '#src/data/past-draw.ts'
import { latestDrawsQuery } from '#src/data/past-draws.ts'

/** All games as they are now; of what came about before, nothing is known. */
export function gamesBegan(queries: QueryClient, games: Game[]): void {
  keepGames(queries, games)
  // A list that was asked for before may lack what came since, late ones among it.
  for (const game of games) askAnew(queries, latestKey(game))
}

/** Games that have changed; every draw until then was told. */
export function gamesTold(queries: QueryClient, told: readonly Game[]): void {
  const before = queries.getQueryData(gamesQuery.queryKey)
  if (!before) return
  for (const game of told) {
    const known = before.find(({ id }) => id === game.id)
    if (known) carryLatest(queries, known, game)
  }
  const news = new Map(told.map((game) => [game.id, game]))
  const after = before.map((game) => news.get(game.id) ?? game)
  const ids = new Set(before.map(({ id }) => id))
  keepGames(queries, [...after, ...told.filter(({ id }) => !ids.has(id))])
}

/** Results that have come about, each told once. */
export function drawsTold(queries: QueryClient, draws: readonly GameDraw[]): void {
  const games = queries.getQueryData(gamesQuery.queryKey) ?? []
  for (const game of games) {
    const news = draws.filter(({ game_id }) => game_id === game.id)
    if (news.length === 0) continue
    const key = latestKey(game)
    // An answer under way may have been given before these were there.
    if (queries.isFetching({ queryKey: key, exact: true }) > 0) askAnew(queries, key)
    else {
      queries.setQueryData(key, (known) => known && grown(known, news.map(pastDrawFromWire)))
    }
  }
}

/** The games are what was just heard: an answer under way is older. */
function keepGames(queries: QueryClient, games: Game[]): void {
  void queries.cancelQueries({ queryKey: gamesQuery.queryKey, exact: true })
  queries.setQueryData(gamesQuery.queryKey, games)
}

/** The list of a round is that of the next one too, where it is whole. */
function carryLatest(queries: QueryClient, before: Game, after: Game): void {
  if (roundMark(before) === roundMark(after)) return
  const from = latestKey(before)
  const state = queries.getQueryState(from)
  if (!state?.data || state.isInvalidated || state.fetchStatus !== 'idle') return
  queries.setQueryData(latestKey(after), state.data)
}

function latestKey(game: Game) {
  return latestDrawsQuery({ gameId: game.id, mark: roundMark(game) }).queryKey
}

/** Drops what a list has, and asks again where it is shown. */
function askAnew(queries: QueryClient, queryKey: ReturnType<typeof latestKey>): void {
  if (queries.getQueryState(queryKey)) void queries.resetQueries({ queryKey, exact: true })
}

/** The latest rounds with new ones among them, and no more than are ever asked for. */
function grown(known: readonly PastDraw[], news: readonly PastDraw[]): readonly PastDraw[] {
  return (withLatest(known, news, null) ?? known).slice(0, LATEST_COUNT)
}
