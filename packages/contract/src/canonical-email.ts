/**
 * The canonical form of an e-mail address: addresses are stored, looked up, compared and counted in
 * it alone. No other code makes a key from an address, neither here nor in SQL: `lower()` changes
 * some letters beyond ASCII so that one address passes for another.
 */

/** What is wrong with an address: the key of a text in the catalogs (`fault.<key>`). */
export type EmailFault = 'email' | 'email_local' | 'email_dots' | 'too_long'

const LOCAL_MAX = 64
/** RFC 5321, 4.5.3.1: a path of 256 octets minus its angle brackets. This also limits the domain to 255. */
const ADDRESS_MAX = 254

const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
/** RFC 5321, 4.1.2: a dot-string. Quoted names are refused: they are rare and can hide characters. */
const LOCAL = new RegExp(`^${ATOM}(?:\\.${ATOM})*$`)
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
/** Labels of letters, digits and hyphens; the last begins with a letter, so it is not a number. */
const DOMAIN = new RegExp(`^(?:${LABEL}\\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$`)

/**
 * Makes the canonical form of a typed address: the part before the @ in ASCII and lower case, the
 * domain in IDNA's ASCII form (`münchen.example` is `xn--mnchen-3ya.example`), without a dot at its
 * end. An address without such a form is refused.
 */
export function canonicalEmail(typed: string): { email: string } | { fault: EmailFault } {
  // Some input methods write a wide one.
  const text = typed.trim().replaceAll('＠', '@')
  if (text.length > ADDRESS_MAX) return { fault: 'too_long' }
  const at = text.lastIndexOf('@')
  if (at < 1) return { fault: 'email' }
  const local = asciiLowerCase(text.slice(0, at))
  if (/^"|[^\0-\x7f]/.test(local)) return { fault: 'email_local' }
  // Carriers in Japan gave such addresses out; most servers of mail do not deliver to them.
  if (LOCAL.test(local.replace(/^\.+|\.+$/g, '').replace(/\.{2,}/g, '.')) && !LOCAL.test(local)) {
    return { fault: 'email_dots' }
  }
  if (!LOCAL.test(local)) return { fault: 'email' }
  const domain = asciiDomain(text.slice(at + 1))
  if (domain === null) return { fault: 'email' }
  const email = `${local}@${domain}`
  return local.length > LOCAL_MAX || email.length > ADDRESS_MAX ? { fault: 'too_long' } : { email }
}

/** Makes ASCII capital letters small and leaves every other character unchanged. */
export function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** A domain in IDNA's ASCII form (UTS #46, as browsers apply it), or null. */
function asciiDomain(typed: string): string | null {
  // Checked before it is put into a URL, so that it cannot add a port, a path or an escape.
  if (/[^A-Za-z0-9.\-\u0080-\u{10ffff}]/u.test(typed)) return null
  try {
    // Not `URL.canParse`, which Safari before 17 does not have.
    const { hostname } = new URL(`http://${typed}/`)
    return DOMAIN.test(hostname) ? hostname : null
  } catch {
    return null
  }
}
