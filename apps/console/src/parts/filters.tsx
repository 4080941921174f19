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
  return <TextInput key="q" source="q" label={label} sx={{ width: '24rem' }} alwaysOn />
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
