/** The role under which the product works: it owns nothing. */
import { deriveKey } from '#src/sealer.ts'

/** The name of a database's application role. */
export function applicationRole(database: string): string {
  return `${database}_app`
}

/** Its password, derived from SECRET_KEY and stored nowhere. */
export function applicationPassword(secretKey: string): string {
  return deriveKey(secretKey, 'application role').toString('hex')
}
