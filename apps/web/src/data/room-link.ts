/**
 * How a room hears its news, as one plain state: by its stream, and by beats where that is broken.
 * Pure functions from a state to the next one; who calls them opens, drops and asks. Instants are of
 * `performance.now()` and are handed in.
 */
import { STREAM_SILENCE_MAX_MS } from '@sum28/contract/stream-rules.ts'

/** A stream that has said nothing for so long after entering is helped out by a beat. */
const FIRST_BEAT_MS = 1_000

/** How long a broken stream is left alone: doubled with each break in a row, up to the most. */
const RETRY_LEAST_MS = 1_000
const RETRY_MOST_MS = 30_000

/** A stream that lived so long was a good one: its break is a first break again. */
const LIVED_MS = 20_000

export type Link = {
  readonly stream:
    | { readonly kind: 'down'; readonly retryAt: number }
    /** Being opened: nothing was told yet, so that beats go on. */
    | { readonly kind: 'opening'; readonly heardAt: number }
    | { readonly kind: 'live'; readonly heardAt: number; readonly since: number }
  /** Breaks in a row. */
  readonly breaks: number
  /** Whether any stream of this room has told anything. */
  readonly everLive: boolean
  /** When the next beat is due; null where none is. */
  readonly beatAt: number | null
  /** When the beat that is under way was asked; null where none is. */
  readonly askedAt: number | null
  /** From one beat to the next while there is no stream. */
  readonly everyMs: number
}

export type Todo = 'open' | 'drop' | 'beat'

/** A room just entered: the stream is opened at once, and beats stand by. */
export function beginLink({ now, everyMs }: { now: number; everyMs: number }): Link {
  return {
    stream: { kind: 'down', retryAt: now },
    breaks: 0,
    everLive: false,
    beatAt: now + FIRST_BEAT_MS,
    askedAt: null,
    everyMs,
  }
}

/**
 * What is to be done at an instant, in order; the link given is that after it was begun.
 *
 * @param spread from 0 to 1: keeps many clients of one server from coming back all at once
 */
export function stepLink(
  link: Link,
  { now, spread }: { now: number; spread: number },
): { link: Link; todo: Todo[] } {
  const todo: Todo[] = []
  let next = link
  if (next.stream.kind !== 'down' && now >= next.stream.heardAt + STREAM_SILENCE_MAX_MS) {
    todo.push('drop')
    next = streamBroken(next, { now, spread })
  }
  if (next.stream.kind === 'down' && now >= next.stream.retryAt) {
    todo.push('open')
    next = { ...next, stream: { kind: 'opening', heardAt: now } }
  }
  if (next.beatAt !== null && next.askedAt === null && now >= next.beatAt) {
    todo.push('beat')
    next = { ...next, beatAt: null, askedAt: now }
  }
  return { link: next, todo }
}

/** When there is something to do again, at the earliest. */
export function wakeAt({ stream, beatAt, askedAt }: Link): number {
  const streamAt = stream.kind === 'down' ? stream.retryAt : stream.heardAt + STREAM_SILENCE_MAX_MS
  return beatAt !== null && askedAt === null ? Math.min(streamAt, beatAt) : streamAt
}

/** The stream gave a sign of life that tells nothing. */
export function streamAlive(link: Link, now: number): Link {
  if (link.stream.kind === 'down') return link
  return { ...link, stream: { ...link.stream, heardAt: now } }
}

/** The stream told something: it can be counted on, and beats may rest. */
export function streamTold(link: Link, now: number): Link {
  const { stream } = link
  if (stream.kind === 'down') return link
  if (stream.kind === 'live') return { ...link, stream: { ...stream, heardAt: now } }
  return {
    ...link,
    stream: { kind: 'live', heardAt: now, since: now },
    everLive: true,
    beatAt: null,
  }
}

/**
 * The stream broke, ended, or could not be opened: beats take over at once.
 *
 * @param leastMs for so long it is left alone at the least
 */
export function streamBroken(
  link: Link,
  { now, spread, leastMs = 0 }: { now: number; spread: number; leastMs?: number },
): Link {
  const { stream } = link
  if (stream.kind === 'down') return link
  const lived = stream.kind === 'live' && now - stream.since >= LIVED_MS
  const breaks = lived ? 0 : link.breaks
  const pauseMs = Math.min(RETRY_MOST_MS, RETRY_LEAST_MS * 2 ** breaks) * (1 + spread)
  return {
    ...link,
    stream: { kind: 'down', retryAt: now + Math.max(leastMs, pauseMs) },
    breaks: breaks + 1,
    beatAt: Math.min(link.beatAt ?? now, now),
  }
}

/** The beat under way was answered, or failed. */
export function beatEnded(link: Link, now: number): Link {
  const { askedAt, everyMs, stream, beatAt } = link
  const due = stream.kind === 'live' ? null : Math.max(now, (askedAt ?? now) + everyMs)
  return { ...link, askedAt: null, beatAt: beatAt === null ? due : Math.max(now, beatAt) }
}

/** A beat is wanted at once; behind the one under way, which may be too old to know. */
export function beatWanted(link: Link, now: number): Link {
  return { ...link, beatAt: now }
}

/**
 * The way to the server may have changed: what was under way is given up, the stream is tried again
 * and a beat asked, both now.
 */
export function linkDoubted(link: Link, now: number): Link {
  const stream = { kind: 'down', retryAt: now } as const
  return { ...link, stream, breaks: 0, beatAt: now, askedAt: null }
}
