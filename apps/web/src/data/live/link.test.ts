/**
 * Goal: for any failures of a stream, updates continue within 4 s, no entry of a feed is lost or
 * repeated, and the stream is restored. Method: the state machine, event by event with the test's
 * clock, and then with the room's state in a simulation of a server and a network that fails at random,
 * in simulated time; no browser.
 */
import { STREAM_PING_MS, STREAM_SILENCE_MAX_MS } from '@sum28/contract/stream-rules.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  beginLink,
  type LinkAction,
  type LinkEvent,
  type LiveLink,
  stepLink,
  wakeAt,
} from '#src/data/live/link.ts'
import { enterRoom, updateReceived } from '#src/screens/room/room-state.ts'
import type { FeedEntry } from '#src/screens/room/room-update.ts'

const EVERY_MS = 2_000

/** A link that is given events at instants, and tells what it would do. */
class Played {
  link: LiveLink = beginLink({ now: 0, everyMs: EVERY_MS })
  readonly spread: number

  constructor({ spread = 0 } = {}) {
    this.spread = spread
  }

  at(now: number, event: LinkEvent | LinkEvent['what'] = 'time'): LinkAction[] {
    const linkEvent = typeof event === 'string' ? ({ what: event, leastMs: 0 } as LinkEvent) : event
    const { link, todo } = stepLink(this.link, linkEvent, { now, spread: this.spread })
    this.link = link
    return todo
  }

  get state(): LiveLink['state']['name'] {
    return this.link.state.name
  }
}

function connecting(): Played {
  const played = new Played()
  played.at(0)
  return played
}

function streaming(): Played {
  const played = connecting()
  played.at(100, 'data')
  return played
}

function polling(): Played {
  const played = streaming()
  played.at(5_000, 'broken')
  return played
}

describe('a link that begins', () => {
  it('opens its stream at once, and sends a beat if no data came for a second', () => {
    const played = new Played()
    expect(played.at(0)).toEqual(['open'])
    expect(played.state).toBe('connecting')
    expect(wakeAt(played.link)).toBe(1_000)
    expect(played.at(999)).toEqual([])
    expect(played.at(1_000)).toEqual(['beat'])
  })

  it('sends no beat while its stream sends data', () => {
    const played = streaming()
    expect(played.state).toBe('streaming')
    expect(wakeAt(played.link)).toBe(100 + STREAM_SILENCE_MAX_MS)
    expect(played.at(STREAM_SILENCE_MAX_MS)).toEqual([])
  })

  it('continues to send beats while the stream is open without data', () => {
    const played = connecting()
    played.at(900, 'bytes')
    expect(played.at(1_000)).toEqual(['beat'])
    played.at(1_050, 'answered')
    expect(wakeAt(played.link)).toBe(1_000 + EVERY_MS)
    expect(played.at(3_000, 'bytes')).toEqual(['beat'])
  })
})

describe('a stream that breaks', () => {
  it('is followed by a beat at once, and then by one every two seconds', () => {
    const played = streaming()
    expect(played.at(5_000, 'broken')).toEqual(['beat'])
    expect(played.state).toBe('polling')
    played.at(5_100, 'answered')
    expect(played.link.beatAt).toBe(7_000)
  })

  it('is opened again after a second, then two, and never later than a minute', () => {
    const pauses = (spread: number) => {
      const played = new Played({ spread })
      played.at(0)
      played.at(0, 'data')
      let now = 1_000
      return Array.from({ length: 9 }, () => {
        played.at(now, 'broken')
        const { state } = played.link
        if (state.name !== 'polling') throw new Error(`the link is ${state.name}`)
        const pauseMs = state.retryAt - now
        expect(played.at(state.retryAt - 1)).not.toContain('open')
        expect(played.at(state.retryAt)).toContain('open')
        now = state.retryAt
        return pauseMs
      })
    }
    expect(pauses(0)).toEqual([1, 2, 4, 8, 16, 30, 30, 30, 30].map((s) => s * 1_000))
    expect(Math.max(...pauses(1))).toBe(60_000)
  })

  it('after a long time with data is opened again soon', () => {
    const played = streaming()
    played.link = { ...played.link, breaks: 7 }
    for (let now = 1_500; now <= 30_000; now += STREAM_PING_MS) played.at(now, 'bytes')
    played.at(30_100, 'broken')
    expect(played.link).toMatchObject({ state: { name: 'polling', retryAt: 31_100 }, breaks: 1 })
  })

  it('is not opened again before the time that the server names', () => {
    const played = streaming()
    played.at(1_000, { what: 'broken', leastMs: 60_000 })
    expect(played.link.state).toEqual({ name: 'polling', retryAt: 61_000 })
  })

  it('includes one that is silent for too long without an error', () => {
    const end = 100 + STREAM_SILENCE_MAX_MS
    expect(streaming().at(end - 1)).toEqual([])
    expect(streaming().at(end)).toEqual(['drop-stream', 'beat'])
    const played = streaming()
    played.at(STREAM_PING_MS, 'bytes')
    expect(played.at(end)).toEqual([])
  })

  it('while a beat is pending is followed by another one after it', () => {
    const played = streaming()
    expect(played.at(200, 'requested')).toEqual(['beat'])
    expect(played.at(250, 'broken')).toEqual([])
    expect(played.at(300, 'answered')).toEqual(['beat'])
  })
})

describe('a requested beat', () => {
  it('is sent at once also while the stream sends data, and only once', () => {
    const played = streaming()
    expect(played.at(200, 'requested')).toEqual(['beat'])
    expect(played.at(300, 'answered')).toEqual([])
    expect(played.link.beatAt).toBeNull()
  })

  it('is sent again if it was requested while another was pending', () => {
    const played = streaming()
    played.at(200, 'requested')
    expect(played.at(250, 'requested')).toEqual([])
    expect(played.at(300, 'answered')).toEqual(['beat'])
  })
})

describe.each([
  ['connecting', connecting],
  ['streaming', streaming],
  ['polling', polling],
] as const)('a link in the state %s', (name, begin) => {
  it('aborts its requests and reconnects when the network or the line has changed', () => {
    const played = begin()
    expect(played.state).toBe(name)
    expect(played.at(5_300, 'rerouted')).toEqual(['drop-stream', 'drop-beat', 'open', 'beat'])
    expect(played.link).toMatchObject({ state: { name: 'connecting' }, breaks: 0 })
  })

  it('has no stream and sends no beats while the page is hidden', () => {
    const played = begin()
    expect(played.at(5_300, 'hidden')).toEqual(['drop-stream', 'drop-beat'])
    expect(wakeAt(played.link)).toBeNull()
    for (const event of ['time', 'requested', 'answered', 'bytes', 'data', 'broken'] as const) {
      expect(played.at(90_000, event)).toEqual([])
    }
    expect(played.at(90_000, 'rerouted')).toEqual(['drop-stream', 'drop-beat'])
    expect(played.state).toBe('hidden')
    expect(played.at(91_000, 'visible')).toEqual(['drop-stream', 'drop-beat', 'open', 'beat'])
    expect(played.state).toBe('connecting')
  })

  it('does nothing after it was stopped', () => {
    const played = begin()
    expect(played.at(5_300, 'stop')).toEqual(['drop-stream', 'drop-beat'])
    expect(wakeAt(played.link)).toBeNull()
    const events = [
      'time',
      'requested',
      'answered',
      'data',
      'broken',
      'rerouted',
      'visible',
      'hidden',
    ]
    for (const event of events) {
      expect(played.at(90_000, event as LinkEvent['what'])).toEqual([])
    }
    expect(played.state).toBe('stopped')
  })
})

// The simulated world

type Fault = { at: number; kind: 'break' | 'silence' | 'beats-fail'; forMs: number }

const TICK_MS = 50
const FAULTY_MS = 60_000
/** The longest back-off, and a silence before it. */
const CALM_MS = 60_000 + STREAM_SILENCE_MAX_MS + 5_000

const faults = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: FAULTY_MS }),
    kind: fc.constantFrom<Fault['kind']>('break', 'silence', 'beats-fail'),
    forMs: fc.integer({ min: TICK_MS, max: 8_000 }),
  }),
  { maxLength: 14 },
)

/** Lets time go by in a room, and gives all that was seen there. */
function simulate(world: { faults: Fault[]; gapMs: number; before: number; latencyMs: number }) {
  const log: number[] = Array.from({ length: world.before }, (_, at) => at + 1)
  let room = enterRoom({ gameId: 1, roomId: 11, shownRoundIds: new Set() })
  const played = new Played({ spread: 0.5 })
  let wire: { at: number; ids: number[] }[] = []
  let beat = null as { at: number; ids: number[] | null } | null
  let cursor: number | null = null
  let flowing = false
  let lastReceivedAt = 0
  let longestWaitMs = 0
  let checked = room.feed
  const until = FAULTY_MS + CALM_MS

  const failing = (now: number, kind: Fault['kind']) =>
    world.faults.some(
      (fault) => fault.kind === kind && now >= fault.at && now < fault.at + fault.forMs,
    )
  const behind = (after: number | null, limit: number) =>
    log.filter((id) => after === null || id > after).slice(after === null ? -50 : -limit)
  const take = (ids: number[], now: number) => {
    room = updateReceived(room, { receivedAt: now, entries: ids.map(entryOf) }, 0)
    lastReceivedAt = now
  }
  const after = () => room.lastEntryId ?? (played.link.everReceived ? 0 : null)

  function act(todos: LinkAction[], now: number): void {
    for (const todo of todos) {
      if (todo === 'open') {
        cursor = after()
        flowing = !failing(now, 'break')
        wire = []
        if (!flowing) act(played.at(now, 'broken'), now)
        else wire.push({ at: now + world.latencyMs, ids: [] })
      }
      if (todo === 'drop-stream') {
        flowing = false
        wire = []
      }
      if (todo === 'beat') {
        lastReceivedAt = now
        const ids = failing(now, 'beats-fail') ? null : behind(after(), 300)
        beat = { at: now + world.latencyMs, ids }
      }
    }
  }

  for (let now = 0; now < until; now += TICK_MS) {
    if (now < FAULTY_MS && now % world.gapMs < TICK_MS) log.push(log.length + 1)
    if (flowing && failing(now, 'break')) {
      flowing = false
      wire = []
      act(played.at(now, 'broken'), now)
    }
    // What the server sends into a silent stream is lost.
    if (flowing && failing(now, 'silence')) {
      flowing = false
      wire = []
    }
    for (const { ids } of wire.filter(({ at }) => at <= now)) {
      take(ids, now)
      act(played.at(now, 'data'), now)
    }
    wire = wire.filter(({ at }) => at > now)
    if (beat && beat.at <= now) {
      if (beat.ids) take(beat.ids, now)
      beat = null
      act(played.at(now, 'answered'), now)
    }
    act(played.at(now), now)
    const fresh: number[] = flowing ? behind(cursor, 300) : []
    if (fresh.length > 0) {
      cursor = fresh.at(-1) ?? cursor
      wire.push({ at: now + world.latencyMs, ids: fresh })
    } else if (flowing && now % STREAM_PING_MS < TICK_MS) {
      act(played.at(now, 'bytes'), now)
      lastReceivedAt = now
    }
    // Without new data there is no wait, nor while no client can receive any.
    if ((flowing && wire.length === 0) || failing(now, 'beats-fail')) lastReceivedAt = now
    longestWaitMs = Math.max(longestWaitMs, now - lastReceivedAt)
    if (room.feed === checked) continue
    checked = room.feed
    const ids = room.feed.map(({ id }) => id)
    expect(ids.every((id, at) => at === 0 || id > (ids[at - 1] ?? 0))).toBe(true)
  }
  return { log, room, link: played.link, longestWaitMs }
}

function entryOf(id: number): FeedEntry {
  return {
    id,
    playerId: 7,
    nickname: 'an**y',
    roundId: '20261120138',
    outcomes: ['long'],
    ruleIds: [1],
    stake: 100_000_000n,
    total: 100_000_000n,
    robot: false,
  }
}

const worlds = fc.record({
  faults,
  gapMs: fc.constantFrom(250, 700, 3_000, 20_000),
  before: fc.constantFrom(0, 3, 120),
  latencyMs: fc.constantFrom(50, 300, 900),
})

it('loses and repeats nothing however its stream is cut, and streams again at the end', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const { log, room, link, longestWaitMs } = simulate(world)
      const shown = room.feed.map(({ id }) => id)
      // Of what was there before, the latest fifty; of what came since, all that the feed holds.
      expect(shown).toEqual(log.slice(-shown.length))
      expect(shown.length).toBeGreaterThanOrEqual(Math.min(271, log.length - world.before))
      expect(link.state.name).toBe('streaming')
      expect(longestWaitMs).toBeLessThanOrEqual(4_000)
    }),
    { numRuns: 100 },
  )
})
