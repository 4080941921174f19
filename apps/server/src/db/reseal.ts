/** Encrypting secrets again after a change of the key: what each kind of secret provides for the job. */
import type { Queryable } from '#src/db/database.ts'
import type { Sealer } from '#src/secrets/sealer.ts'

/** Which rows to encrypt again, by ascending id. */
export type ToReseal = {
  /** The present key. */
  keyId: string
  /** The known keys: rows of other keys are left. */
  openable: readonly string[]
  /** The last id that was done; 0 at first. */
  after: number
  limit: number
}

/** A key that is not known, and how many rows are encrypted with it. */
export type KeyMissing = { keyId: string; rows: number }

export type Resealing = {
  missing(db: Queryable, openable: readonly string[]): Promise<KeyMissing[]>
  batch(
    deps: { db: Queryable; sealer: Sealer },
    range: ToReseal,
  ): Promise<
    {
      id: number
      /** Rejects with `SealBroken` if the secret was altered. */
      reseal(): Promise<void>
    }[]
  >
}
