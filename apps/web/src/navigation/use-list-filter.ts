import { useGameZone } from '#src/data/game-day.ts'
import { type DaySpan, queryOfSpan, rangeOfSpan, spanOfQuery } from '#src/i18n/days.ts'
import { useRouteQuery } from '#src/navigation/navigation.tsx'

/**
 * The filter of a list: the days, and one kind of items. It is kept in the address, so that the
 * list is the same after going back.
 */
export function useListFilter<Choice extends string>(
  list: 'betHistory' | 'statement',
  choices: readonly Choice[],
) {
  const [query, setQuery] = useRouteQuery(list)
  const { today } = useGameZone()
  const span = spanOfQuery(
    { days: query.days ?? null, from: query.from ?? null, to: query.to ?? null },
    today,
  )
  /** Undefined: all. */
  const choice = choices.find((each) => each === query.show)

  function store(next: { span: DaySpan; choice: Choice | undefined }) {
    setQuery({ ...queryOfSpan(next.span), ...(next.choice && { show: next.choice }) })
  }

  return {
    today,
    span,
    range: rangeOfSpan(span, today),
    choice,
    setSpan: (next: DaySpan) => store({ span: next, choice }),
    setChoice: (next: Choice | undefined) => store({ span, choice: next }),
  }
}
