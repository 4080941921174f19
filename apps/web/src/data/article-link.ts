/** The `news` parameter of an article's address: JSON, of which only the id is read. */

const ID_MAX = 2_147_483_647

/** The `news` parameter with only the id. */
export function articleLink(id: number): string {
  return JSON.stringify({ id })
}

/**
 * The id of the article in an address, or null. Older links contain a whole article; its title and
 * text are ignored, because users can change an address.
 */
export function articleIdOf(news: string | undefined): number | null {
  if (!news) return null
  try {
    const value: unknown = JSON.parse(news)
    return idOf(typeof value === 'object' && value !== null && 'id' in value ? value.id : value)
  } catch {
    return null
  }
}

function idOf(value: unknown): number | null {
  const id = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value
  return typeof id === 'number' && Number.isInteger(id) && id >= 1 && id <= ID_MAX ? id : null
}
