import { SelectInput } from 'react-admin'

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
