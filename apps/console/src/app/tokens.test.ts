import { readFileSync } from 'node:fs'
import { getContrastRatio } from '@mui/material/styles'
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

  it.each(['light', 'dark'] as const)('can be read on every ground of a text: %s', (scheme) => {
    const { [scheme]: tokens } = readTokens(css)
    const grounds = ['--bg', '--surface', '--sunk', '--raised']
    const soft = Object.keys(tokens).filter((name) => /^--(?!tint).*-soft$/.test(name))
    const pairs: (readonly [ink: string, grounds: readonly string[], least: number])[] = [
      ...['--ink', '--ink-2', '--ink-3'].map((ink) => [ink, [...grounds, ...soft], 4.5] as const),
      ...soft.map((own) => [own.replace('-soft', ''), [...grounds, own], 4.5] as const),
      ['--field-line', ['--bg', '--surface', '--sunk'], 3],
    ]
    const contrast = (one: string, other: string) =>
      getContrastRatio(tokens[one] ?? '', tokens[other] ?? '')
    const faint = pairs.flatMap(([ink, on, least]) =>
      on.filter((ground) => contrast(ink, ground) < least).map((ground) => `${ink} on ${ground}`),
    )
    expect(faint).toEqual([])
  })
})
