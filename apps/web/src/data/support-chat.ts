/** The address of the operator's chat, or null if it is none that a browser may open. */
export function chatAddress(configured: string | null | undefined): string | null {
  return configured && /^https?:\/\//i.test(configured) ? configured : null
}
