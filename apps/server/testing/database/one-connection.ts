/**
 * Every test of the server fails whose code asks for a second connection of a pool within a transaction of that pool:
 * as many such transactions at once as the pool has connections would wait for each other until a time limit.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { afterEach, expect } from 'vitest'

type Guarded = { secondConnections: string[] }

// Each file of tests loads this again, in one process.
const globals = globalThis as { guarded?: Guarded }
globals.guarded ??= guard()
const { secondConnections } = globals.guarded

afterEach(() => expect(secondConnections.splice(0)).toEqual([]))

/** The owner's connections are the tests' own: they hold locks with some, and look with others. */
function isOfProduct({ options }: pg.Pool): boolean {
  return /_(all|login_[a-z]+):/.test(options.connectionString ?? '')
}

function guard(): Guarded {
  const found: string[] = []
  const running = new AsyncLocalStorage<{ pool?: pg.Pool | undefined }>()
  const poolOf = new WeakMap<object, pg.Pool>()
  const { connect } = pg.Pool.prototype
  const { query } = pg.Client.prototype

  pg.Pool.prototype.connect = function (this: pg.Pool, ...given: unknown[]) {
    if (running.getStore()?.pool === this) found.push(new Error().stack ?? '')
    if (isOfProduct(this) && this.listenerCount('acquire') === 0)
      this.on('acquire', (client) => poolOf.set(client, this))
    return Reflect.apply(connect, this, given)
  } as typeof connect

  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [text] = given
    if (text === 'begin') running.enterWith({ pool: poolOf.get(this) })
    const transaction = running.getStore()
    if (transaction && (text === 'commit' || text === 'rollback')) delete transaction.pool
    return Reflect.apply(query, this, given)
  } as typeof query
  return { secondConnections: found }
}
