/**
 * Goal: for any failures of the stream, a screen with a game's past rounds shows each round once, as soon
 * as it is received; while the stream works, nothing is polled; and older data never replaces newer
 * data. Method: the cache itself, with observers instead of screens and a network that the test
 * answers: first step by step, then in a simulation whose server draws in order and late, whose answers
 * are as old as their requests, and whose stream is cut at random.
 */

import type { GameOnWire } from '@sum28/contract/replies.ts'
import { memoryStorage } from '@sum28/ui/storage.ts'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

// What calls the server reads its own host while it is loaded.
vi.hoisted(() => Object.assign(globalThis, { location: { host: 'play.example', origin: '' } }))

import { gamesQuery } from '#src/data/games.ts'
import { handleGamesEvent } from '#src/data/live/channel.ts'
import { latestRoundsQuery } from '#src/data/rounds/latest-rounds.ts'
import { type PastRound, withLatest } from '#src/data/rounds/past-round.ts'
import { dayRoundsQuery } from '#src/data/rounds/use-rounds.ts'
import { wireResult } from '#src/testing/drawn-rounds.ts'

const GAME = 3
const DAY = '2026-11-20'
const issueOf = (round: number) => `20261120${String(round).padStart(3, '0')}`
const issuesTo = (round: number) => Array.from({ length: round }, (_, at) => issueOf(at + 1))
const resultOf = (roundId: string) => wireResult({ roundId, digits: [1, 2, 3] })
const later = () => new Promise((done) => setTimeout(done))

type PendingRequest = { path: string; answer: () => void }

beforeEach(() => {
  vi.stubGlobal('sessionStorage', memoryStorage())
})
afterEach(() => {
  vi.unstubAllGlobals()
})

/** The game while a round runs, with the newest of its results. */
function wireGame(round: number, lastIssue: string, { gameId = GAME, sealed = false } = {}) {
  return {
    id: gameId,
    name: 'ETH',
    status: 1,
    planList: [],
    pauses: [],
    issue: {
      issue: issueOf(round),
      last_issue: lastIssue,
      last_code: '1 2 3 6',
      openTime1: sealed ? 0 : 100,
      whether_close: sealed,
      draw_in: 0,
      book_root: null,
      version: `${round * 10_000 + Number(lastIssue.slice(8)) * 2 + (sealed ? 1 : 0)}`,
    },
  } satisfies GameOnWire
}

/** A cache on a network that is answered by hand. */
function makeCache() {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const requests: PendingRequest[] = []
  const world = { results: [] as string[], games: [] as GameOnWire[] }

  /** The answer has the state at the time of the request; later changes are not in it. */
  function answerOf(path: string, body: { limit?: number }): unknown {
    if (path.endsWith('/index')) return { gameList: world.games }
    return world.results.toSorted().reverse().slice(0, body.limit).map(resultOf)
  }

  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    const data = answerOf(path, JSON.parse(`${init.body}`))
    return new Promise<Response>((resolve, reject) => {
      init.signal?.addEventListener('abort', () => reject(new Error('given up')))
      const reply = () => resolve(Response.json({ code: 1, msg: '', time: '0', data }))
      requests.push({ path, answer: reply })
    })
  })

  const sendEvent = (name: string, data: unknown, at = performance.now()) =>
    handleGamesEvent(queries, { name, data: JSON.stringify(data) }, at)
  const sendDraw = (issue: string, gameId = GAME) =>
    sendEvent('draws', [{ ...resultOf(issue), game_id: gameId }])

  /** Lets all that is under way come to its end. */
  async function answerAll() {
    for (let repeat = 0; repeat < 4; repeat += 1) {
      for (const { answer } of requests) answer()
      await later()
    }
  }

  /** A screen with the rounds of the day. */
  function showRounds() {
    const day = new QueryObserver(queries, dayRoundsQuery({ gameId: GAME, day: DAY }))
    const latest = new QueryObserver(queries, latestRoundsQuery(GAME))
    const stops = [day.subscribe(() => {}), latest.subscribe(() => {})]
    const shown = (): readonly PastRound[] =>
      withLatest(day.getCurrentResult().data ?? [], latest.getCurrentResult().data, DAY)
    return {
      roundIds: () => shown().map(({ roundId }) => roundId),
      leave: () => {
        for (const stop of stops) stop()
      },
    }
  }
  return { queries, requests, world, sendEvent, sendDraw, answerAll, showRounds }
}

function gameIn(queries: QueryClient) {
  return queries.getQueryData(gamesQuery.queryKey)?.find(({ id }) => id === GAME)
}

describe('the games that the stream sends', () => {
  it('are complete at its beginning, and then the changed ones are replaced', () => {
    const { queries, sendEvent } = makeCache()
    sendEvent('games', [wireGame(9, issueOf(8))])
    expect(queries.getQueryData(gamesQuery.queryKey)).toBeUndefined()
    sendEvent('begin', [wireGame(10, issueOf(9)), wireGame(10, issueOf(9), { gameId: 4 })], 900)
    const before = queries.getQueryData(gamesQuery.queryKey)
    sendEvent('games', [wireGame(11, issueOf(10))], 1_000)
    const after = queries.getQueryData(gamesQuery.queryKey)
    expect(after?.map(({ id, roundId, lastRoundId }) => [id, roundId, lastRoundId])).toEqual([
      [GAME, issueOf(11), issueOf(10)],
      [4, issueOf(10), issueOf(9)],
    ])
    expect(after?.[1]).toBe(before?.[1])
    expect(after?.[0]?.clock).toEqual({ of: issueOf(11), seconds: 100, sampledAt: 1_000 })
  })

  it('are newer than the answer to a request that was pending when they came', async () => {
    const { queries, world, sendEvent, answerAll } = makeCache()
    world.games = [wireGame(9, issueOf(8))]
    const observer = new QueryObserver(queries, gamesQuery)
    const stop = observer.subscribe(() => {})
    sendEvent('begin', [wireGame(10, issueOf(9))])
    await answerAll()
    expect(gameIn(queries)?.roundId).toBe(issueOf(10))
    expect(observer.getCurrentResult().isSuccess).toBe(true)
    stop()
  })

  it('are not reopened by a beat that was sent before the seal and answered after it', async () => {
    const { queries, world, sendEvent, answerAll } = makeCache()
    const stop = new QueryObserver(queries, gamesQuery).subscribe(() => {})
    sendEvent('begin', [wireGame(10, issueOf(9))])
    await answerAll()
    world.games = [wireGame(10, issueOf(9))]
    void queries.refetchQueries({ queryKey: gamesQuery.queryKey })
    sendEvent('games', [wireGame(10, issueOf(9), { sealed: true })])
    await answerAll()
    expect(gameIn(queries)?.sealed).toBe(true)
    // Nor by an answer of a server that is behind, whenever it is asked.
    await queries.cancelQueries()
    void queries.refetchQueries({ queryKey: gamesQuery.queryKey })
    await answerAll()
    expect(gameIn(queries)?.sealed).toBe(true)
    stop()
  })

  it('ignore an event of a later version', () => {
    const { queries, sendEvent } = makeCache()
    sendEvent('weather', { sun: true })
    expect(queries.getQueryCache().getAll()).toEqual([])
  })
})

describe('a list of past rounds', () => {
  /** A list that is shown, of a game that the stream has begun with. */
  async function shownList(rounds: number) {
    const cache = makeCache()
    cache.world.results = issuesTo(rounds)
    cache.sendEvent('begin', [wireGame(rounds + 1, issueOf(rounds))])
    const screen = cache.showRounds()
    await cache.answerAll()
    return { ...cache, ...screen }
  }

  it('grows by the streamed draw, and is not fetched again', async () => {
    const { sendEvent, sendDraw, roundIds, leave, requests } = await shownList(80)
    sendDraw(issueOf(81))
    sendEvent('games', [wireGame(82, issueOf(81))])
    sendEvent('games', [wireGame(83, issueOf(81))])
    expect(roundIds()).toEqual(issuesTo(81).reverse())
    expect(requests).toHaveLength(2)
    leave()
  })

  it('grows from nothing while a new game has its first rounds', async () => {
    const { sendDraw, roundIds, leave } = await shownList(0)
    for (let round = 1; round <= 90; round += 1) sendDraw(issueOf(round))
    expect(roundIds()).toEqual(issuesTo(90).reverse())
    leave()
  })

  it('ignores a draw of another game', async () => {
    const { sendDraw, roundIds, leave } = await shownList(30)
    sendDraw(issueOf(31), 4)
    expect(roundIds()[0]).toBe(issueOf(30))
    leave()
  })

  it('has a late draw in its place, once, however often it is received', async () => {
    const { sendDraw, roundIds, leave } = await shownList(30)
    for (const round of [32, 31, 31]) sendDraw(issueOf(round))
    expect(roundIds()).toEqual(issuesTo(32).reverse())
    leave()
  })

  it('fetches the latest rounds again when the stream begins again', async () => {
    const { world, sendEvent, roundIds, leave, requests, answerAll } = await shownList(30)
    world.results = issuesTo(31)
    sendEvent('begin', [wireGame(31, issueOf(30))])
    await answerAll()
    expect(requests).toHaveLength(3)
    expect(roundIds()).toEqual(issuesTo(31).reverse())
    leave()
  })

  it('fetches again if the stream begins before the first answer', async () => {
    const { world, sendEvent, answerAll, showRounds } = makeCache()
    world.results = issuesTo(30)
    const { roundIds, leave } = showRounds()
    world.results = issuesTo(31)
    sendEvent('begin', [wireGame(32, issueOf(31))])
    await answerAll()
    expect(roundIds()).toEqual(issuesTo(31).reverse())
    leave()
  })

  it('is fetched again if the stream missed more rounds than the latest ones contain', async () => {
    const { world, sendEvent, roundIds, leave, answerAll } = await shownList(30)
    world.results = issuesTo(200)
    sendEvent('begin', [wireGame(201, issueOf(200))])
    await answerAll()
    await answerAll()
    expect(roundIds()).toEqual(issuesTo(200).reverse())
    leave()
  })

  it('fetches the latest rounds when it is shown again, if the stream began meanwhile', async () => {
    const { world, sendEvent, sendDraw, leave, answerAll, showRounds } = await shownList(30)
    leave()
    world.results = issuesTo(40)
    sendEvent('begin', [wireGame(41, issueOf(40))])
    sendDraw(issueOf(41))
    world.results = issuesTo(41)
    const again = showRounds()
    await answerAll()
    expect(again.roundIds()).toEqual(issuesTo(41).reverse())
    again.leave()
  })
})

// The simulated world

type Step = 'draw' | 'late' | 'send' | 'cut' | 'open' | 'poll' | 'answer'

const step = fc.constantFrom<Step>('draw', 'late', 'send', 'cut', 'open', 'poll', 'answer')
const steps = fc.oneof(fc.array(step, { maxLength: 8 }), fc.array(step, { maxLength: 40 }))

it('no round is lost or repeated after cuts, polls, late draws and late answers', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), fc.boolean(), async (chosen, quick, endsStreaming) => {
      const { queries, requests, world, sendEvent, answerAll, showRounds } = makeCache()
      let round = 71
      // Two rounds are not decided yet, though the next ones are.
      const waiting = [issueOf(64), issueOf(69)]
      world.results = issuesTo(70).filter((issue) => !waiting.includes(issue))
      const newest = () => world.results.toSorted().at(-1) ?? ''
      /** What was told on the stream that is open; null while none is. */
      let streamed: Set<string> | null = null
      world.games = [wireGame(round, newest())]
      const { roundIds, leave } = showRounds()
      if (quick) await answerAll()
      const lobby = new QueryObserver(queries, gamesQuery)
      const stop = lobby.subscribe(() => {})

      const DO: Record<Step, () => unknown> = {
        draw() {
          // One round in four is late too.
          if (round % 4 === 0) waiting.push(issueOf(round))
          else world.results.push(issueOf(round))
          round += 1
        },
        late() {
          const issue = waiting.shift()
          if (issue) world.results.push(issue)
        },
        send() {
          if (!streamed) return
          const issues = streamed
          const news = world.results.filter((issue) => !issues.has(issue))
          for (const issue of news) issues.add(issue)
          if (news.length > 0) {
            sendEvent(
              'draws',
              news.map((issue) => ({ ...resultOf(issue), game_id: GAME })),
            )
          }
          sendEvent('games', [wireGame(round, newest())])
        },
        cut() {
          streamed = null
        },
        open() {
          streamed = new Set(world.results)
          sendEvent('begin', [wireGame(round, newest())])
        },
        poll() {
          if (streamed) return
          world.games = [wireGame(round, newest())]
          void queries.refetchQueries({ queryKey: gamesQuery.queryKey })
        },
        answer() {
          for (const { answer } of requests) answer()
          return later()
        },
      }

      for (const step of chosen) {
        await DO[step]()
        // Nothing is ever there twice.
        expect(new Set(roundIds()).size).toBe(roundIds().length)
      }
      if (endsStreaming) {
        if (!streamed) await DO.open()
        await DO.send()
      } else {
        // With polling alone, a late draw is shown with the next round.
        await DO.cut()
        await DO.poll()
        await answerAll()
        round += 1
        world.results.push(issueOf(round))
        await DO.poll()
      }
      await answerAll()
      expect(roundIds()).toEqual(world.results.toSorted().reverse())
      leave()
      stop()
      queries.clear()
    }),
    { numRuns: 200 },
  )
})
