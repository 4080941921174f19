import { Box, Typography } from '@mui/material'
import type { ReactNode } from 'react'
import { useTranslate } from 'react-admin'

/** The facts of a record: each with its name, a key below `texts`, and its value. */
export function Facts({
  texts,
  facts,
}: {
  texts: string
  facts: readonly (readonly [name: string, value: ReactNode])[]
}) {
  const translate = useTranslate()
  return (
    <Box
      component="dl"
      sx={{
        ...{ margin: 0, display: 'grid', gap: 2 },
        gridTemplateColumns: 'repeat(auto-fill, minmax(13rem, 1fr))',
      }}
    >
      {facts.map(([name, value]) => (
        <Box key={name}>
          <Typography component="dt" variant="body2" color="textSecondary">
            {translate(`${texts}.${name}`)}
          </Typography>
          <Box component="dd" sx={{ margin: 0, overflowWrap: 'anywhere' }}>
            {value ?? '—'}
          </Box>
        </Box>
      ))}
    </Box>
  )
}
