import { getContrastRatio } from '@mui/material/styles'
import { expect, it } from 'vitest'
import { themeOf } from './theme.ts'
import { token } from './tokens.ts'

it.each(['light', 'dark'] as const)('the edge of a field is seen on each ground: %s', (scheme) => {
  const { MuiOutlinedInput } = themeOf(scheme).components ?? {}
  const edge = MuiOutlinedInput?.styleOverrides?.notchedOutline as { borderColor: string }
  // WCAG 2.2, 1.4.11
  for (const ground of ['bg', 'surface'])
    expect(getContrastRatio(edge.borderColor, token(scheme, ground))).toBeGreaterThanOrEqual(3)
})
