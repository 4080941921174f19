/**
 * The SQL of idempotency keys: what was made of requests that named one. A player's stand in
 * `wallet.idempotency_key`, together with those of his orders and withdrawals, so that a key is his
 * whichever call it came with; all others in `app.request_key`.
 */
import type { Queryable } from '#src/db/database.ts'

/** Whose a key is: a player's by his id, anybody else's by a name. */
export type KeyOwner = number | string

export type KeyedRequest = {
  owner: KeyOwner
  key: string
  route: string
  inputHash: Buffer
  /** The same input's hashes by other secret keys, which other processes may work with. */
  alike?: readonly Buffer[]
}

/** A key that is ours to carry out; `at` tells it from a later claim of the same key. */
export type Claim = KeyedRequest & { readonly at: string }

export type KeyState =
  | { readonly claim: Claim }
  /** Somebody else carries it out now. */
  | { readonly underWay: true }
  /** It stands for another request. */
  | { readonly other: true }
  | { readonly result: unknown }

export type KeyStore = ReturnType<typeof keyStore>

function placeOf(owner: KeyOwner): { table: string; column: string } {
  return typeof owner === 'number'
    ? { table: 'wallet.idempotency_key', column: 'player_id' }
    : { table: 'app.request_key', column: 'owner' }
}

/** @param abandonedAfterMs after this time a claim without a result is given to the next request */
export function keyStore(db: Queryable, { abandonedAfterMs }: { abandonedAfterMs: number }) {
  /** Takes a key, or gives the result of its first request. */
  async function claim(request: KeyedRequest): Promise<KeyState> {
    const { owner, key, route, inputHash, alike = [] } = request
    const { table, column } = placeOf(owner)
    const [taken] = await db.query<{ at: string }>(
      `insert into ${table} as known (${column}, key, route, input_hash, created_at)
       values ($1, $2, $3, $4, app.now())
       on conflict (${column}, key) do update set created_at = app.now()
       where known.result is null and known.route = excluded.route
         and known.input_hash = excluded.input_hash
         and known.created_at <= app.now() - make_interval(secs => $5::float8 / 1000)
       returning created_at::text as at`,
      [owner, key, route, inputHash, abandonedAfterMs],
    )
    if (taken) return { claim: { ...request, at: taken.at } }
    const [known] = await db.query<{ route: string; inputHash: Buffer; result: unknown }>(
      `select route, input_hash as "inputHash", result from ${table}
       where ${column} = $1 and key = $2`,
      [owner, key],
    )
    // Released in this moment: whoever asks next may have it.
    if (!known) return { underWay: true }
    const isSame = [inputHash, ...alike].some((hash) => known.inputHash.equals(hash))
    if (known.route !== route || !isSame) return { other: true }
    return known.result === null ? { underWay: true } : { result: known.result }
  }

  /** Keeps what a claimed request came to. */
  async function finish({ owner, key, at }: Claim, result: object): Promise<void> {
    const { table, column } = placeOf(owner)
    await db.query(
      `update ${table} set result = $4
       where ${column} = $1 and key = $2 and created_at = $3::timestamptz and result is null`,
      [owner, key, at, JSON.stringify(result)],
    )
  }

  /** Gives a claimed key back: nothing was done with it. */
  async function release({ owner, key, at }: Claim): Promise<void> {
    const { table, column } = placeOf(owner)
    await db.query(
      `delete from ${table}
       where ${column} = $1 and key = $2 and created_at = $3::timestamptz and result is null`,
      [owner, key, at],
    )
  }

  return { claim, finish, release }
}
