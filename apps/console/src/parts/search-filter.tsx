import { TextInput } from 'react-admin'

/** The text filter of a list. `label`: a key of the catalogs that names the searched fields. */
export function searchFilter(label: string) {
  return <TextInput key="q" source="q" label={label} sx={{ width: '24rem' }} alwaysOn />
}
