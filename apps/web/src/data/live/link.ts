/**
 * How news come from the server, as a state machine: by a stream, and by asking, a beat every so
 * often, where there is none. A pure function from a state and an event to the next state and what
 * is to be done; `run-link.ts` does it. Instants are of `performance.now()` and are handed in.
 *
 * | state | means | beats |
 * |---|---|---|
 * | `connecting` | the stream is being opened and has told nothing yet | go on |
 * | `streaming` | the stream tells | rest, but for one that is wanted at once |
 * | `asking` | there is no stream until it is tried again | go on |
 * | `hidden` | nobody sees the page: nothing is listened to or asked for | none |
 * | `stopped` | the end | none |
 */
import { STREAM_SILENCE_MAX_MS } from '@sum28/contract/stream-rules.ts'

/** A stream that has told nothing so long after the beginning is helped by a beat. */
const FIRST_BEAT_MS = 1_000

/** How long a broken stream is left alone: doubled with each break in a row, up to the most. */
const RETRY_LEAST_MS = 1_000
const RETRY_MOST_MS = 30_000

/** A stream that told for so long was a good one: its break is a first break again. */
const GOOD_STREAM_MS = 20_000

export type Link = {
  readonly state:
    | { readonly name: 'connecting'; readonly heardAt: number }
    | { readonly name: 'streaming'; readonly heardAt: number; readonly since: number }
    | { readonly name: 'asking'; readonly retryAt: number }
    | { readonly name: 'hidden' }
    | { readonly name: 'stopped' }
  /** Breaks in a row. */
  readonly breaks: number
  /** Whether any stream of this link has told anything. */
  readonly everTold: boolean
  /** When the next beat is due; null where none is. */
  readonly beatAt: number | null
  /** When the beat that is under way was asked; null where none is. */
  readonly askedAt: number | null
  /** From one beat to the next while there is no stream, in milliseconds. */
  readonly everyMs: number
}

export type LinkEvent =
  /** The instant that `wakeAt` named has come. */
  | { readonly what: 'time' }
  /** Bytes came by the stream that tell nothing. */
  | { readonly what: 'bytes' }
  /** The stream told something. */
  | { readonly what: 'told' }
  /** The stream broke, ended or was refused; it is left alone for `leastMs` at the least. */
  | { readonly what: 'broken'; readonly leastMs: number }
  /** The beat under way was answered, or failed. */
  | { readonly what: 'answered' }
  /** A beat is wanted at once; after the one under way, which may be too old to know. */
  | { readonly what: 'wanted' }
  /** The way to the server may be another one: the network or the line has changed. */
  | { readonly what: 'rerouted' }
  | { readonly what: 'hidden' }
  | { readonly what: 'seen' }
  | { readonly what: 'stop' }

/** What is to be done, in order. `drop…` gives up what is under way, if anything is. */
export type Todo = 'drop-stream' | 'drop-beat' | 'open' | 'beat'

/** @param spread from 0 to 1: keeps many clients of one server from coming back all at once */
type Moment = { now: number; spread: number }

/** The beginning: the stream is opened at once, and a beat follows if it tells nothing. */
export function beginLink({ now, everyMs }: { now: number; everyMs: number }): Link {
  return {
    state: { name: 'asking', retryAt: now },
    breaks: 0,
    everTold: false,
    beatAt: now + FIRST_BEAT_MS,
    askedAt: null,
    everyMs,
  }
}

/** The state after an event, and what is to be done then. */
export function stepLink(
  before: Link,
  event: LinkEvent,
  moment: Moment,
): { link: Link; todo: Todo[] } {
  if (before.state.name === 'stopped') return { link: before, todo: [] }
  const gaveUp = event.what === 'rerouted' || event.what === 'seen'
  const ended = event.what === 'hidden' || event.what === 'stop'
  const todo: Todo[] = gaveUp || ended ? ['drop-stream', 'drop-beat'] : []
  let link = afterEvent(before, event, moment)
  const { now } = moment
  if (isOpen(link) && now >= link.state.heardAt + STREAM_SILENCE_MAX_MS) {
    todo.push('drop-stream')
    link = afterBreak(link, { ...moment, leastMs: 0 })
  }
  if (link.state.name === 'asking' && now >= link.state.retryAt) {
    todo.push('open')
    link = { ...link, state: { name: 'connecting', heardAt: now } }
  }
  if (link.beatAt !== null && link.askedAt === null && now >= link.beatAt) {
    todo.push('beat')
    link = { ...link, beatAt: null, askedAt: now }
  }
  return { link, todo }
}

/** When the event `time` is due; null where it never is. */
export function wakeAt(link: Link): number | null {
  const { state, beatAt, askedAt } = link
  if (state.name === 'hidden' || state.name === 'stopped') return null
  const streamAt = state.name === 'asking' ? state.retryAt : state.heardAt + STREAM_SILENCE_MAX_MS
  return beatAt !== null && askedAt === null ? Math.min(streamAt, beatAt) : streamAt
}

function afterEvent(link: Link, event: LinkEvent, { now, spread }: Moment): Link {
  const hidden = link.state.name === 'hidden'
  switch (event.what) {
    case 'time':
      return link
    case 'bytes':
      return isOpen(link) ? { ...link, state: { ...link.state, heardAt: now } } : link
    case 'told':
      return isOpen(link) ? afterTold(link, now) : link
    case 'broken':
      return isOpen(link) ? afterBreak(link, { now, spread, leastMs: event.leastMs }) : link
    case 'answered':
      return hidden ? link : afterAnswer(link, now)
    case 'wanted':
      return hidden ? link : { ...link, beatAt: now }
    case 'rerouted':
      return hidden ? link : anew(link, now)
    case 'seen':
      return anew(link, now)
    case 'hidden':
      return { ...link, state: { name: 'hidden' }, beatAt: null, askedAt: null }
    case 'stop':
      return { ...link, state: { name: 'stopped' }, beatAt: null, askedAt: null }
  }
}

type OpenLink = Link & { readonly state: { readonly name: 'connecting' | 'streaming' } }

/** Whether there is a stream, be it that it has told nothing yet. */
function isOpen(link: Link): link is OpenLink {
  return link.state.name === 'connecting' || link.state.name === 'streaming'
}

/** A stream that tells can be counted on: beats may rest. */
function afterTold(link: OpenLink, now: number): Link {
  const { state } = link
  if (state.name === 'streaming') return { ...link, state: { ...state, heardAt: now } }
  const streaming = { name: 'streaming', heardAt: now, since: now } as const
  return { ...link, state: streaming, everTold: true, beatAt: null }
}

/** Beats take over at once. */
function afterBreak(link: OpenLink, { now, spread, leastMs }: Moment & { leastMs: number }): Link {
  const { state, beatAt } = link
  const good = state.name === 'streaming' && now - state.since >= GOOD_STREAM_MS
  const breaks = good ? 0 : link.breaks
  const pauseMs = Math.min(RETRY_MOST_MS, RETRY_LEAST_MS * 2 ** breaks) * (1 + spread)
  return {
    ...link,
    state: { name: 'asking', retryAt: now + Math.max(leastMs, pauseMs) },
    breaks: breaks + 1,
    beatAt: Math.min(beatAt ?? now, now),
  }
}

function afterAnswer(link: Link, now: number): Link {
  const { askedAt, everyMs, state, beatAt } = link
  const due = state.name === 'streaming' ? null : Math.max(now, (askedAt ?? now) + everyMs)
  return { ...link, askedAt: null, beatAt: beatAt === null ? due : Math.max(now, beatAt) }
}

/** The stream is tried again and a beat asked, both now. */
function anew(link: Link, now: number): Link {
  return { ...link, state: { name: 'asking', retryAt: now }, breaks: 0, beatAt: now, askedAt: null }
}
