/**
 * The streams: that of a bet room, and below that of all games. They are server-sent events over a
 * GET, opened with `fetch`, because a room's token must be in the `Token` header, never in the URL.
 *
 * A room's stream sends what {@link heart} answers, in the same shapes, as soon as it changes. A
 * client polls heart when the stream is broken. A refused opening is an envelope, as for any call.
 * An open stream has these events, each with JSON in one `data` line; a client ignores events that
 * it does not know:
 *
 * Without a token it has what a room shows to everybody: `round` and `feed`, so that a stranger can watch it.
 *
 * | event | data | when |
 * |---|---|---|
 * | `round` | {@link streamRound} | at the beginning, and on each change of issue, seal, status or draw |
 * | `feed` | FeedMessage[], ids ascending, at most 300 | at the beginning, none too, and on new bets; with `after` only if there are any |
 * | `money` | `{money, buy}` | at the beginning, and when either changes |
 * | `win` | HitNotice[] | own wins of the last two rounds that this stream has not sent yet |
 * | `own` | {@link ownState} | at the beginning, and on each change; of the player, whatever the room |
 * | `end` | the envelope of a refusal | the last event, see below |
 *
 * `end` says that the session has ended (50008, 50012, 50014), or that the player opened too many
 * streams (429).
 *
 * `after` is the id of the last feed entry that the client has, from a stream or from heart. The
 * feed continues behind it, so switching between the two neither loses nor repeats an entry.
 * Without `after` the latest 50 entries come first. A comment line is sent every `STREAM_PING_MS`
 * (stream-rules.ts), so a client that receives nothing for `STREAM_SILENCE_MAX_MS` knows that its
 * stream is broken. A client that reads too slowly is disconnected.
 */
import * as z from 'zod/mini'
import { count, id } from './fields.ts'
import { heart } from './lottery-routes.ts'
import {
  feedMessage,
  game,
  hitNotice,
  issueResult,
  money,
  runningRound,
  userQuantity,
  version,
} from './replies.ts'
import type { Route } from './route.ts'
import { GAMES_STREAM_PATH, OWN_EVENT, STREAM_PATH } from './stream-rules.ts'

/**
 * A call that answers with a stream of events on success; its refusals are envelopes. One that needs no token takes one:
 * then it has the player's own events too, and ends with his session.
 */
export type Stream = Pick<Route, 'path' | 'summary' | 'rate' | 'request'> & {
  readonly method: 'GET'
  readonly auth: 'none' | 'token'
  /**
   * Open streams of one player, or without a token of one address; one more ends the oldest. Never more than
   * {@link STREAMS_MAX} of one player.
   */
  readonly openMax: number
  /** The data of each event except `end`, by name. */
  readonly events: Readonly<Record<string, z.core.$ZodType>>
}

/** Open streams of a path of one player; one more ends the oldest. */
export const STREAMS_MAX = 6

/**
 * Open streams of a path of one address without a token; one more ends the oldest. Many may share an address; a client
 * whose stream was ended polls.
 */
export const STRANGERS_STREAMS_MAX = 200

/** The fields `game_status`, `issue` and `last_issue` of heart. */
export const streamRound = z.object({
  game_status: heart.reply.shape.game_status,
  issue: runningRound,
  last_issue: z.nullable(issueResult),
})
export type StreamRound = z.infer<typeof streamRound>

const mark = z.string()

/**
 * What a player's own data are at. `money` is his balance and `held` what is set aside, of that `version`. The others are marks without a meaning: one
 * that differs from the mark that was received before says that the replies about its subject have changed, so that
 * they are to be asked for again. `bets`: placed, settled or refunded; `deposits`: seen, credited or held; `withdrawals`:
 * requested or decided; `protection`: limits and their use, breaks, the session of play; `messages`: a new one.
 */
export const ownState = z.object({
  money,
  held: money,
  version,
  bets: mark,
  deposits: mark,
  withdrawals: mark,
  protection: mark,
  messages: mark,
})
export type OwnState = z.infer<typeof ownState>

/** The data of each event except `end`, whose data is the envelope of a refusal. */
export const STREAM_EVENTS = {
  round: streamRound,
  feed: z.array(feedMessage),
  money: userQuantity,
  win: z.array(hitNotice),
  [OWN_EVENT]: ownState,
} as const

export type StreamEvents = {
  [Name in keyof typeof STREAM_EVENTS]: z.infer<(typeof STREAM_EVENTS)[Name]>
}
export type StreamEventName = keyof StreamEvents

export const stream = {
  method: 'GET',
  path: STREAM_PATH,
  summary: 'What a bet room shows that changes, as server-sent events',
  auth: 'none',
  rate: 'read',
  request: z.object({ plan_id: id, game_id: id, after: z.optional(count) }),
  openMax: STRANGERS_STREAMS_MAX,
  events: STREAM_EVENTS,
} as const satisfies Stream

/** A result, with the game that it belongs to. */
export const gameDraw = z.extend(issueResult, { game_id: z.int() })
export type GameDraw = z.infer<typeof gameDraw>

/**
 * The data of each event of the games' stream except `end`:
 *
 * | event | data | when |
 * |---|---|---|
 * | `begin` | every game, as the lobby answers them | at the beginning, and when draws may have been missed |
 * | `games` | the games that changed: round, seal, last draw, status, rooms | on each change |
 * | `draws` | results that were not sent yet, oldest first, late ones too | before the `games` that names them |
 * | `own` | {@link ownState} | with a token: at the beginning, and on each change |
 *
 * After `begin` a client must load its data again. A client that loaded a game's results at or after
 * `begin` therefore has them all without polling.
 */
export const GAMES_STREAM_EVENTS = {
  begin: z.array(game),
  games: z.array(game),
  draws: z.array(gameDraw),
  [OWN_EVENT]: ownState,
} as const

export type GamesStreamEvents = {
  [Name in keyof typeof GAMES_STREAM_EVENTS]: z.infer<(typeof GAMES_STREAM_EVENTS)[Name]>
}
export type GamesStreamEventName = keyof GamesStreamEvents

/** The lobby's answer as it changes, the draws, and with a token the player's own: for screens outside a room. */
export const gamesStream = {
  method: 'GET',
  path: GAMES_STREAM_PATH,
  summary: 'The games, their rounds and draws as they change, as server-sent events',
  auth: 'none',
  rate: 'read',
  request: z.object({}),
  openMax: STRANGERS_STREAMS_MAX,
  events: GAMES_STREAM_EVENTS,
} as const satisfies Stream
