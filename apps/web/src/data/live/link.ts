/**
 * The connection to the server as a state machine: a stream, and regular beats while there is no
 * stream. A pure function from a state and an event to the next state and the actions, which
 * `run-link.ts` carries out. Instants are of `performance.now()` and are passed in.
 *
 * | state | means | beats |
 * |---|---|---|
 * | `connecting` | the stream is being opened and has sent nothing yet | yes |
 * | `streaming` | the stream has sent data | only one that is requested |
 * | `polling` | there is no stream until the next attempt | yes |
 * | `hidden` | the page is hidden: no stream | no |
 * | `stopped` | the end | no |
 */
import { STREAM_SILENCE_MAX_MS } from '@sum28/contract/stream-rules.ts'

/** If a new stream sends nothing for this long, a beat is sent. */
const FIRST_BEAT_MS = 1_000

/** The pause before a broken stream is opened again: doubled with each break in a row. */
const RETRY_LEAST_MS = 1_000
const RETRY_MOST_MS = 30_000

/** After a stream of at least this duration, the count of breaks starts again. */
const GOOD_STREAM_MS = 20_000

export type LiveLink = {
  readonly state:
    | { readonly name: 'connecting'; readonly lastReceivedAt: number }
    | { readonly name: 'streaming'; readonly lastReceivedAt: number; readonly since: number }
    | { readonly name: 'polling'; readonly retryAt: number }
    | { readonly name: 'hidden' }
    | { readonly name: 'stopped' }
  /** Breaks in a row. */
  readonly breaks: number
  /** Whether any stream of this link has sent data. */
  readonly everReceived: boolean
  /** When the next beat is due; null if none is. */
  readonly beatAt: number | null
  /** When the unanswered beat was sent; null if there is none. */
  readonly beatSentAt: number | null
  /** The interval of beats while there is no stream, in milliseconds. */
  readonly everyMs: number
}

export type LinkEvent =
  /** The instant that `wakeAt` named has come. */
  | { readonly what: 'time' }
  /** The stream sent bytes without data. */
  | { readonly what: 'bytes' }
  /** The stream sent data. */
  | { readonly what: 'data' }
  /** The stream broke, ended or was refused; the next attempt is at least `leastMs` later. */
  | { readonly what: 'broken'; readonly leastMs: number }
  /** The beat was answered, or failed. */
  | { readonly what: 'answered' }
  /** A beat is requested: now, or after the unanswered one, whose answer may be too old. */
  | { readonly what: 'requested' }
  /** The network or the line has changed. */
  | { readonly what: 'rerouted' }
  | { readonly what: 'hidden' }
  | { readonly what: 'visible' }
  | { readonly what: 'stop' }

/** The actions, in order. `drop…` aborts an open stream or an unanswered beat, if any. */
export type LinkAction = 'drop-stream' | 'drop-beat' | 'open' | 'beat'

/** @param spread from 0 to 1, random: keeps clients from reconnecting all at once */
type Moment = { now: number; spread: number }

/** The first state: the stream is opened at once, and a beat follows if it sends nothing. */
export function beginLink({ now, everyMs }: { now: number; everyMs: number }): LiveLink {
  return {
    state: { name: 'polling', retryAt: now },
    breaks: 0,
    everReceived: false,
    beatAt: now + FIRST_BEAT_MS,
    beatSentAt: null,
    everyMs,
  }
}

export function stepLink(
  before: LiveLink,
  event: LinkEvent,
  moment: Moment,
): { link: LiveLink; todo: LinkAction[] } {
  if (before.state.name === 'stopped') return { link: before, todo: [] }
  const reconnects = event.what === 'rerouted' || event.what === 'visible'
  const ended = event.what === 'hidden' || event.what === 'stop'
  const todo: LinkAction[] = reconnects || ended ? ['drop-stream', 'drop-beat'] : []
  let link = afterEvent(before, event, moment)
  const { now } = moment
  if (isOpen(link) && now >= link.state.lastReceivedAt + STREAM_SILENCE_MAX_MS) {
    todo.push('drop-stream')
    link = afterBreak(link, { ...moment, leastMs: 0 })
  }
  if (link.state.name === 'polling' && now >= link.state.retryAt) {
    todo.push('open')
    link = { ...link, state: { name: 'connecting', lastReceivedAt: now } }
  }
  if (link.beatAt !== null && link.beatSentAt === null && now >= link.beatAt) {
    todo.push('beat')
    link = { ...link, beatAt: null, beatSentAt: now }
  }
  return { link, todo }
}

/** When the event `time` is due, or null. */
export function wakeAt(link: LiveLink): number | null {
  const { state, beatAt, beatSentAt } = link
  if (state.name === 'hidden' || state.name === 'stopped') return null
  const streamAt =
    state.name === 'polling' ? state.retryAt : state.lastReceivedAt + STREAM_SILENCE_MAX_MS
  return beatAt !== null && beatSentAt === null ? Math.min(streamAt, beatAt) : streamAt
}

function afterEvent(link: LiveLink, event: LinkEvent, { now, spread }: Moment): LiveLink {
  const hidden = link.state.name === 'hidden'
  switch (event.what) {
    case 'time':
      return link
    case 'bytes':
      return isOpen(link) ? { ...link, state: { ...link.state, lastReceivedAt: now } } : link
    case 'data':
      return isOpen(link) ? afterData(link, now) : link
    case 'broken':
      return isOpen(link) ? afterBreak(link, { now, spread, leastMs: event.leastMs }) : link
    case 'answered':
      return hidden ? link : afterAnswer(link, now)
    case 'requested':
      return hidden ? link : { ...link, beatAt: now }
    case 'rerouted':
      return hidden ? link : reconnected(link, now)
    case 'visible':
      return reconnected(link, now)
    case 'hidden':
      return { ...link, state: { name: 'hidden' }, beatAt: null, beatSentAt: null }
    case 'stop':
      return { ...link, state: { name: 'stopped' }, beatAt: null, beatSentAt: null }
  }
}

type OpenLink = LiveLink & { readonly state: { readonly name: 'connecting' | 'streaming' } }

/** Whether a stream is open or being opened. */
function isOpen(link: LiveLink): link is OpenLink {
  return link.state.name === 'connecting' || link.state.name === 'streaming'
}

/** The stream works: beats stop. */
function afterData(link: OpenLink, now: number): LiveLink {
  const { state } = link
  if (state.name === 'streaming') return { ...link, state: { ...state, lastReceivedAt: now } }
  const streaming = { name: 'streaming', lastReceivedAt: now, since: now } as const
  return { ...link, state: streaming, everReceived: true, beatAt: null }
}

/** Beats begin at once. */
function afterBreak(
  link: OpenLink,
  { now, spread, leastMs }: Moment & { leastMs: number },
): LiveLink {
  const { state, beatAt } = link
  const good = state.name === 'streaming' && now - state.since >= GOOD_STREAM_MS
  const breaks = good ? 0 : link.breaks
  const pauseMs = Math.min(RETRY_MOST_MS, RETRY_LEAST_MS * 2 ** breaks) * (1 + spread)
  return {
    ...link,
    state: { name: 'polling', retryAt: now + Math.max(leastMs, pauseMs) },
    breaks: breaks + 1,
    beatAt: Math.min(beatAt ?? now, now),
  }
}

function afterAnswer(link: LiveLink, now: number): LiveLink {
  const { beatSentAt, everyMs, state, beatAt } = link
  const due = state.name === 'streaming' ? null : Math.max(now, (beatSentAt ?? now) + everyMs)
  return { ...link, beatSentAt: null, beatAt: beatAt === null ? due : Math.max(now, beatAt) }
}

function reconnected(link: LiveLink, now: number): LiveLink {
  return {
    ...link,
    state: { name: 'polling', retryAt: now },
    breaks: 0,
    beatAt: now,
    beatSentAt: null,
  }
}
