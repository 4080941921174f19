/** What a client of the stream in stream.ts has to know while it runs: no schemas, so that it is light. */

export const STREAM_PATH = '/api/Lottery/stream'

/** How often a stream on which nothing happens says that it lives. */
export const STREAM_PING_MS = 1_500

/**
 * After so long a silence a stream is broken, whatever the network says: polling is to have taken
 * over within four seconds.
 */
export const STREAM_SILENCE_MAX_MS = 3_500

/** The event after which a stream ends, by the server's decision. */
export const STREAM_END = 'end'
