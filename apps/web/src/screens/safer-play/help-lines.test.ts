import { LANGUAGES } from '@sum28/ui/languages.ts'
import { describe, expect, it } from 'vitest'
import { HELP_LINES, helpLinesFor } from '#src/screens/safer-play/help-lines.ts'

describe('the help lines', () => {
  it.each(LANGUAGES.map(({ locale }) => locale))('have one that answers in %s', (locale) => {
    const { own, elsewhere } = helpLinesFor(locale)
    expect(own.length).toBeGreaterThan(0)
    expect([...own, ...elsewhere].length).toBe(HELP_LINES.length)
  })

  it('name a safe address, a source, and a number that a phone can dial', () => {
    for (const { organisation, web, source, phone } of HELP_LINES) {
      expect(new URL(web).protocol, organisation).toBe('https:')
      expect(new URL(source).protocol, organisation).toBe('https:')
      if (phone) expect(phone, organisation).toMatch(/^[\d -]+( ext\. \d+)?$/)
    }
  })
})
