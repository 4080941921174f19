import type { Queryable } from './database.ts'

export type KeyedRequest = {
  /** Whose the key is, such as `player:17`. */
  owner: string
  key: string
  route: string
  inputHash: Buffer
  /** The same input's hashes by other secret keys, which other processes may work with. */
  alike?: readonly Buffer[]
  /** Whose new keys this one is counted with: the hash that is the counter, and how many are kept in a day. */
  countedWith?: readonly KeyCount[]
}

type KeyCount = { counter: Buffer; max: number }

/** This request has claimed the key and must act; `at` distinguishes this claim from a later one of the same key. */
export type Claim = KeyedRequest & { readonly at: string }

export type KeyState =
  | { readonly claim: Claim }
  /** Another request with the key is running. */
  | { readonly underWay: true }
  /** The key belongs to a different request. */
  | { readonly other: true }
  /** So many keys were kept today that this one is not: the request acts like one without a key. */
  | { readonly notKept: true }
  | { readonly result: unknown }

const DAY_MS = 86_400_000

/**
 * After this time, longer than any call takes, the process of a claim without a result has died: another request may
 * take it over.
 */
export const ABANDONED_AFTER_MS = 120_000

export type KeyStore = ReturnType<typeof keyStore>

export function keyStore(db: Queryable) {
  /** Claims a key, or returns the result of its first request. Only keys that are new are counted. */
  async function claim(request: KeyedRequest): Promise<KeyState> {
    const { owner, key, route, inputHash, countedWith = [] } = request
    const known = await stateOf(request)
    if (known) return known
    // In the statement that takes the key: a key too many is never written.
    const { kept, at } = await db.one<{ kept: boolean; at: string | null }>(
      `with counted as materialized (
         select coalesce(bool_and(calls <= max), true) as kept
         from app.count_calls($6, $7, $8)
         join unnest($6::bytea[], $9::integer[]) as bound (counter, max) using (counter)
       ), taken as (
         insert into app.request_key as known (owner, key, route, input_hash, created_at)
         select $1, $2, $3, $4, app.now() from counted where kept
         on conflict (owner, key) do update set created_at = app.now()
         where known.result is null and known.route = excluded.route
           and known.input_hash = excluded.input_hash
           and known.created_at <= app.now() - make_interval(secs => $5::float8 / 1000)
         returning created_at::text as at
       )
       select kept, (select at from taken) as at from counted`,
      [
        ...[owner, key, route, inputHash, ABANDONED_AFTER_MS],
        countedWith.map(({ counter }) => counter),
        countedWith.map(() => 1),
        countedWith.map(() => DAY_MS),
        countedWith.map(({ max }) => max),
      ],
    )
    if (at !== null) return { claim: { ...request, at } }
    if (!kept) return { notKept: true }
    // Another one was faster; if it has released the key meanwhile, the next request may claim it.
    return (await stateOf(request)) ?? { underWay: true }
  }

  /** What is known of a key; undefined if it may be claimed. */
  async function stateOf(request: KeyedRequest): Promise<KeyState | undefined> {
    const { owner, key, route, inputHash, alike = [] } = request
    const known = await db.first<{
      route: string
      inputHash: Buffer
      result: unknown
      abandoned: boolean
    }>(
      `select route, input_hash as "inputHash", result, result is null
         and created_at <= app.now() - make_interval(secs => $3::float8 / 1000) as abandoned
       from app.request_key where owner = $1 and key = $2`,
      [owner, key, ABANDONED_AFTER_MS],
    )
    if (!known) return undefined
    const isSame = [inputHash, ...alike].some((hash) => known.inputHash.equals(hash))
    if (known.route !== route || !isSame) return { other: true }
    if (known.abandoned) return undefined
    return known.result === null ? { underWay: true } : { result: known.result }
  }

  /** Stores the result of a claimed request. */
  async function finish({ owner, key, at }: Claim, result: object): Promise<void> {
    await db.query(
      `update app.request_key set result = $4
       where owner = $1 and key = $2 and created_at = $3::timestamptz and result is null`,
      [owner, key, at, JSON.stringify(result)],
    )
  }

  /** Releases a claimed key: the request had no effect. */
  async function release({ owner, key, at }: Claim): Promise<void> {
    await db.query(
      `delete from app.request_key
       where owner = $1 and key = $2 and created_at = $3::timestamptz and result is null`,
      [owner, key, at],
    )
  }

  return { claim, finish, release }
}

export type KeyUse = { route: string; inputHash: string; result: unknown }

/** The result of the first request with an idempotency key. */
export function useOfKey(
  db: Queryable,
  { playerId, key }: { playerId: number; key: string },
): Promise<KeyUse | undefined> {
  return db.first<KeyUse>(
    `select route, encode(input_hash, 'hex') as "inputHash", result
     from app.request_key where owner = $1 and key = $2`,
    [`player:${playerId}`, key],
  )
}
