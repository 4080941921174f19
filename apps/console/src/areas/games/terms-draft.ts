/** What a person has typed into the form of a room's limits and odds. */
import type { RequestOf } from '@sum28/contract/route.ts'
import type { proposeRoomChange, RoomTerms } from '@sum28/contract/staff-games-routes.ts'
import { amountFromWire, parseAmount } from '@sum28/domain/money.ts'
import { oddsAreFair, parseOdds, returnPpm } from '@sum28/domain/odds.ts'

export const LIMITS = ['stake_min', 'stake_max', 'entry_min'] as const

/** Text by the field: a limit's name, or the number of a rule. */
export type Typed = Readonly<Record<string, string>>

export type Draft = {
  /** Fields whose text is no value that may be proposed. */
  readonly wrong: ReadonlySet<string>
  /** What is to be proposed: only what differs. Null where nothing does, or something is wrong. */
  readonly request: Omit<RequestOf<typeof proposeRoomChange>, 'note'> | null
}

/** The return of odds that a person types, in millionths, and whether the guard allows it; null: no odds. */
export function typedReturn(ways: number, text: string): { ppm: number; fair: boolean } | null {
  const oddsMilli = parseOdds(text)
  if (oddsMilli === null) return null
  return { ppm: returnPpm({ oddsMilli, ways }), fair: oddsAreFair({ oddsMilli, ways }) }
}

/** Reads what was typed against a room's terms. A field that was not typed into stays as it is. */
export function readDraft(room: RoomTerms, typed: Typed): Draft {
  const wrong = new Set<string>()
  const limits: Partial<Record<(typeof LIMITS)[number], string>> = {}
  const amounts = new Map(LIMITS.map((name) => [name, amountFromWire(room[name])]))
  for (const name of LIMITS) {
    const text = typed[name]
    if (text === undefined) continue
    const parsed = parseAmount(text)
    if (!parsed.ok) wrong.add(name)
    else if (parsed.amount !== amounts.get(name)) {
      amounts.set(name, parsed.amount)
      limits[name] = text.trim()
    }
  }
  const least = amounts.get('stake_min') ?? 0n
  if (least === 0n) wrong.add('stake_min')
  if ((amounts.get('stake_max') ?? 0n) < least) wrong.add('stake_max')

  const odds = room.odds.flatMap(({ rule_id: rule, ways, odds: before }) => {
    const text = typed[String(rule)]
    if (text === undefined || parseOdds(text) === parseOdds(before)) return []
    if (!typedReturn(ways, text)?.fair) wrong.add(String(rule))
    return [`${rule}:${text.trim()}`]
  })
  const changed = odds.length > 0 || Object.keys(limits).length > 0
  const request = {
    ...{ id: room.id, rules_version: room.rules_version, ...limits },
    ...(odds.length > 0 && { odds: odds.join(',') }),
  }
  return { wrong, request: changed && wrong.size === 0 ? request : null }
}
