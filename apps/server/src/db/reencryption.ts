/** Encrypting secrets again after a change of the key: what each kind of secret provides for the job. */
import type { Queryable } from '#src/db/database.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'

/** Which rows to encrypt again, by ascending id. */
export type ReencryptionRange = {
  /** The present key. */
  keyId: string
  /** The known keys: rows of other keys are left. */
  decryptable: readonly string[]
  /** The last id that was done; 0 at first. */
  after: number
  limit: number
}

/** A key that is not known, and how many rows are encrypted with it. */
export type KeyMissing = { keyId: string; rows: number }

export type Reencryption = {
  missing(db: Queryable, decryptable: readonly string[]): Promise<KeyMissing[]>
  batch(
    deps: { db: Queryable; cipher: SecretCipher },
    range: ReencryptionRange,
  ): Promise<
    {
      id: number
      /** Rejects with `DecryptionFailed` if the secret was altered. */
      reencrypt(): Promise<void>
    }[]
  >
}
