/**
 * Remember-me, as far as the page sees it. The server's cookie cannot be read by scripts; beside it
 * the server sets a mark with its player's number, and the page keeps the user name for the same 14 days.
 * Never a password.
 */
import { REMEMBER_DAYS } from '@sum28/contract/shared-times.ts'

export type Remembered = {
  /** The user name for the login form, or null. */
  readonly username: string | null
  /**
   * The number of the player for whom the server has set its cookie on this device; 0 for none; LEFT if he has logged out
   * and the server, which alone can end the cookie, may not know it yet.
   */
  readonly device: number
}

export const LEFT = -1

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

/** What this device is to remember: the page itself only drops the server's mark, or says that its player has left. */
export type ToRemember = {
  readonly username?: string | null | undefined
  readonly device?: 0 | typeof LEFT | undefined
}

export const NOTHING = { username: null, device: 0 } as const

/** The values to assign to `document.cookie`, one after another. */
export function cookiesFor(
  { username, device }: ToRemember,
  { secure }: { secure: boolean },
): string[] {
  const rest = `; Path=/; SameSite=Strict${secure ? '; Secure' : ''}`
  const maxAge = `; Max-Age=${REMEMBER_DAYS * 24 * 60 * 60}`
  const dropped = '; Max-Age=0'
  const name = `remember_name=${username ? encodeURIComponent(username) + maxAge : dropped}${rest}`
  const mark = `remember_device=${device ? device + maxAge : dropped}${rest}`
  return device === undefined ? [name] : [name, mark]
}

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
