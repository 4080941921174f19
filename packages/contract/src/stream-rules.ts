/** What a client of the streams needs at run time; without schemas, so that it stays small. */

/** The stream of a bet room. */
export const STREAM_PATH = '/api/Lottery/stream'

/** The stream of all games, without a token. */
export const GAMES_STREAM_PATH = '/api/Lottery/gamesStream'

/** How often an idle stream sends a comment line. */
export const STREAM_PING_MS = 1_500

/**
 * After so long a silence a client treats the stream as broken, so that polling takes over within
 * four seconds.
 */
export const STREAM_SILENCE_MAX_MS = 3_500

/** The event with which the server ends a stream. */
export const STREAM_END = 'end'
