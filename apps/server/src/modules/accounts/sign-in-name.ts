import { asciiLowerCase, canonicalEmail } from '@sum28/contract/canonical-email.ts'

/** A user name in the form of the database: members and visitors choose at most 20 characters. */
const USERNAME = /^[A-Za-z0-9_]{3,32}$/

/**
 * What a person signs in with, in the form in which names are stored and counted: a user name in lower case, or an
 * address as `canonicalEmail` returns it. Anything else belongs to no account and stays as typed; no account has such
 * a key.
 */
export function signInName(typed: string): string {
  const name = typed.trim()
  if (USERNAME.test(name)) return asciiLowerCase(name)
  const address = canonicalEmail(name)
  return 'email' in address ? address.email : name
}
