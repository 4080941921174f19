import { useState } from 'react'
import { alikeInAllGames, type RoomRules, type Rules } from '#src/data/room-rules.ts'
import { RulesBets } from '#src/screens/rules/rules-bets.tsx'
import { RulesOdds } from '#src/screens/rules/rules-odds.tsx'
import { RulesReturn } from '#src/screens/rules/rules-return.tsx'
import { RulesRound } from '#src/screens/rules/rules-round.tsx'
import { RulesTerms } from '#src/screens/rules/rules-terms.tsx'

/** The parts of the rules page that need the server's numbers. */
export function RulesBody({ rules }: { rules: Rules }) {
  const alike = alikeInAllGames(rules.rooms)
  const [chosenId, choose] = useState<number | null>(null)
  const chosen = rules.rooms.find(({ id }) => id === chosenId) ?? rules.rooms[0]
  return (
    <>
      <RulesRound rules={rules} />
      <RulesBets />
      {chosen && (
        <>
          <RulesOdds
            rooms={rules.rooms}
            alike={alike}
            chosen={chosen}
            onChoose={(room: RoomRules) => choose(room.id)}
          />
          <RulesReturn room={chosen} />
        </>
      )}
      <RulesTerms deadlineSeconds={rules.deadlineSeconds} payoutMax={rules.payoutMax} />
    </>
  )
}
