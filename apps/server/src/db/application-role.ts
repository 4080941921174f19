/** The role that the product works under: it owns nothing. */
import { deriveKey } from '#src/sealer.ts'

/** The name of a database's application role. */
export function applicationRole(database: string): string {
  return `${database}_app`
}

/** Its password, which follows from the product's one secret and is kept nowhere. */
export function applicationPassword(secretKey: string): string {
  return deriveKey(secretKey, 'application role').toString('hex')
}
