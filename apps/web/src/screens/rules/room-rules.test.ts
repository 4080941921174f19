/**
 * Goal: every number of the rules page is the one that the game uses. Method: all 1,000
 * draws are counted here, and the page's numbers are compared with the counts.
 */
import { formatOdds, formatShare, returnPpm } from '@sum28/domain/odds.ts'
import { RULES, ruleById, SUM_RULE_BASE } from '@sum28/domain/outcomes.ts'
import { startOdds } from '@sum28/domain/testing/outcome-table.ts'
import { describe, expect, it } from 'vitest'
import { alikeInAllGames, rulesFromWire } from '#src/screens/rules/room-rules.ts'
import { HOUSE_RULES } from '#src/testing/usual-replies.ts'

/** How many draws hit each outcome: counted one by one, by rules written for this test. */
function countedWays(): Record<string, number> {
  const ways: Record<string, number> = {}
  for (let draw = 0; draw < 1_000; draw++) {
    const sum = [...String(draw).padStart(3, '0')].reduce((total, digit) => total + +digit, 0)
    const size = sum > 13 ? 'long' : 'short'
    const parity = sum % 2 ? 'odd' : 'even'
    for (const hit of [size, parity, `${size}-${parity}`, `${sum}`]) {
      ways[hit] = (ways[hit] ?? 0) + 1
    }
  }
  return ways
}

function wireRoom(gameId: number, type: 0 | 1 | 2 | 3) {
  const offers = startOdds(type).map(({ ruleId, oddsMilli }) => {
    const rule = RULES.find(({ id }) => id === ruleId)
    if (!rule) throw new Error(`no rule ${ruleId}`)
    return {
      class: ruleId,
      class_name: rule.outcome,
      odds: formatOdds(oddsMilli),
      chance: formatShare(rule.ways * 1_000),
      return: formatShare(returnPpm({ oddsMilli, ways: rule.ways })),
    }
  })
  return {
    id: gameId * 10 + type + 1,
    game_id: gameId,
    game_name: ['', 'DOT', 'BCH', 'ETH', 'BTC'][gameId] ?? '',
    title: ['Basic', 'Senior', 'Master', 'Expert'][type] ?? '',
    type,
    min_limit: '100.00',
    max: '1000000.00',
    join_limit: '100.00',
    rules_version: 1,
    rule_base: offers.filter((offer) => offer.class < SUM_RULE_BASE),
    rule_num: offers.filter((offer) => offer.class >= SUM_RULE_BASE),
  }
}

function wireRules(change?: (room: ReturnType<typeof wireRoom>) => void) {
  const rooms = [1, 2, 3, 4].flatMap((game) =>
    ([0, 1, 2, 3] as const).map((type) => wireRoom(game, type)),
  )
  for (const room of rooms) change?.(room)
  return { ...HOUSE_RULES, rooms }
}

describe('the rules in numbers', () => {
  it('are, in every room, equal to a count of all 1,000 draws', () => {
    const ways = countedWays()
    for (const room of rulesFromWire(wireRules()).rooms) {
      const rows = [...room.named, ...room.sums]
      expect(rows.map(({ outcome }) => outcome).sort()).toEqual(Object.keys(ways).sort())
      const share = [960, 965, 970, 975][room.type] ?? 0
      for (const row of rows) {
        const counted = ways[row.outcome] ?? 0
        expect(ruleById(row.ruleId)?.ways).toBe(counted)
        expect(Math.round(Number(row.chance) * 1_000)).toBe(counted)
        // The start value: the room's share of what would be fair, cut to three decimals.
        expect(row.oddsMilli).toBe(Math.floor((share * 1_000) / counted))
        expect(row.return).toBe((Math.floor((row.oddsMilli * counted) / 100) / 10_000).toFixed(4))
      }
    }
  })

  it('are those that the operator has set, not the start values', () => {
    const changed = rulesFromWire(
      wireRules((room) => {
        const long = room.rule_base[0]
        if (room.id === 11 && long) Object.assign(long, { odds: '1.8', return: '0.9000' })
      }),
    )
    expect(changed.rooms[0]?.named[0]).toMatchObject({
      outcome: 'long',
      oddsMilli: 1_800,
      return: '0.9000',
    })
  })

  it('are shown once if all games are the same, and game by game if one differs', () => {
    expect(alikeInAllGames(rulesFromWire(wireRules()).rooms)).toBe(true)
    const other = wireRules((room) => {
      if (room.id === 42) room.min_limit = '250.00'
    })
    expect(alikeInAllGames(rulesFromWire(other).rooms)).toBe(false)
    const fewer = wireRules()
    fewer.rooms.pop()
    expect(alikeInAllGames(rulesFromWire(fewer).rooms)).toBe(false)
    const newer = wireRules((room) => {
      if (room.id === 42) room.rules_version = 7
    })
    expect(alikeInAllGames(rulesFromWire(newer).rooms)).toBe(true)
  })
})
