/** The input of the form for a room's limits and odds. */
import type { RequestOf } from '@sum28/contract/route.ts'
import type { proposeRoomChange, RoomTerms } from '@sum28/contract/staff-games-routes.ts'
import { amountFromWire, parseAmount } from '@sum28/domain/money.ts'
import { oddsAreAllowed, parseOdds, returnPpm } from '@sum28/domain/odds.ts'

export const LIMITS = ['stake_min', 'stake_max', 'entry_min'] as const

/** Text by field: the name of a limit, or the number of a rule. */
export type Typed = Readonly<Record<string, string>>

export type Draft = {
  /** Fields with an invalid value, and why, as a key of the area's texts. */
  readonly wrong: ReadonlyMap<string, 'notAmount' | 'stakesSwapped' | 'aboveZero' | 'guard'>
  /** The proposal: only the values that differ. Null if none differs, or if one is invalid. */
  readonly request: Omit<RequestOf<typeof proposeRoomChange>, 'note'> | null
}

/** The return of typed odds, in millionths, and whether it is within the allowed range; null: invalid odds. */
export function typedReturn(ways: number, text: string): { ppm: number; fair: boolean } | null {
  const oddsMilli = parseOdds(text)
  if (oddsMilli === null) return null
  return { ppm: returnPpm({ oddsMilli, ways }), fair: oddsAreAllowed({ oddsMilli, ways }) }
}

/** Compares the typed values with a room's terms. An unchanged field keeps its value. */
export function readDraft(room: RoomTerms, typed: Typed): Draft {
  const wrong = new Map<string, 'notAmount' | 'stakesSwapped' | 'aboveZero' | 'guard'>()
  const limits: Partial<Record<(typeof LIMITS)[number], string>> = {}
  const amounts = new Map(LIMITS.map((name) => [name, amountFromWire(room[name])]))
  for (const name of LIMITS) {
    const text = typed[name]
    if (text === undefined) continue
    const parsed = parseAmount(text)
    if (!parsed.ok) wrong.set(name, 'notAmount')
    else if (parsed.amount !== amounts.get(name)) {
      amounts.set(name, parsed.amount)
      limits[name] = text.trim()
    }
  }
  const least = amounts.get('stake_min') ?? 0n
  if (least === 0n) wrong.set('stake_min', 'aboveZero')
  if ((amounts.get('stake_max') ?? 0n) < least) wrong.set('stake_max', 'stakesSwapped')

  const odds = room.odds.flatMap(({ rule_id: rule, ways, odds: before }) => {
    const text = typed[String(rule)]
    if (text === undefined || parseOdds(text) === parseOdds(before)) return []
    if (!typedReturn(ways, text)?.fair) wrong.set(String(rule), 'guard')
    return [`${rule}:${text.trim()}`]
  })
  const changed = odds.length > 0 || Object.keys(limits).length > 0
  const request = {
    id: room.id,
    rules_version: room.rules_version,
    ...limits,
    ...(odds.length > 0 && { odds: odds.join(',') }),
  }
  return { wrong, request: changed && wrong.size === 0 ? request : null }
}
