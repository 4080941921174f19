/**
 * Goal: whatever becomes of the stream, a screen that shows a game's rounds has each of them once, as
 * soon as it was told; and while the stream tells, nothing is asked for. Method: the cache itself with
 * observers in the place of screens, first step by step, then in a simulated world whose server draws
 * in order and late, whose answers are as old as their questions, and whose stream is cut at random.
 */
import type { Game as WireGame } from '@sum28/contract/replies.ts'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'

// What calls the server reads its own host while it is loaded.
vi.hoisted(() => Object.assign(globalThis, { location: { host: 'play.example' } }))

import { roundMark } from '#src/data/asked-game.ts'
import { gameFromWire, gamesQuery } from '#src/data/games.ts'
import { hearGames } from '#src/data/games-watch.ts'
import { LATEST_COUNT, type PastDraw, pastDrawFromWire, withLatest } from '#src/data/past-draw.ts'
import { latestDrawsQuery } from '#src/data/past-draws.ts'
import { wireResult } from '#src/testing/drawn-rounds.ts'

const GAME = 3
const issueOf = (round: number) => `20261120${String(round).padStart(3, '0')}`
const resultOf = (issue: string) => wireResult({ issue, digits: [1, 2, 3] })
const drawOf = (issue: string): PastDraw => pastDrawFromWire(resultOf(issue))

/** The game while a round runs, with the newest of its results. */
function wireGame(round: number, lastIssue: string, gameId = GAME): WireGame {
  return {
    ...{ id: gameId, name: 'ETH', status: 1, planList: [] },
    issue: {
      ...{ issue: issueOf(round), last_issue: lastIssue, last_code: '1 2 3 6' },
      ...{ openTime1: 100, whether_close: false },
    },
  }
}

/** A cache whose lists are answered by hand. */
function makeCache() {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const asked: { issues: string[]; answer: () => void }[] = []
  const world = { results: [] as string[] }

  /** What a screen with the list of a game's latest rounds asks for. */
  function latestOptions(mark: string) {
    return {
      ...latestDrawsQuery({ gameId: GAME, mark }),
      queryFn: () =>
        new Promise<readonly PastDraw[]>((resolve) => {
          // As old as the question: nothing that comes about on the way is in it.
          const issues = world.results.toSorted().reverse().slice(0, LATEST_COUNT)
          asked.push({ issues, answer: () => resolve(issues.map(drawOf)) })
        }),
    }
  }

  const tell = (name: string, data: unknown) =>
    hearGames(queries, { name, data: JSON.stringify(data) }, 1_000)

  /** Lets all that is under way come to its end. */
  async function answerAll() {
    for (let turn = 0; turn < 4; turn += 1) {
      for (const { answer } of asked) answer()
      await new Promise((later) => setTimeout(later))
    }
  }
  return { queries, asked, world, latestOptions, tell, answerAll }
}

function gameIn(queries: QueryClient) {
  return queries.getQueryData(gamesQuery.queryKey)?.find(({ id }) => id === GAME)
}

describe('the games that the stream tells', () => {
  it('are there from its beginning, and then those that have changed are other', () => {
    const { queries, tell } = makeCache()
    tell('games', [wireGame(9, issueOf(8))])
    expect(queries.getQueryData(gamesQuery.queryKey)).toBeUndefined()
    tell('begin', [wireGame(10, issueOf(9)), wireGame(10, issueOf(9), 4)])
    const before = queries.getQueryData(gamesQuery.queryKey)
    tell('games', [wireGame(11, issueOf(10))])
    const after = queries.getQueryData(gamesQuery.queryKey)
    expect(after?.map(({ id, issue, lastIssue }) => [id, issue, lastIssue])).toEqual([
      [GAME, issueOf(11), issueOf(10)],
      [4, issueOf(10), issueOf(9)],
    ])
    expect(after?.[1]).toBe(before?.[1])
    expect(after?.[0]?.clock).toEqual({ of: issueOf(11), seconds: 100, sampledAt: 1_000 })
  })

  it('are newer than an answer that was under way when they came', async () => {
    const { queries, tell } = makeCache()
    let answer = () => {}
    const observer = new QueryObserver(queries, {
      ...gamesQuery,
      queryFn: () =>
        new Promise<ReturnType<typeof gameFromWire>[]>((resolve) => {
          answer = () => resolve([gameFromWire(wireGame(9, issueOf(8)), 0)])
        }),
    })
    const stop = observer.subscribe(() => {})
    tell('begin', [wireGame(10, issueOf(9))])
    answer()
    await new Promise((later) => setTimeout(later))
    expect(gameIn(queries)?.issue).toBe(issueOf(10))
    expect(observer.getCurrentResult().isSuccess).toBe(true)
    stop()
  })

  it('pass over an event of a later version', () => {
    const { queries, tell } = makeCache()
    tell('weather', { sun: true })
    expect(queries.getQueryCache().getAll()).toEqual([])
  })
})

describe('a list of the latest rounds', () => {
  /** A list that is shown, of a game that the stream has begun with. */
  async function shownList() {
    const cache = makeCache()
    const { queries, world, latestOptions, tell, answerAll } = cache
    world.results = Array.from({ length: 30 }, (_, at) => issueOf(at + 1))
    tell('begin', [wireGame(31, issueOf(30))])
    const markNow = () => roundMark(gameIn(queries) ?? { issue: '', lastIssue: '' })
    const observer = new QueryObserver(queries, latestOptions(markNow()))
    const stop = observer.subscribe(() => {})
    await answerAll()
    const shown = () => {
      observer.setOptions(latestOptions(markNow()))
      return observer.getCurrentResult().data?.map(({ issue }) => issue)
    }
    return { ...cache, shown, stop }
  }

  it('grows by the draw that is told, and is not asked for again', async () => {
    const { tell, shown, stop, asked } = await shownList()
    const before = shown()
    tell('draws', [{ ...resultOf(issueOf(31)), game_id: GAME }])
    tell('games', [wireGame(32, issueOf(31))])
    expect(shown()).toEqual([issueOf(31), ...(before ?? []).slice(0, LATEST_COUNT - 1)])
    tell('games', [wireGame(33, issueOf(31))])
    expect(shown()?.[0]).toBe(issueOf(31))
    expect(asked).toHaveLength(1)
    stop()
  })

  it('takes a draw of another game for no own one', async () => {
    const { tell, shown, stop } = await shownList()
    tell('draws', [{ ...resultOf(issueOf(31)), game_id: 4 }])
    expect(shown()?.[0]).toBe(issueOf(30))
    stop()
  })

  it('has a draw that comes late in its place, once, however often it is told', async () => {
    const { tell, shown, stop } = await shownList()
    tell('draws', [{ ...resultOf(issueOf(32)), game_id: GAME }])
    tell('games', [wireGame(33, issueOf(32))])
    tell('draws', [{ ...resultOf(issueOf(31)), game_id: GAME }])
    tell('draws', [{ ...resultOf(issueOf(31)), game_id: GAME }])
    expect(shown()?.slice(0, 4)).toEqual([32, 31, 30, 29].map(issueOf))
    stop()
  })

  it('is asked for anew when the stream begins again', async () => {
    const { world, tell, shown, stop, asked, answerAll } = await shownList()
    world.results.push(issueOf(31))
    tell('begin', [wireGame(31, issueOf(30))])
    expect(asked).toHaveLength(2)
    await answerAll()
    expect(shown()?.[0]).toBe(issueOf(31))
    stop()
  })
})

// The simulated world

type Step = 'draw' | 'late' | 'tell' | 'cut' | 'open' | 'poll' | 'answer'

const step = fc.constantFrom<Step>('draw', 'late', 'tell', 'cut', 'open', 'poll', 'answer')
const steps = fc.oneof(fc.array(step, { maxLength: 8 }), fc.array(step, { maxLength: 40 }))

it('no round is lost or doubled, through cuts, polls, late draws and late answers', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), async (chosen, endsStreaming) => {
      const { queries, asked, world, latestOptions, tell, answerAll } = makeCache()
      let round = 31
      // Two rounds are not decided yet, though the next ones are.
      const waiting = [issueOf(24), issueOf(29)]
      world.results = Array.from({ length: 30 }, (_, at) => issueOf(at + 1)).filter(
        (issue) => !waiting.includes(issue),
      )
      const newest = () => world.results.toSorted().at(-1) ?? ''
      /** What was told on the stream that is open; null while none is. */
      let told: Set<string> | null = null
      let view: readonly PastDraw[] = world.results.toReversed().map(drawOf)

      /** As a screen does with each render. */
      const observer = new QueryObserver(queries, { ...latestOptions('none'), enabled: false })
      const stop = observer.subscribe(() => {})
      function render() {
        const game = gameIn(queries)
        if (game) observer.setOptions(latestOptions(roundMark(game)))
        const latest = observer.getCurrentResult().data
        if (latest && game) {
          // A gap has the screen loaded anew.
          view = withLatest(view, latest, null) ?? world.results.toSorted().reverse().map(drawOf)
        }
      }

      const DO: Record<Step, () => void | Promise<void>> = {
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
        tell() {
          if (!told) return
          const known = told
          const news = world.results.filter((issue) => !known.has(issue))
          for (const issue of news) known.add(issue)
          if (news.length > 0) {
            tell(
              'draws',
              news.map((issue) => ({ ...resultOf(issue), game_id: GAME })),
            )
          }
          tell('games', [wireGame(round, newest())])
        },
        cut() {
          told = null
        },
        open() {
          told = new Set(world.results)
          tell('begin', [wireGame(round, newest())])
        },
        poll() {
          if (told) return
          queries.setQueryData(gamesQuery.queryKey, [gameFromWire(wireGame(round, newest()), 0)])
        },
        async answer() {
          for (const { answer } of asked) answer()
          await new Promise((later) => setTimeout(later))
        },
      }

      for (const step of chosen) {
        await DO[step]()
        render()
        // Nothing is ever there twice.
        const issues = view.map(({ issue }) => issue)
        expect(new Set(issues).size).toBe(issues.length)
      }
      if (endsStreaming) {
        if (!told) await DO.open()
        await DO.tell()
      } else {
        // A late draw shows with the next round where rounds are only asked for.
        await DO.cut()
        round += 1
        world.results.push(issueOf(round))
        await DO.poll()
      }
      render()
      await answerAll()
      render()
      expect(view.map(({ issue }) => issue)).toEqual(world.results.toSorted().reverse())
      stop()
      queries.clear()
    }),
    { numRuns: 500 },
  )
})
