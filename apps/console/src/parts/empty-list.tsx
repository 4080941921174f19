import { Stack, Typography } from '@mui/material'
import { useResourceContext, useTranslate } from 'react-admin'

/** What an empty list says: `resources.<name>.empty`, or the common sentence. */
export function EmptyList() {
  const translate = useTranslate()
  const resource = useResourceContext()
  return (
    <Stack sx={{ padding: 6, alignItems: 'center', gap: 1 }}>
      <Typography color="textSecondary">
        {translate(`resources.${resource}.empty`, { _: translate('console.empty') })}
      </Typography>
    </Stack>
  )
}
