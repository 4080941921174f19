/**
 * How the seven languages write numbers and choose plurals, as CLDR has it. `Intl` knows it too, but its first use takes
 * a phone a tenth of a second in which it answers no finger.
 */

/** @param tag a language's tag: that of one of the seven, with or without a region */
export function decimalMark(tag: string): '.' | ',' {
  return /^(vi|id)\b/.test(tag) ? ',' : '.'
}

/** A plain number with the marks of a language: `12845.50` → `12,845.50`; no digit is lost. */
export function withMarks(plain: string, tag: string): string {
  const [whole = '', fraction] = plain.split('.')
  const mark = decimalMark(tag)
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, mark === ',' ? '.' : ',')
  return fraction === undefined ? grouped : grouped + mark + fraction
}

/** The form of a noun after a number, by CLDR's name. */
export function pluralForm(count: number, tag: string): 'one' | 'other' {
  return count === 1 && /^en\b/.test(tag) ? 'one' : 'other'
}
