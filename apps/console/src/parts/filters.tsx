import { SelectInput, TextInput } from 'react-admin'

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
