/** What a client of the streams in stream.ts has to know while it runs: no schemas, so that it is light. */

/** The stream of a bet room. */
export const STREAM_PATH = '/api/Lottery/stream'

/** The stream of all games, open to anybody. */
export const GAMES_STREAM_PATH = '/api/Lottery/gamesStream'

/** How often a stream on which nothing happens says that it lives. */
export const STREAM_PING_MS = 1_500

/**
 * After so long a silence a stream is broken, whatever the network says: polling is to have taken
 * over within four seconds.
 */
export const STREAM_SILENCE_MAX_MS = 3_500

/** The event after which a stream ends, by the server's decision. */
export const STREAM_END = 'end'
