/** The connection pool, transactions, and the conversion of PostgreSQL's types to ours. */
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { orNull } from '#src/concurrency/concurrency.ts'
import { inSqlSpan } from '#src/process/tracing.ts'
import { isRefusal } from '#src/refusal/refusal.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'
import { LIMITS, type Limits, type Work } from './limits.ts'

/** What a store sends statements to: the pool, or the transaction that it is part of. */
export type Queryable = {
  /**
   * Sends one statement.
   *
   * @param options `prepared`: each connection parses and plans the text once and reuses its plan. For texts that are
   *   sent very often, and for which one plan suits all values
   * @returns its rows; `bigint` as bigint, instants as milliseconds since 1970, days as text
   */
  query<Row extends object>(
    text: string,
    values?: readonly unknown[],
    options?: { prepared: boolean },
  ): Promise<Row[]>
  /** The same, for a statement with exactly one row. @throws for any other number */
  one<Row extends object>(...statement: Statement): Promise<Row>
  /** The same, for a statement with one row or none. */
  first<Row extends object>(...statement: Statement): Promise<Row | undefined>
  /** The same. @returns whether there is any row */
  exists(...statement: Statement): Promise<boolean>
  /** The same, for a statement with one column. @returns its values, in the order of the rows */
  column<Value>(...statement: Statement): Promise<Value[]>
  /** The same, for one row of one column. @throws for any other number */
  value<Value>(...statement: Statement): Promise<Value>
}

type Statement = [text: string, values?: readonly unknown[], options?: { prepared: boolean }]

/** Makes the other reads of `query`. */
export function queryable(query: Queryable['query']): Queryable {
  return {
    query,
    async one<Row extends object>(...statement: Statement) {
      return only(await this.query<Row>(...statement))
    },
    async first<Row extends object>(...statement: Statement) {
      return (await this.query<Row>(...statement))[0]
    },
    async exists(...statement) {
      return (await this.query(...statement)).length > 0
    },
    async column<Value>(...statement: Statement) {
      const rows = await this.query<Record<string, Value>>(...statement)
      return rows.map((row) => only(Object.values(row)))
    },
    async value<Value>(...statement: Statement) {
      return only(await this.column<Value>(...statement))
    },
  }
}

/** A running transaction: everything done through it is committed together or not at all. */
export type Transaction = Queryable & {
  readonly inTransaction: true
  /** Encrypts what is queued in it, such as a mailed code; missing where nothing of that is queued. */
  readonly cipher?: SecretCipher | undefined
}

export type Database = Queryable & {
  /**
   * Runs work in one transaction: committed when it resolves, rolled back when it rejects or returns a refusal, so
   * that a use case which refuses has changed nothing. If the database aborts it because of another transaction (a
   * deadlock, a conflict), it runs again, a limited number of times. So the work must have no effect outside of the
   * transaction that must not occur twice.
   *
   * @param options `keepRefusals`: commits also what was written before a refusal, such as a counted try
   */
  transaction<Result>(
    work: (tx: Transaction) => Promise<Result>,
    options?: { keepRefusals?: boolean },
  ): Promise<Result>
  /** Sends one statement through a new connection of its own, whatever the state of the pool. */
  queryAfresh<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** The pool itself, for libraries that need one. */
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
  /** The kind of work, which decides how long the database may take. By default the longest limits. */
  work?: Work
  /** Limits that replace those of the kind of work. */
  limits?: Partial<Limits>
  /** How long a transaction may wait for its next statement, in milliseconds; 0: without an end. 15 s by default. */
  pauseMaxMs?: number
  /** That of its transactions. */
  cipher?: SecretCipher
  /** Called for idle connections that broke, for example when the database restarts. */
  onError?: (error: Error) => void
}

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers[oid]) || pg.types.getTypeParser(oid, format)) as never,
}

/** A process that hangs within a transaction must not block others forever. */
const PAUSE_MAX_MS = 15_000

/** Opens the database for our own statements, with our types. */
export function openDatabase(url: string, options: PoolOptions = {}): Database {
  const pool = openPool(url, { ...options, types })

  return {
    pool,
    ...queryable((text, values, how) => committing(triedAgain(() => run(pool, text, values, how)))),
    transaction: (work, { keepRefusals = false } = {}) =>
      triedAgain(() => transact(pool, work, { keepRefusals, cipher: options.cipher })),
    queryAfresh: <Row extends object>(text: string, values?: readonly unknown[]) =>
      triedAgain(async () => {
        const client = new pg.Client({ ...connection(url, options), types })
        client.on('error', () => {})
        try {
          await client.connect().catch(noteFailure)
          return await committing(run<Row>(client, text, values).catch(noteFailure))
        } finally {
          // The rows have arrived: an error while the connection closes changes nothing.
          void client.end().catch(() => {})
        }
      }),
    close: () => pool.end(),
  }
}

/** So long an idle connection is kept, in milliseconds: a new one plans each of its statements anew. */
const IDLE_MAX_MS = 300_000

/** Opens a bare pool, for a library that needs its own. */
export function openPool(
  url: string,
  options: PoolOptions & { types?: pg.CustomTypesConfig } = {},
): pg.Pool {
  const { connectionsMax = 16, onError, types } = options
  const pool = new pg.Pool({
    ...connection(url, options),
    max: connectionsMax,
    idleTimeoutMillis: IDLE_MAX_MS,
    ...(types ? { types } : {}),
  })
  pool.connect = withFailures(pool.connect.bind(pool), noteFailure)
  pool.query = withFailures(pool.query.bind(pool), noteFailure)
  pool.on('connect', (client) => {
    client.query = withFailures(client.query.bind(client), noteFailure)
  })
  pool.on('error', (error) => onError?.(error))
  // The pool handles errors of idle connections only. A connection that breaks between two statements of a
  // transaction, or while it closes, would otherwise end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** The same call; if it returns a promise, its failures are handled. */
export function withFailures<Call>(call: Call, handle: (error: unknown) => never): Call {
  return ((...given: unknown[]) => {
    const result = (call as (...given: unknown[]) => unknown)(...given)
    return result instanceof Promise ? result.catch(handle) : result
  }) as Call
}

/** Failures of the driver's calls that are neither the server's answer nor a mistake of ours. */
const failuresOfConnections = new WeakSet<object>()

/**
 * Remembers that a call of the driver failed because of the connection. That is every failure, whatever its code: a
 * name that cannot be resolved, a refused certificate, a broken socket. Only what the server answered is not, and what
 * the language itself throws, for a value that cannot be converted.
 */
function noteFailure(error: unknown): never {
  const isOurs = [pg.DatabaseError, TypeError, RangeError, SyntaxError].some(
    (kind) => error instanceof kind,
  )
  if (error instanceof Error && !isOurs) failuresOfConnections.add(error)
  throw error
}

function connection(
  url: string,
  { work = 'jobs', limits = {}, pauseMaxMs = PAUSE_MAX_MS }: PoolOptions,
): pg.ClientConfig {
  const { connectMs, lockMs, statementMs, answerMs } = { ...LIMITS[work], ...limits }
  return {
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    lock_timeout: lockMs,
    statement_timeout: statementMs,
    query_timeout: answerMs,
    idle_in_transaction_session_timeout: pauseMaxMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: `sum28 ${work}`,
    // PostgreSQL's JIT would compile the plan of each order for seconds: bets.place disables sequential scans, and the
    // planner then estimates very high costs.
    options: '-c jit=off',
  }
}

async function transact<Result>(
  pool: pg.Pool,
  work: (tx: Transaction) => Promise<Result>,
  { keepRefusals, cipher }: { keepRefusals: boolean; cipher: SecretCipher | undefined },
): Promise<Result> {
  const client = await pool.connect()
  let broken: Error | undefined
  async function rollBack(): Promise<void> {
    await client.query('rollback').catch((cause: Error) => {
      broken = cause
    })
  }
  try {
    await client.query('begin')
    const result = await work({
      inTransaction: true,
      cipher,
      ...queryable((text, values, options) => run(client, text, values, options)),
    })
    if (isRefusal(result) && !keepRefusals) {
      await rollBack()
      return result
    }
    const { command } = await inSqlSpan('commit', () => committing(client.query('commit')))
    // If a statement of the transaction has failed, PostgreSQL answers the commit with a rollback.
    if (command !== 'COMMIT') {
      throw new Error('a transaction in which a statement had failed was to be committed')
    }
    return result
  } catch (error) {
    // No statement after an unanswered one would be answered either.
    if (isDatabaseAway(error) && !isBusy(error)) broken = error as Error
    else await rollBack()
    throw error
  } finally {
    client.release(broken)
  }
}

/** Errors of statements that commit, of which nobody knows whether they did. */
const unanswered = new WeakSet<Error>()

/**
 * Whether work that failed with this error may have been committed: the answer to its commit was lost. Before the
 * commit a lost connection is the end of its transaction.
 */
export function mayBeCommitted(error: unknown): boolean {
  return error instanceof Error && unanswered.has(error)
}

/** Notes the error of a statement that commits, if nobody knows whether it did. */
async function committing<Result>(statement: Promise<Result>): Promise<Result> {
  try {
    return await statement
  } catch (error) {
    const lost = isDatabaseAway(error) && !isBusy(error) && !isWithoutConnection(error as Error)
    if (lost) unanswered.add(error as Error)
    throw error
  }
}

/** How often work that the database aborts because of other transactions is tried in all. */
const TRIES_MAX = 6
/** The longest pause before the second try; it doubles for each further one. */
const PAUSE_MS = 20

/** Runs work that is one transaction, and again if a deadlock or a conflict has rolled it back. */
async function triedAgain<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isBrokenOff(error) || tries >= TRIES_MAX) throw error
    }
    // A random pause, so that transactions that collided do not collide again.
    await sleep(randomInt(PAUSE_MS * 2 ** (tries - 1)))
  }
}

/** Whether a transaction was rolled back because of others: a deadlock or a serialization failure. */
function isBrokenOff(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40P01' || error.code === '40001')
}

async function run<Row extends object>(
  target: pg.Pool | pg.ClientBase,
  text: string,
  values: readonly unknown[] = [],
  { prepared } = { prepared: false },
): Promise<Row[]> {
  const statement = { text, values: values as unknown[] }
  const result = await inSqlSpan(text, () =>
    target.query<Row>(prepared ? { ...statement, name: nameOf(text) } : statement),
  )
  return result.rows
}

/** The names of prepared statements, by their texts. The texts are in the source, so there are few. */
const names = new Map<string, string>()

function nameOf(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = `sum28_${names.size}`
    names.set(text, name)
  }
  return name
}

/** Whether the database answers, and soon. */
export async function isReachable(db: Queryable): Promise<boolean> {
  return (await orNull(db.query('select'))) !== null
}

/** Calls a function of the database, such as `rounds.void`, and returns its one value. */
export function callFunction<Value>(
  db: Queryable,
  name: string,
  ...values: unknown[]
): Promise<Value> {
  const parameters = values.map((_, at) => `$${at + 1}`).join(', ')
  return db.value(`select ${name}(${parameters})`, values)
}

/** Exactly one row, or a failed assertion: for statements that always return one. */
export function only<Row>(rows: Row[]): Row {
  const [row, ...more] = rows
  if (row === undefined || more.length > 0) {
    throw new Error(`one was expected, ${rows.length} came`)
  }
  return row
}

/** Whether the database refused a row by one of its rules, a constraint or a guard. */
export function isRowRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^23/.test(error.code ?? '')
}

/**
 * Whether a statement failed because the database is down or had no time for it (no answer, or a lock was not
 * available), and not because of its content. Its effect may have been committed.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) {
    // FATAL ends or prevents the connection, whatever the statement. Classes of errors: 08 the connection, 53 the
    // server's disk or memory is full, 57 the operator's act, 58 the server's machine. 25006: the server is read-only,
    // such as a replica that is not promoted yet.
    return (
      error.severity === 'FATAL' || isBusy(error) || /^(08|53|57|58|25006)/.test(error.code ?? '')
    )
  }
  if (!(error instanceof Error)) return false
  return failuresOfConnections.has(error) || isDatabaseAway(error.cause)
}

/** What the server has no more of, by PostgreSQL's codes: only the operator can give it more. */
const EXHAUSTED: Readonly<Record<string, string>> = {
  '53100': 'the disk of the database is full: free some of it',
  '53200': 'the database has no memory left: give it more',
  '53300':
    'the database has all the connections that it may have: let it have more, or stop what else uses it',
}

/** What the server has no more of and what to do, as a sentence for the log; null if that is not why a statement failed. */
export function exhausted(error: unknown): string | null {
  if (error instanceof pg.DatabaseError) return EXHAUSTED[error.code ?? ''] ?? null
  return error instanceof Error && error.cause !== undefined ? exhausted(error.cause) : null
}

/**
 * Whether a time limit ended the work: to get a connection or a lock, for a statement, or for its answer. The same work
 * may take less time soon.
 */
export function isTimedOut(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(57014|55P03)$/.test(error.code ?? '')
  return error instanceof Error && isTimeLimitOfClient(error)
}

/** By the messages of pg and its pool, which have no codes for them. */
function isTimeLimitOfClient({ message }: Error): boolean {
  return /Query read timeout|timeout exceeded when trying to connect|due to connection timeout|timeout expired/.test(
    message,
  )
}

/** Whether there was no connection to send anything through, by the codes of sockets and of PostgreSQL. */
function isWithoutConnection(error: Error): boolean {
  const { code = '' } = error as NodeJS.ErrnoException
  return (
    /^(ECONNREFUSED|EAI_AGAIN|ENOTFOUND|ENOENT|EHOSTUNREACH|ENETUNREACH|57P03|53300)$/.test(code) ||
    /timeout exceeded when trying to connect|due to connection timeout|timeout expired|not support SSL/.test(
      error.message,
    )
  )
}

/** Whether a statement was cancelled for its time or because of others: it surely had no effect. */
function isBusy(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(57014|55P03|40P01|40001)$/.test(error.code ?? '')
}
