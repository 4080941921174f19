/** Amounts of a column. */
import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { decimalsOf, MoneyText } from '#src/parts/values.tsx'

it('amounts of a column have as many decimals as the longest of them, and stand by their points', () => {
  const values = ['1234.50', '-0.123456', '7.00']
  const { container } = render(
    values.map((value) => <MoneyText key={value} value={value} decimals={decimalsOf(values)} />),
  )
  const shown = [...container.children].map(({ textContent }) => textContent)
  expect(shown).toEqual(['1,234.500000 u', '\u22120.123456 u', '7.000000 u'])
  const { container: alone } = render(<MoneyText value="7.00" />)
  expect(alone.textContent).toBe('7.00 u')
})
