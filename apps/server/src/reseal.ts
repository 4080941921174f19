/** Sealing secrets anew after a change of the key: what each kind of secret gives the job for it. */
import type { Queryable } from '#src/db/database.ts'
import type { Sealer } from '#src/sealer.ts'

/** Which rows to seal anew, by ascending id. */
export type ToReseal = {
  /** The present key. */
  keyId: string
  /** The keys that are given: rows of others wait. */
  openable: readonly string[]
  /** The last id that was done; 0 at first. */
  after: number
  limit: number
}

/** A key that is not given, and how many rows are sealed with it. */
export type KeyMissing = { keyId: string; rows: number }

export type Resealing = {
  missing(db: Queryable, openable: readonly string[]): Promise<KeyMissing[]>
  batch(
    deps: { db: Queryable; sealer: Sealer },
    range: ToReseal,
  ): Promise<
    {
      id: number
      /** Rejects with `SealBroken` where the secret was altered. */
      reseal(): Promise<void>
    }[]
  >
}
