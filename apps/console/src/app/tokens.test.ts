import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readTokens } from './tokens.ts'

const css = readFileSync(
  new URL('../../../../packages/ui/src/styles/tokens.css', import.meta.url),
  'utf8',
)

describe('the tokens of the style sheet', () => {
  it('are read for light and dark; most are the same in both', () => {
    const { light, dark } = readTokens(css)
    expect(light['--accent']).toBe('#0b5d53')
    expect(dark['--accent']).toBe('#4fc3ad')
    expect(dark['--radius-field']).toBe(light['--radius-field'])
    expect(dark['--veil']).toBe('rgb(0 0 0 / 0.65)')
    expect(Object.values({ ...light, ...dark }).join()).not.toContain('light-dark')
  })

  it('are all there', () => {
    const names = new Set(css.match(/--[\w-]+(?=:)/g))
    expect(new Set(Object.keys(readTokens(css).light))).toEqual(names)
  })
})
