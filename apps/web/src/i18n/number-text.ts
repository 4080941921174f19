import { withMarks } from '@sum28/i18n/numbers.ts'

/** Decimal odds as the language writes them: `"45.714"` → `45,714`. */
export function oddsText(odds: string, tag: string): string {
  return withMarks(String(Number(odds)), tag)
}

/** A share of one as the language writes it, with one decimal at most: `"0.2690"` → `26.9%`. */
export function shareText(share: string, tag: string): string {
  const percent = Number((Number(share) * 100).toFixed(1))
  return `${withMarks(String(percent), tag)}%`
}

/** A value of a game's index, a whole multiple of a half, as the language writes it: `−3.5`. */
export function indexText(value: number, tag: string): string {
  return withMarks(value.toFixed(1), tag).replace('-', '−')
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** `183500` → `184 kB`, as the language writes it. */
export function sizeText(bytes: number, tag: string): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const count = bytes / 1_000 ** step
  return new Intl.NumberFormat(tag, {
    style: 'unit',
    unit: UNITS[step] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: count < 10 && step > 0 ? 1 : 0,
  }).format(count)
}

/** `210` → `3 min 30 sec`, as the language writes it; parts of 0 are left out. */
export function durationText(seconds: number, tag: string): string {
  const parts = [
    { unit: 'hour', count: Math.floor(seconds / 3_600) },
    { unit: 'minute', count: Math.floor((seconds % 3_600) / 60) },
    { unit: 'second', count: seconds % 60 },
  ]
  const named = parts.filter(({ count }) => count > 0)
  return unitsText(named.length > 0 ? named : parts.slice(-1), { tag, display: 'short' })
}

type UnitLooks = { tag: string; display: 'long' | 'short' | 'narrow' }

/** Counts with their units, such as `48 hours` or `1h 5m`, as the language writes them. */
export function unitsText(
  parts: readonly { readonly unit: string; readonly count: number }[],
  { tag, display }: UnitLooks,
): string {
  // The narrow forms of Chinese, Japanese and Korean are English letters.
  const unitDisplay = /^(zh|ja|ko)/.test(tag) && display === 'narrow' ? 'short' : display
  const texts = parts.map(({ unit, count }) =>
    new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay }).format(count),
  )
  // Japanese puts no space between a figure and its unit, nor between the parts; Chinese does, unlike CLDR.
  if (/^ja/.test(tag)) return texts.join('').replaceAll(/\s/g, '')
  const text = texts.join(' ')
  return /^zh/.test(tag) ? text.replaceAll(/(\d)(?=\p{Script=Han})/gu, '$1 ') : text
}
