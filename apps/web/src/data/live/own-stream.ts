/** A stream as the page's player sees it, or a stranger: with his own events, if he is signed in. */
import { endsSession } from '#src/data/client.ts'
import { handleOwnEvent } from '#src/data/live/own-events.ts'
import { openStream, readStream, type StreamListener } from '#src/data/live/read-stream.ts'
import { queryClient } from '#src/data/query-client.ts'
import { currentSession } from '#src/data/session-watch.ts'

type OwnStream = StreamListener & {
  path: string
  query?: Record<string, number>
  signal: AbortSignal
}

/** Opens a stream and reads it. Rejects when it breaks; resolves if it ended with the player's session. */
export async function runOwnStream(stream: OwnStream): Promise<void> {
  const { path, query = {}, signal, onBytes, onEvent } = stream
  const token = currentSession()?.token
  try {
    const opening = { signal, query, ...(token !== undefined && { token }) }
    await readStream(await openStream(path, opening), {
      onBytes,
      onEvent: (event, receivedAt) => {
        if (signal.aborted) return
        handleOwnEvent(queryClient, event)
        onEvent(event, receivedAt)
      },
    })
  } catch (error) {
    if (signal.aborted || token === undefined || !endsSession(error, token)) throw error
  }
}
