/**
 * Remember-me, as far as the page sees it. The server's cookie cannot be read by scripts; beside it
 * the server sets a mark with its player's number, and the page keeps the user name for the same 14 days.
 * Never a password.
 */
import { REMEMBER_DAYS } from '@sum28/contract/shared-times.ts'

export type Remembered = {
  /** The user name for the login form, or null. */
  readonly username: string | null
  /** The number of the player for whom the server has set its cookie on this device; 0 for none. */
  readonly device: number
}

/** Reads `document.cookie`. */
export function rememberedFrom(cookies: string): Remembered {
  const values = new Map(
    cookies.split('; ').map((cookie) => {
      const at = cookie.indexOf('=')
      return [cookie.slice(0, at), cookie.slice(at + 1)]
    }),
  )
  const name = values.get('remember_name')
  return {
    username: name ? decoded(name) : null,
    device: Number(values.get('remember_device')) || 0,
  }
}

/** What this device is to remember: the page can only drop the server's mark. */
export type ToRemember = { readonly username?: string | null; readonly device?: false | undefined }

/** Nothing of a player. */
export const NOTHING = { username: null, device: false } as const

/** The values to assign to `document.cookie`, one after another. */
export function cookiesFor(
  { username, device }: ToRemember,
  { secure }: { secure: boolean },
): string[] {
  const rest = `; Path=/; SameSite=Strict${secure ? '; Secure' : ''}`
  const maxAge = `; Max-Age=${REMEMBER_DAYS * 24 * 60 * 60}`
  const dropped = '; Max-Age=0'
  const name = `remember_name=${username ? encodeURIComponent(username) + maxAge : dropped}${rest}`
  return device === false ? [name, `remember_device=${dropped}${rest}`] : [name]
}

/** What this device remembers. */
export function remembered(): Remembered {
  return rememberedFrom(document.cookie)
}

export function remember({ username = remembered().username, device }: ToRemember): void {
  const secure = location.protocol === 'https:'
  for (const cookie of cookiesFor({ username, device }, { secure })) {
    // The Cookie Store API is missing where the page is not served over TLS, as in the demo.
    // biome-ignore lint/suspicious/noDocumentCookie: see above
    document.cookie = cookie
  }
}

function decoded(value: string): string | null {
  try {
    return decodeURIComponent(value)
  } catch {
    return null
  }
}
