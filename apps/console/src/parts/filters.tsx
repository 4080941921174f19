import { DateInput, SelectInput, TextInput } from 'react-admin'

const NARROW = { width: '9rem' }

/** An emptied day is no filter. */
export function dayOrNone(value: string): string | undefined {
  return value === '' ? undefined : value
}

/** The filters of a list of money by time and amount. */
export const MONEY_FILTERS = [
  <DateInput
    key="first"
    source="from_day"
    label="console.fromDay"
    parse={dayOrNone}
    sx={NARROW}
    alwaysOn
  />,
  <DateInput
    key="last"
    source="until_day"
    label="console.untilDay"
    parse={dayOrNone}
    sx={NARROW}
    alwaysOn
  />,
  <TextInput key="least" source="amount_from" label="console.amountFrom" sx={NARROW} alwaysOn />,
  <TextInput key="most" source="amount_until" label="console.amountUntil" sx={NARROW} alwaysOn />,
]

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

/** The filter of a list by whom its items wait for. */
export function turnFilter() {
  const choices = ['you', 'others'].map((id) => ({ id, name: `console.turn.${id}` }))
  return (
    <SelectInput key="turn" source="turn" choices={choices} label="console.turn.label" alwaysOn />
  )
}

/** The filter of a list to what the start page counts. `label`: a key of the catalogs that says what that is. */
export function dueFilter(label: string) {
  const choices = [{ id: 'now', name: label }]
  return <SelectInput key="due" source="due" choices={choices} label="console.due" />
}

/** The filter of a list by the state of its items. `texts`: the key in the catalog below which the states are. */
export function stateFilter(states: readonly string[], texts: string) {
  return (
    <SelectInput
      key="state"
      source="state"
      choices={states.map((id) => ({ id, name: `${texts}.${id}` }))}
      label="console.state"
      alwaysOn
    />
  )
}
