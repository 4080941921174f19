import type { Day } from '@sum28/domain/schedule.ts'
import {
  type DayRange,
  type DaySpan,
  queryOfSpan,
  rangeOfSpan,
  spanOfQuery,
} from '@sum28/ui/days.ts'
import { useSearchParams } from '#src/app/navigation.tsx'
import { useGameZone } from '#src/data/game-zone.ts'

type ListFilter<Choice extends string> = {
  /** The operator's today. */
  today: Day
  span: DaySpan
  range: DayRange
  /** Undefined: all. */
  choice: Choice | undefined
  setSpan: (span: DaySpan) => void
  setChoice: (choice: Choice | undefined) => void
}

/**
 * The filter of a list: the days, and one kind of items. It is kept in the address, so that the
 * list is the same after going back.
 */
export function useListFilter<Choice extends string>(
  choices: readonly Choice[],
): ListFilter<Choice> {
  const [search, setSearch] = useSearchParams()
  const { today } = useGameZone()
  const span = spanOfQuery(
    { days: search.get('days'), from: search.get('from'), to: search.get('to') },
    today,
  )
  const choice = choices.find((each) => each === search.get('show'))

  function store(next: { span: DaySpan; choice: Choice | undefined }) {
    const query = { ...queryOfSpan(next.span), ...(next.choice && { show: next.choice }) }
    setSearch(query, { replace: true })
  }

  return {
    today,
    span,
    range: rangeOfSpan(span, today),
    choice,
    setSpan: (next) => store({ span: next, choice }),
    setChoice: (next) => store({ span, choice: next }),
  }
}
