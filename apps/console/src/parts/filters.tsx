import { reportChoices } from '@sum28/contract/staff-reports-routes.ts'
import { DateInput, SelectInput, TextInput } from 'react-admin'
import { useReply } from '#src/data/use-reply.ts'

/** A date and the button of its calendar. */
const DATE = { width: '10.5rem' }
const AMOUNT = { width: '7.5rem' }

/** The filters of a list of money by time and amount. */
export const MONEY_FILTERS = [
  <DateInput key="first" source="from_day" label="console.fromDay" sx={DATE} alwaysOn />,
  <DateInput key="last" source="until_day" label="console.untilDay" sx={DATE} alwaysOn />,
  <TextInput key="least" source="amount_from" label="console.amountFrom" sx={AMOUNT} alwaysOn />,
  <TextInput key="most" source="amount_until" label="console.amountUntil" sx={AMOUNT} alwaysOn />,
]

/** A choice of a game; for a list's filters, with a key. */
export function GameInput(props: { source: string; label: string; alwaysOn?: boolean }) {
  const { data } = useReply(reportChoices, {})
  return <SelectInput {...props} choices={data?.games ?? []} />
}

/** The text filter of a list. `label`: a key of the catalogs that names the searched fields. */
export function searchFilter(label: string) {
  return (
    <TextInput
      key="q"
      source="q"
      label={label}
      sx={{ width: '24rem', maxWidth: '100%' }}
      alwaysOn
    />
  )
}

/**
 * The filter of a list by one of some values. `texts`: the key in the catalog below which their names are; `label`: the
 * key that names the choice.
 */
export function choiceFilter(
  source: string,
  values: readonly (string | number)[],
  texts: string,
  label: string,
) {
  const choices = values.map((id) => ({ id, name: `${texts}.${id}` }))
  return <SelectInput key={source} source={source} choices={choices} label={label} alwaysOn />
}

/** The filter of a list by the state of its items. */
export function stateFilter(states: readonly string[], texts: string) {
  return choiceFilter('state', states, texts, 'console.state')
}

/** The filter of a list by whom its items wait for. */
export function turnFilter() {
  return choiceFilter('turn', ['you', 'others'], 'console.turn', 'console.turn.label')
}

/** The filter of a list to what the start page counts. `label`: a key of the catalogs that says what that is. */
export function dueFilter(label: string) {
  const choices = [{ id: 'now', name: label }]
  return <SelectInput key="due" source="due" choices={choices} label="console.due" />
}
