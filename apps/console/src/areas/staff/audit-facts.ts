/** The rows of the audit log in words: what changed before and after, and where their subjects are shown. */

export type Fact = {
  /** The field's name in words, with its path. */
  field: string
  /** Without it, the fact is one of the action and no change. */
  before?: string
  after: string
}

const NOTHING = '—'

/** The facts of a row: of `before` and `after` the fields that differ, of others each value. */
export function factsOf({ before, after, ...others }: Record<string, unknown>): Fact[] {
  const [was, is] = [valuesOf(before), valuesOf(after)]
  const changes = [...new Set([...was.keys(), ...is.keys()])]
    .map((field) => ({
      field: field || 'value',
      before: was.get(field) ?? NOTHING,
      after: is.get(field) ?? NOTHING,
    }))
    .filter((change) => change.before !== change.after)
  return [...changes, ...[...valuesOf(others)].map(([field, value]) => ({ field, after: value }))]
}

/** Each value by its path; lists of plain values are one value. */
function valuesOf(value: unknown, path: readonly string[] = []): Map<string, string> {
  if (value === undefined) return new Map()
  const isList = Array.isArray(value)
  const isPlainList = isList && value.every((item) => typeof item !== 'object' || item === null)
  if (value === null || typeof value !== 'object' || isPlainList) {
    // What is missing as a whole has no field of its own.
    if (value === null && path.length === 0) return new Map()
    const text = isPlainList ? value.map(textOf).join(', ') : textOf(value)
    return new Map([[path.join(' · '), text || NOTHING]])
  }
  return new Map(
    Object.entries(value).flatMap(([name, part]) => {
      const field = isList ? String(Number(name) + 1) : name.replaceAll('_', ' ')
      return [...valuesOf(part, [...path, field])]
    }),
  )
}

function textOf(value: unknown): string {
  return value === null ? NOTHING : String(value)
}

/** Kinds of subjects that have a page for each. */
const SHOWN: Record<string, string> = {
  player: 'players',
  withdrawal: 'withdrawals',
  held_deposit: 'held-deposits',
  bank_batch: 'bank-batches',
  room: 'rooms',
  round: 'rounds',
  transfer: 'unmatched-transfers',
  article: 'articles',
  announcement: 'announcements',
}

/** Kinds that are found in a list, by one of its filters. */
const LISTED: Record<string, { place: string; filter: string }> = {
  adjustment: { place: 'proposals', filter: 'id' },
  bank_deposit: { place: 'proposals', filter: 'id' },
  proposal: { place: 'proposals', filter: 'id' },
  member: { place: 'members', filter: 'q' },
}

/** Kinds that are shown on one page. */
const TOGETHER: Record<string, string> = {
  staff: 'members',
  webhook: 'alerts',
  betting: 'stops',
  game: 'stops',
  banner: 'banners',
  promo: 'promos',
  about: 'about',
  picture: 'banners',
  template: 'templates',
  rooms: 'rooms',
  reserves: 'reserves',
  reserve_address: 'reserves',
  bank_account: 'bank-account',
}

/** The address in the console that shows a subject such as `player:7`; null: none does. */
export function subjectPath(subject: string): string | null {
  const [kind = '', ...id] = subject.split(':')
  const own = <Place>(table: Record<string, Place>) =>
    Object.hasOwn(table, kind) ? table[kind] : null
  const shown = own(SHOWN)
  if (shown) return `/${shown}/${encodeURIComponent(id.join('-'))}/show`
  const listed = own(LISTED)
  if (listed) {
    const filter = JSON.stringify({ [listed.filter]: id[0] })
    return `/${listed.place}?filter=${encodeURIComponent(filter)}`
  }
  const together = own(TOGETHER)
  return together ? `/${together}` : null
}
