import { TextInput } from 'react-admin'

/** The filter of a list by what is typed. `label`, a key of the catalogs, says what is found by it. */
export function searchFilter(label: string) {
  return <TextInput key="q" source="q" label={label} sx={{ width: '24rem' }} alwaysOn />
}
