/**
 * The stream of a bet room: server-sent events over an ordinary GET, opened with `fetch` because the
 * token travels in the `Token` header, never in the address. It carries what {@link heart} answers,
 * in the same shapes, as soon as it changes; heart is what a client asks where the stream is broken.
 *
 * A refused opening is an envelope, as of any call. An open stream has these events, each with JSON
 * in one `data` line; a client passes over events that it does not know:
 *
 * | event | data | when |
 * |---|---|---|
 * | `round` | {@link streamRound} | at the beginning, and on each change of issue, seal, status or draw |
 * | `feed` | FeedMessage[], ids ascending, at most 300 | at the beginning where there are any, and on new bets |
 * | `money` | `{money, buy}` | at the beginning, and when either has changed |
 * | `win` | HitNotice[] | own wins of the last two rounds that this stream has not told yet |
 * | `end` | the envelope of a refusal | the last event: the session has ended (50008, 50012, 50014), or the player opened too many streams (429) |
 *
 * `after` is the id of the last feed entry seen, from a stream or from heart: the feed goes on behind
 * it, so that nothing is lost or doubled when a client goes from one to the other and back. Without
 * it the latest 50 entries come first. Every {@link STREAM_PING_MS} there is a comment line, so that
 * a client which hears nothing for {@link STREAM_SILENCE_MAX_MS} knows that its stream is dead.
 * A client that reads too slowly is cut off.
 */
import * as z from 'zod/mini'
import { count, id } from './fields.ts'
import { heart } from './lottery-routes.ts'
import { feedMessage, hitNotice, issueResult, round, userQuantity } from './replies.ts'
import { STREAM_PATH } from './stream-rules.ts'

/** Open streams of one player; one more ends the oldest. */
export const STREAMS_MAX = 6

export const stream = {
  method: 'GET',
  path: STREAM_PATH,
  summary: 'What a bet room shows that changes, as server-sent events',
  auth: 'token',
  rate: 'read',
  request: z.object({ plan_id: id, game_id: id, after: z.optional(count) }),
} as const

/** `game_status`, `issue` and `last_issue` of heart. */
export const streamRound = z.object({
  game_status: heart.reply.shape.game_status,
  issue: round,
  last_issue: z.nullable(issueResult),
})
export type StreamRound = z.infer<typeof streamRound>

/** The data of each event but `end`, whose data is the envelope of a refusal. */
export const STREAM_EVENTS = {
  round: streamRound,
  feed: z.array(feedMessage),
  money: userQuantity,
  win: z.array(hitNotice),
} as const

export type StreamEvents = {
  [Name in keyof typeof STREAM_EVENTS]: z.infer<(typeof STREAM_EVENTS)[Name]>
}
export type StreamEventName = keyof StreamEvents
