/** One connection for one piece of work, outside of every pool. */
import pg from 'pg'

/**
 * Runs work on a new connection, and closes it afterwards.
 *
 * @param config the address, or more settings
 * @throws what connecting or the work throws
 */
export async function withClient<Result>(
  config: string | pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(config)
  // A connection that breaks fails the next statement. The event itself would end the process if nobody listened.
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end()
  }
}
