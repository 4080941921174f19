import { describe, expect, it } from 'vitest'
import { dayText } from '#src/day-text.ts'

describe('a day', () => {
  it('has its year if it is not the present one', () => {
    expect(dayText('2026-01-01', { tag: 'en', today: '2026-11-21' })).toBe('Thu, Jan 1')
    expect(dayText('2018-01-01', { tag: 'en', today: '2026-11-21' })).toBe('Mon, Jan 1, 2018')
  })

  it('has the format of the language', () => {
    expect(dayText('2026-11-21', { tag: 'ja', today: '2026-11-21' })).toBe('11月21日(土)')
  })
})
