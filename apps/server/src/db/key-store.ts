import { createHash } from 'node:crypto'
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
  /** The player has used all keys of a day: the seconds until he has others. */
  | { readonly tooMany: number }
  | { readonly result: unknown }

/** So many keys of a player are taken a day: each is stored for seven days. */
export const KEYS_A_DAY = 5_000
const DAY_MS = 86_400_000

/** The counter of a player's keys. */
function counterOf(playerId: number): Buffer {
  return createHash('sha256').update(`idempotency keys of ${playerId}`).digest()
}

export type KeyStore = ReturnType<typeof keyStore>

function columnOf(owner: KeyOwner): { table: string; column: string } {
  return typeof owner === 'number'
    ? { table: 'wallet.idempotency_key', column: 'player_id' }
    : { table: 'app.request_key', column: 'owner' }
}

/** @param abandonedAfterMs after this time another request may take over a claim without a result */
export function keyStore(db: Queryable, { abandonedAfterMs }: { abandonedAfterMs: number }) {
  /** Claims a key, or returns the result of its first request; a player has {@link KEYS_A_DAY}. */
  async function claim(request: KeyedRequest): Promise<KeyState> {
    const { owner, key, route, inputHash, alike = [] } = request
    const { table, column } = columnOf(owner)
    const isPlayer = typeof owner === 'number'
    // In the statement that takes the key: a key too many is never written.
    const counted = `from app.count_calls(array[$6::bytea], array[1], array[${DAY_MS}])
       where calls <= ${KEYS_A_DAY}`
    const [taken] = await db.query<{ at: string }>(
      `insert into ${table} as known (${column}, key, route, input_hash, created_at)
       select $1, $2, $3, $4, app.now() ${isPlayer ? counted : ''}
       on conflict (${column}, key) do update set created_at = app.now()
       where known.result is null and known.route = excluded.route
         and known.input_hash = excluded.input_hash
         and known.created_at <= app.now() - make_interval(secs => $5::float8 / 1000)
       returning created_at::text as at`,
      [owner, key, route, inputHash, abandonedAfterMs, ...(isPlayer ? [counterOf(owner)] : [])],
    )
    if (taken) return { claim: { ...request, at: taken.at } }
    const [known] = await db.query<{ route: string; inputHash: Buffer; result: unknown }>(
      `select route, input_hash as "inputHash", result from ${table}
       where ${column} = $1 and key = $2`,
      [owner, key],
    )
    if (!known) {
      const seconds = isPlayer ? await secondsUntilOthers(owner) : 0
      // Else it was released at this moment: the next request may claim it.
      return seconds > 0 ? { tooMany: seconds } : { underWay: true }
    }
    const isSame = [inputHash, ...alike].some((hash) => known.inputHash.equals(hash))
    if (known.route !== route || !isSame) return { other: true }
    return known.result === null ? { underWay: true } : { result: known.result }
  }

  /** 0 if the player may use more keys now. */
  async function secondsUntilOthers(playerId: number): Promise<number> {
    const [used] = await db.query<{ seconds: number }>(
      `select ceil(extract(epoch from ends_at - app.now()))::float8 as seconds
       from app.count_calls(array[$1::bytea], array[0], array[${DAY_MS}]) where calls > ${KEYS_A_DAY}`,
      [counterOf(playerId)],
    )
    return used?.seconds ?? 0
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
