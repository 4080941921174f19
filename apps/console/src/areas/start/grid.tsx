import { Box } from '@mui/material'
import type { ReactNode } from 'react'

/** Cards side by side, as many as fit. */
export function Grid({ children, width = 220 }: { children: ReactNode; width?: number }) {
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        gridTemplateColumns: `repeat(auto-fill, minmax(min(${width}px, 100%), 1fr))`,
      }}
    >
      {children}
    </Box>
  )
}
