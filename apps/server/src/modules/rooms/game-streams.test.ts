/**
 * Goal: a subscriber of the games’ stream, with or without an account, receives each change of a round and each draw,
 * once, and nothing about any player; many subscribers cost no more than one. Method: a real server, whose lobby and
 * results the stream is compared with.
 */
import { issueList, lobby, playOrder } from '@sum28/contract/lottery-routes.ts'
import type { GameOnWire } from '@sum28/contract/replies.ts'
import { type GamesStreamEvents, STRANGERS_STREAMS_MAX } from '@sum28/contract/stream.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Queryable } from '#src/db/database.ts'
import { addSeatedPlayer } from '#testing/people/seated-player.ts'
import { ALL_DAY, openIssueFor, playRound } from '#testing/product/play-round.ts'
import { expectSuccess, useWorkersApp } from '#testing/product/test-app.ts'
import { eventually } from '#testing/requests/patience.ts'
import { eventOf, openGamesStream, type TestStream } from '#testing/requests/stream-client.ts'
import { gameStreams } from './game-streams.ts'

type GamesStream = TestStream<GamesStreamEvents>

/** The draws of a game that a stream has sent of the rounds after this one, the newest first. */
function drawsOf(stream: GamesStream, gameId: number, after = '') {
  return stream
    .of('draws')
    .flat()
    .filter((draw) => draw.game_id === gameId && draw.issue > after)
    .toSorted((one, other) => (one.issue < other.issue ? 1 : -1))
}

/** Everything that a stream has sent about a game. */
function statesOf(stream: GamesStream, gameId: number): GameOnWire[] {
  return stream.events
    .filter(({ name }) => name !== 'draws')
    .flatMap(({ data }) => data as GameOnWire[])
    .filter(({ id }) => id === gameId)
}

function hasOpened(states: readonly GameOnWire[], round: string): boolean {
  return states.some(({ issue }) => issue.issue === round && !issue.whether_close)
}

/** Results that a game has named before they were sent. */
function unsentResults(stream: GamesStream): string[] {
  const sentResults = new Set<string>()
  return stream.events.flatMap(({ name, data }) => {
    if (name === 'draws') {
      for (const draw of data as GamesStreamEvents['draws']) {
        sentResults.add(`${draw.game_id} ${draw.issue}`)
      }
      return []
    }
    const named = (data as GameOnWire[]).map(({ id, issue }) => `${id} ${issue.last_issue}`)
    if (name === 'begin') for (const each of named) sentResults.add(each)
    return named.filter((each) => !sentResults.has(each))
  })
}

describe('the games’ stream', () => {
  const test = useWorkersApp()

  it('begins, for a stranger too, with the lobby’s answer', async () => {
    const stream = await openGamesStream(test.app.url)
    expect(stream.http).toBe(200)
    expect(stream.headers.get('cache-control')).toBe('no-store')
    const games = await eventOf(stream, 'begin')
    const { gameList } = (await test.call(lobby, {})).data
    expect(games.map(({ id, name, planList }) => [id, name, planList])).toEqual(
      gameList.map(({ id, name, planList }) => [id, name, planList]),
    )
    expect(stream.events[0]?.name).toBe('begin')
  })

  it('sends opening, seal and draw of each game, each once, the draw with its digits, and nothing about any player', async () => {
    const player = await addSeatedPlayer(test.database, { u: 500, name: 'ann_unseen' })
    const stream = await openGamesStream(test.app.url)
    const begun = await eventOf(stream, 'begin')
    const order = { issue: await openIssueFor(test, 60), play_type: '[1]', money: 100 }
    expectSuccess(await test.call(playOrder, { plan_id: 11, game_id: 1, ...order }, player))
    // A round that is sealed at once after its opening would not be seen open.
    const isOpen = (of: string) =>
      eventually(() => begun.every(({ id }) => hasOpened(statesOf(stream, id), of)))
    await playRound(test, isOpen)
    await playRound(test, isOpen)
    await eventually(() => drawsOf(stream, 3).length >= 2)
    for (const { id: gameId, issue } of begun) {
      // The stream sends of a game what a list of its rounds has after those of the beginning.
      const draws = () => drawsOf(stream, gameId, issue.last_issue)
      const behind = await eventually(async () => {
        const { data } = await test.call(issueList, { game_id: gameId, limit: 100 })
        const rounds = (Array.isArray(data) ? data : data.list).filter(
          (round) => round.issue > issue.last_issue,
        )
        return draws().length >= rounds.length ? rounds : undefined
      })
      expect(draws()).toEqual(behind.map((round) => ({ ...round, game_id: gameId })))
    }
    const states = statesOf(stream, 3).map(({ issue }) => issue)
    const received = states.map(({ issue, whether_close, book_root, last_issue, last_code }) =>
      [issue, whether_close, book_root, last_issue, last_code].join(' '),
    )
    const versions = states.map(({ version }) => BigInt(version))
    expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => (a < b ? -1 : 1)))
    // A round is closed before it opens, when its time is over, and once its book is, but no event comes twice in a row.
    expect(received.filter((state, at) => state === received[at - 1])).toEqual([])
    expect(new Set(states.map(({ whether_close: closed }) => closed)).size).toBe(2)
    expect(unsentResults(stream)).toEqual([])
    expect(JSON.stringify(stream.events)).not.toMatch(/unseen|nickname|user_id|"money"|quantity/)
  })

  it('sends a new limit of a room soon after it was changed', async () => {
    const stream = await openGamesStream(test.app.url)
    await eventOf(stream, 'begin')
    const { owner } = test.database
    const limit = () =>
      statesOf(stream, 4)
        .at(-1)
        ?.planList.find(({ id }) => id === 42)?.join_limit
    const setLimit = (u: number) =>
      owner.query('update games.room set entry_min = $1 where id = 42', [BigInt(u) * 1_000_000n])
    await setLimit(1_234)
    await eventually(() => limit() === '1234.00')
    await setLimit(1_000)
  })

  it('ends the oldest one when one address opens too many, and the others stay', async () => {
    const streams = await Promise.all(
      Array.from({ length: STRANGERS_STREAMS_MAX }, () => openGamesStream(test.app.url)),
    )
    const more = await openGamesStream(test.app.url)
    await eventOf(more, 'begin')
    await eventually(() => streams.some(({ closed }) => closed))
    const ended = streams.filter(({ closed }) => closed)
    for (const { end } of ended) expect(end).toMatchObject({ code: 429, data: { retry_after: 60 } })
    expect(ended.length).toBeLessThan(STRANGERS_STREAMS_MAX / 2)
    expect(more.closed).toBe(false)
  })
})

describe('the loop of the games’ stream', () => {
  const GAME: GameOnWire = {
    id: 1,
    name: 'DOT',
    status: 1,
    planList: [],
    pauses: [],
    issue: {
      issue: '20261120050',
      last_issue: '20261120049',
      last_code: '',
      openTime1: 9,
      whether_close: false,
      draw_in: 0,
      book_root: null,
      version: '1',
    },
  }

  /** The loop over rounds that a test defines; counts the reads. */
  function streamsOf(rounds: { game: GameOnWire; results: string[] }) {
    const reads = { lobby: 0, results: 0 }
    const db = {
      query: async () => {
        reads.results += 1
        return rounds.results
          .toReversed()
          .map((issue) => ({ issue, status: 'drawn', digits: [1, 2, 3], total: 6, drawnAt: 0 }))
      },
    } as unknown as Queryable
    const streams = gameStreams({
      db,
      lobby: async () => {
        reads.lobby += 1
        return [rounds.game]
      },
      schedule: { ...ALL_DAY, timeZone: 'UTC' },
      // Not at a round’s beginning, when checks wait.
      now: () => 1_000,
      onError: (error) => {
        throw error
      },
    })
    onTestFinished(() => streams.stop())
    return { streams, reads }
  }

  /** A subscriber, once it has what the stream begins with. */
  async function listen({ streams }: ReturnType<typeof streamsOf>) {
    const received: [string, unknown][] = []
    const leave = streams.watch((event, json) => received.push([event, JSON.parse(json)]))
    const receives = (count: number) => eventually(() => received.length === count)
    await receives(1)
    expect(received[0]?.[0]).toBe('begin')
    return { received, receives, leave }
  }

  const issues = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, at) => `2026112${String(from + at).padStart(4, '0')}`)

  it('reads once for any number of subscribers', async () => {
    const made = streamsOf({ game: GAME, results: issues(1, 20) })
    const all = Array.from({ length: 500 }, () => listen(made))
    // Counted when the last of them receives it: on a slow machine there may be further reads before a test looks.
    let readsAtBegin: unknown
    made.streams.watch(() => {
      readsAtBegin ??= { ...made.reads }
    })
    await Promise.all(all)
    expect(readsAtBegin).toEqual({ lobby: 1, results: 1 })
  })

  it('sends a late result, after the result of a following round', async () => {
    const rounds = { game: GAME, results: issues(1, 20).filter((_, at) => at !== 15) }
    const made = streamsOf(rounds)
    const one = await listen(made)
    rounds.results = issues(1, 20)
    made.streams.roundChanged()
    await one.receives(2)
    expect(one.received[1]).toMatchObject(['draws', [{ game_id: 1, issue: issues(16, 16)[0] }]])
  })

  it('starts again for all subscribers if it may have missed results', async () => {
    const rounds = { game: GAME, results: issues(1, 20) }
    const made = streamsOf(rounds)
    const one = await listen(made)
    rounds.results = issues(40, 59)
    made.streams.roundChanged()
    await one.receives(2)
    expect(one.received.map(([event]) => event)).toEqual(['begin', 'begin'])
  })

  it('reads nothing without subscribers, and does not send those changes later', async () => {
    const rounds = { game: GAME, results: issues(1, 20) }
    const made = streamsOf(rounds)
    const one = await listen(made)
    one.leave()
    const { lobby: before } = made.reads
    made.streams.roundChanged()
    await new Promise((later) => setTimeout(later, 200))
    expect(made.reads.lobby).toBe(before)
    rounds.results = issues(5, 24)
    const two = await listen(made)
    rounds.results = issues(6, 25)
    made.streams.roundChanged()
    await two.receives(2)
    expect(two.received[1]).toMatchObject(['draws', [{ issue: issues(25, 25)[0] }]])
  })
})
