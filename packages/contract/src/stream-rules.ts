/** Constants for clients of the streams; without schemas, so that the module stays small. */

/** The stream of a bet room. */
export const STREAM_PATH = '/api/Lottery/stream'

/** The stream of all games, for which no token is needed. */
export const GAMES_STREAM_PATH = '/api/Lottery/gamesStream'

/** How often an idle stream sends a comment line. */
export const STREAM_PING_MS = 1_500

/**
 * After this silence a client treats the stream as broken, so that polling begins within four
 * seconds.
 */
export const STREAM_SILENCE_MAX_MS = 3_500

/** The event with which the server ends a stream. */
export const STREAM_END = 'end'

/** The event of the player's own data, in every stream that has a player. */
export const OWN_EVENT = 'own'
