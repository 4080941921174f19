/** The connection pool, transactions, and how PostgreSQL's types become ours. */
import pg from 'pg'

/** Whatever a store may send a statement to: the pool, or the transaction it is part of. */
export type Queryable = {
  /**
   * Sends one statement.
   * @returns its rows; `bigint` as bigint, instants as milliseconds since 1970, days as text
   */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

/** A transaction under way: what is done through it is kept together or not at all. */
export type Transaction = Queryable & { readonly inTransaction: true }

export type Database = Queryable & {
  /** Runs work in one transaction: committed when it resolves, rolled back when it rejects. */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>
  /** The pool itself, for libraries that want one. */
  readonly pool: pg.Pool
  close(): Promise<void>
}

const { builtins } = pg.types
const BIGINT_ARRAY_OID = 1016
const parsers: Record<number, (text: string) => unknown> = {
  [builtins.INT8]: BigInt,
  [builtins.DATE]: (text) => text,
  [builtins.TIMESTAMPTZ]: (text) => Date.parse(text),
  [BIGINT_ARRAY_OID]: (text) =>
    text === '{}'
      ? []
      : text
          .slice(1, -1)
          .split(',')
          .map((each) => BigInt(each)),
}

export type PoolOptions = {
  connectionsMax?: number
  /** How long to wait for a connection that is free. */
  waitMs?: number
  /** Hears of idle connections that broke, such as when the database restarts. */
  onError?: (error: Error) => void
}

/** Opens the database for our own statements, with its types as ours. */
export function openDatabase(url: string, options: PoolOptions = {}): Database {
  const pool = openPool(url, {
    ...options,
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        (format !== 'binary' && parsers[oid]) || pg.types.getTypeParser(oid, format)) as never,
    },
  })

  return {
    pool,
    query: (text, values) => run(pool, text, values),
    async transaction(work) {
      const client = await pool.connect()
      let broken: Error | undefined
      try {
        await client.query('begin')
        const result = await work({
          inTransaction: true,
          query: (text, values) => run(client, text, values),
        })
        await client.query('commit')
        return result
      } catch (error) {
        await client.query('rollback').catch((cause: Error) => {
          broken = cause
        })
        throw error
      } finally {
        client.release(broken)
      }
    },
    close: () => pool.end(),
  }
}

/** Opens a bare pool, for a library that wants one of its own. */
export function openPool(
  url: string,
  {
    connectionsMax = 16,
    waitMs = 5_000,
    onError,
    types,
  }: PoolOptions & { types?: pg.CustomTypesConfig } = {},
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: waitMs,
    // A process that hangs within a transaction, or behind one, must not hold others up for ever.
    idle_in_transaction_session_timeout: 15_000,
    lock_timeout: 30_000,
    application_name: 'sum28',
    ...(types ? { types } : {}),
  })
  pool.on('error', (error) => onError?.(error))
  // The pool listens to idle connections alone. One that breaks between two statements of a
  // transaction, or while it is being closed, would otherwise end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

async function run<Row extends object>(
  target: pg.Pool | pg.PoolClient,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const result = await target.query<Row>(text, values as unknown[])
  return result.rows
}

/** Exactly one row, or an assertion that fails: for statements that cannot give anything else. */
export function only<Row>(rows: Row[]): Row {
  const [row, ...more] = rows
  if (row === undefined || more.length > 0) {
    throw new Error(`one row was expected, ${rows.length} came`)
  }
  return row
}

/** The name of the constraint that a failed statement broke, if that is why it failed. */
export function brokenConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.constraint : undefined
}

/** Whether a statement failed because the database is away, not because of what was asked. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) {
    // FATAL ends the connection, or did not let it begin, whatever was asked.
    return error.severity === 'FATAL' || /^(08|57P0|53300)/.test(error.code ?? '')
  }
  if (!(error instanceof Error)) return false
  const code = (error as NodeJS.ErrnoException).code ?? ''
  return (
    /^(ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT)$/.test(code) ||
    /Connection terminated|is not queryable|timeout exceeded when trying to connect/.test(
      error.message,
    )
  )
}
