import { Box, Typography } from '@mui/material'
import type { ReactNode } from 'react'
import { useTranslate } from 'react-admin'

/** Null is shown as a dash; a fact whose value is undefined is not shown. */
export type Fact = readonly [name: string, value: ReactNode]

type FactsProps = {
  /** The key of the catalogs below which the names are. */
  texts: string
  facts: readonly Fact[]
  /** The least width of a fact. */
  width?: string
}

/** The facts of a record, each with its name. */
export function Facts({ texts, facts, width = '13rem' }: FactsProps) {
  const translate = useTranslate()
  return (
    <Box
      component="dl"
      sx={{
        margin: 0,
        display: 'grid',
        gap: 2,
        gridTemplateColumns: `repeat(auto-fill, minmax(${width}, 1fr))`,
      }}
    >
      {facts
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
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
