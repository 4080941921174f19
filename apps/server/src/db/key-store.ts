import type { Queryable } from './database.ts'

/** The owner of a key: a player by his id, any other client by a name. */
export type KeyOwner = number | string

export type KeyedRequest = {
  owner: KeyOwner
  key: string
  route: string
  inputHash: Buffer
  /** The same input's hashes by other secret keys, which other processes may work with. */
  alike?: readonly Buffer[]
}

/** This request has claimed the key and must act; `at` distinguishes this claim from a later one of the same key. */
export type Claim = KeyedRequest & { readonly at: string }

export type KeyState =
  | { readonly claim: Claim }
  /** Another request with the key is running. */
  | { readonly underWay: true }
  /** The key belongs to a different request. */
  | { readonly other: true }
  | { readonly result: unknown }

export type KeyStore = ReturnType<typeof keyStore>

function columnOf(owner: KeyOwner): { table: string; column: string } {
  return typeof owner === 'number'
    ? { table: 'wallet.idempotency_key', column: 'player_id' }
    : { table: 'app.request_key', column: 'owner' }
}

/** @param abandonedAfterMs after this time another request may take over a claim without a result */
export function keyStore(db: Queryable, { abandonedAfterMs }: { abandonedAfterMs: number }) {
  /** Claims a key, or returns the result of its first request. */
  async function claim(request: KeyedRequest): Promise<KeyState> {
    const { owner, key, route, inputHash, alike = [] } = request
    const { table, column } = columnOf(owner)
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
    // Released at this moment: the next request may claim it.
    if (!known) return { underWay: true }
    const isSame = [inputHash, ...alike].some((hash) => known.inputHash.equals(hash))
    if (known.route !== route || !isSame) return { other: true }
    return known.result === null ? { underWay: true } : { result: known.result }
  }

  /** Stores the result of a claimed request. */
  async function finish({ owner, key, at }: Claim, result: object): Promise<void> {
    const { table, column } = columnOf(owner)
    await db.query(
      `update ${table} set result = $4
       where ${column} = $1 and key = $2 and created_at = $3::timestamptz and result is null`,
      [owner, key, at, JSON.stringify(result)],
    )
  }

  /** Releases a claimed key: the request had no effect. */
  async function release({ owner, key, at }: Claim): Promise<void> {
    const { table, column } = columnOf(owner)
    await db.query(
      `delete from ${table}
       where ${column} = $1 and key = $2 and created_at = $3::timestamptz and result is null`,
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
     from wallet.idempotency_key where player_id = $1 and key = $2`,
    [playerId, key],
  )
}
