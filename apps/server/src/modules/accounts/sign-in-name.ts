import { asciiLowerCase, canonicalEmail } from '@sum28/contract/canonical-email.ts'

/** A user name, as the database has it: members and visitors choose at most 20 characters. */
const USERNAME = /^[A-Za-z0-9_]{3,32}$/

/**
 * What somebody signs in by, in the form in which names are stored and counted: a user name in lower
 * case, or an address as `canonicalEmail` has it. What is neither belongs to nobody; it is left as it
 * was typed, and no account has such a key.
 */
export function signInName(typed: string): string {
  const name = typed.trim()
  if (USERNAME.test(name)) return asciiLowerCase(name)
  const address = canonicalEmail(name)
  return 'email' in address ? address.email : name
}
