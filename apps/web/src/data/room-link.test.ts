/**
 * Goal: whatever becomes of a room's stream, news go on within 4 s, no entry of the feed is lost or
 * doubled, and the stream comes back. Method: the link's own functions step by step, and then with
 * the room's state in a simulated world of a server and a network that fails at random, in simulated
 * time; no browser and no clock.
 */
import { STREAM_PING_MS, STREAM_SILENCE_MAX_MS } from '@sum28/contract/stream-rules.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FeedEntry } from '#src/data/feed.ts'
import * as links from '#src/data/room-link.ts'
import { enterRoom, heard } from '#src/screens/room/room-state.ts'

const EVERY_MS = 2_000
const begin = () => links.beginLink({ now: 0, everyMs: EVERY_MS })
const step = (link: links.Link, now: number) => links.stepLink(link, { now, spread: 0 })
const opened = () => step(begin(), 0).link
const live = (now = 100) => links.streamTold(opened(), now)

describe('a room just entered', () => {
  it('opens its stream at once, and asks too when nothing was told for a second', () => {
    expect(step(begin(), 0).todo).toEqual(['open'])
    expect(step(opened(), 999).todo).toEqual([])
    expect(step(opened(), 1_000).todo).toEqual(['beat'])
  })

  it('asks for nothing while its stream tells', () => {
    expect(step(live(), STREAM_SILENCE_MAX_MS).todo).toEqual([])
    expect(links.wakeAt(live())).toBe(100 + STREAM_SILENCE_MAX_MS)
  })

  it('beats on while the stream is open and tells nothing', () => {
    const asked = step(links.streamAlive(opened(), 900), 1_000)
    const answered = links.beatEnded(asked.link, 1_050)
    expect(links.wakeAt(answered)).toBe(1_000 + EVERY_MS)
    expect(step(answered, 3_000).todo).toEqual(['beat'])
  })
})

describe('a stream that breaks', () => {
  it('is followed by a beat at once, and then by one every two seconds', () => {
    const broken = links.streamBroken(live(), { now: 5_000, spread: 0 })
    const first = step(broken, 5_000)
    expect(first.todo).toEqual(['beat'])
    expect(links.beatEnded(first.link, 5_100).beatAt).toBe(7_000)
  })

  it('is opened again after a second, then two, and never later than a minute', () => {
    let link = live()
    const pauses = Array.from({ length: 9 }, () => {
      link = links.streamBroken(link, { now: 1_000, spread: 0 })
      const { stream } = link
      link = { ...link, stream: { kind: 'opening', heardAt: 1_000 } }
      return stream.kind === 'down' ? stream.retryAt - 1_000 : null
    })
    expect(pauses).toEqual([1, 2, 4, 8, 16, 30, 30, 30, 30].map((s) => s * 1_000))
    const spread = links.streamBroken(link, { now: 0, spread: 1 }).stream
    expect(spread).toEqual({ kind: 'down', retryAt: 60_000 })
  })

  it('after it lived for long is opened again soon', () => {
    const often = { ...live(), breaks: 7 }
    const { stream, breaks } = links.streamBroken(often, { now: 30_000, spread: 0 })
    expect(stream).toEqual({ kind: 'down', retryAt: 31_000 })
    expect(breaks).toBe(1)
  })

  it('is left alone for as long as the server said', () => {
    const told = links.streamBroken(live(), { now: 0, spread: 0, leastMs: 60_000 })
    expect(told.stream).toEqual({ kind: 'down', retryAt: 60_000 })
  })

  it('is one too when it is silent for too long, whatever the network says', () => {
    const end = 100 + STREAM_SILENCE_MAX_MS
    expect(step(live(), end - 1).todo).toEqual([])
    expect(step(live(), end).todo).toEqual(['drop', 'beat'])
    expect(step(links.streamAlive(live(), STREAM_PING_MS), end).todo).toEqual([])
  })

  it('while a beat is under way is followed by another behind that', () => {
    const asked = step(links.beatWanted(live(), 200), 200).link
    const broken = links.streamBroken(asked, { now: 250, spread: 0 })
    expect(step(broken, 250).todo).toEqual([])
    expect(step(links.beatEnded(broken, 300), 300).todo).toEqual(['beat'])
  })
})

describe('a beat that is wanted', () => {
  it('is asked at once beside a living stream, and only once', () => {
    const asked = step(links.beatWanted(live(), 200), 200)
    expect(asked.todo).toEqual(['beat'])
    expect(links.beatEnded(asked.link, 300).beatAt).toBeNull()
  })

  it('is asked again when it was wanted while another was under way', () => {
    const asked = step(links.beatWanted(live(), 200), 200).link
    const again = links.beatEnded(links.beatWanted(asked, 250), 300)
    expect(step(again, 300).todo).toEqual(['beat'])
  })
})

it('gives up what is under way when the network has changed', () => {
  const asked = step(links.beatWanted(live(), 200), 200).link
  expect(step(links.linkDoubted(asked, 300), 300).todo).toEqual(['open', 'beat'])
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
  let room = enterRoom({ gameId: 1, roomId: 11, noticedIssues: new Set() })
  let link = begin()
  let wire: { at: number; ids: number[] }[] = []
  let beat: { at: number; ids: number[] | null } | null = null
  let cursor: number | null = null
  let flowing = false
  let hungry = 0
  let hungriest = 0
  let checked = room.feed
  const until = FAULTY_MS + CALM_MS

  const failing = (now: number, kind: Fault['kind']) =>
    world.faults.some(
      (fault) => fault.kind === kind && now >= fault.at && now < fault.at + fault.forMs,
    )
  const behind = (after: number | null, limit: number) =>
    log.filter((id) => after === null || id > after).slice(after === null ? -50 : -limit)
  const take = (ids: number[], now: number) => {
    room = heard(room, { asOf: now, entries: ids.map(entryOf) })
    hungry = now
  }
  const after = () => room.heardId ?? (link.everLive ? 0 : null)

  for (let now = 0; now < until; now += TICK_MS) {
    if (now < FAULTY_MS && now % world.gapMs < TICK_MS) log.push(log.length + 1)
    if (flowing && failing(now, 'break')) {
      flowing = false
      wire = []
      link = links.streamBroken(link, { now, spread: 0.5 })
    }
    // A silent stream swallows what the server sends.
    if (flowing && failing(now, 'silence')) {
      flowing = false
      wire = []
    }
    for (const { ids } of wire.filter(({ at }) => at <= now)) {
      take(ids, now)
      link = links.streamTold(link, now)
    }
    wire = wire.filter(({ at }) => at > now)
    if (beat && beat.at <= now) {
      if (beat.ids) take(beat.ids, now)
      beat = null
      link = links.beatEnded(link, now)
    }
    const next = links.stepLink(link, { now, spread: 0.5 })
    link = next.link
    for (const todo of next.todo) {
      if (todo === 'open') {
        cursor = after()
        flowing = !failing(now, 'break')
        wire = []
        if (!flowing) link = links.streamBroken(link, { now, spread: 0.5 })
        else wire.push({ at: now + world.latencyMs, ids: [] })
      }
      if (todo === 'drop') {
        flowing = false
        wire = []
      }
      if (todo === 'beat') {
        hungry = now
        const ids = failing(now, 'beats-fail') ? null : behind(after(), 300)
        beat = { at: now + world.latencyMs, ids }
      }
    }
    const fresh: number[] = flowing ? behind(cursor, 300) : []
    if (fresh.length > 0) {
      cursor = fresh.at(-1) ?? cursor
      wire.push({ at: now + world.latencyMs, ids: fresh })
    } else if (flowing && now % STREAM_PING_MS < TICK_MS) {
      link = links.streamAlive(link, now)
      hungry = now
    }
    // Nothing to hear is no hunger, nor is what no client can mend.
    if ((flowing && wire.length === 0) || failing(now, 'beats-fail')) hungry = now
    hungriest = Math.max(hungriest, now - hungry)
    if (room.feed === checked) continue
    checked = room.feed
    const ids = room.feed.map(({ id }) => id)
    expect(ids.every((id, at) => at === 0 || id > (ids[at - 1] ?? 0))).toBe(true)
  }
  return { log, room, link, hungriest }
}

function entryOf(id: number): FeedEntry {
  return {
    id,
    playerId: 7,
    nickname: 'an**y',
    issue: '20261120138',
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

it('loses and doubles nothing however its stream is cut, and ends up with the stream again', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const { log, room, link, hungriest } = simulate(world)
      const shown = room.feed.map(({ id }) => id)
      // Of what was there before, the latest fifty; of what came since, all that the feed holds.
      expect(shown).toEqual(log.slice(-shown.length))
      expect(shown.length).toBeGreaterThanOrEqual(Math.min(271, log.length - world.before))
      expect(link.stream.kind).toBe('live')
      expect(hungriest).toBeLessThanOrEqual(4_000)
    }),
    { numRuns: 100 },
  )
})
