import { Stack, Typography } from '@mui/material'
import { useListContext, useResourceContext, useTranslate } from 'react-admin'

/** The text of an empty list: `resources.<name>.empty` or a common sentence; for a search, that nothing was found. */
export function EmptyList() {
  const translate = useTranslate()
  const resource = useResourceContext()
  const searched = useListContext().filterValues?.q !== undefined
  return (
    <Stack sx={{ padding: 6, alignItems: 'center', gap: 1 }}>
      <Typography color="textSecondary">
        {searched
          ? translate('console.nothingFound')
          : translate(`resources.${resource}.empty`, { _: translate('console.empty') })}
      </Typography>
    </Stack>
  )
}
