import type { Database } from '#src/db/database.ts'
import { type Reencrypted, reencryptColumn } from '#src/db/reencryption.ts'
import { DOCUMENTS } from '#src/modules/accounts/document.ts'
import { APP_SECRETS } from '#src/modules/accounts/second-factor.ts'
import { OWN_DATA } from '#src/modules/own-account/make-own-data.ts'
import { PUSH_KEYS } from '#src/modules/own-account/push.ts'
import { TOTP_SECRETS } from '#src/modules/staff/totp.ts'
import { IDENTITIES, IDENTITY_PICTURES } from '#src/modules/withdrawals/identity.ts'
import { PAYEE_NUMBERS } from '#src/modules/withdrawals/pay-methods.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'

const COLUMNS = [
  ...[PAYEE_NUMBERS, DOCUMENTS, IDENTITIES, IDENTITY_PICTURES, OWN_DATA],
  ...[TOTP_SECRETS, PUSH_KEYS, APP_SECRETS],
]

/**
 * Encrypts card, wallet and document numbers, proofs of identity, files of own data and TOTP secrets again with the present
 * SECRET_KEY, so that earlier keys can be removed. Seed chains keep theirs, which is SEED_KEY.
 */
export async function reencryptNumbers(deps: {
  db: Database
  cipher: SecretCipher
}): Promise<Reencrypted> {
  const missing = new Map<string, number>()
  const done: Reencrypted = { reencrypted: 0, missing: [], broken: [] }
  for (const column of COLUMNS) {
    const of = await reencryptColumn(deps, column)
    done.reencrypted += of.reencrypted
    done.broken.push(...of.broken)
    for (const { keyId, rows } of of.missing) missing.set(keyId, (missing.get(keyId) ?? 0) + rows)
  }
  done.missing = [...missing].map(([keyId, rows]) => ({ keyId, rows }))
  return done
}
