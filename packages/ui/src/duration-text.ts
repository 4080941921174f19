/** `210` → `3 min 30 sec`, as the language writes it; parts of 0 are left out. */
export function durationText(seconds: number, tag: string): string {
  const parts = [
    { unit: 'hour', count: Math.floor(seconds / 3_600) },
    { unit: 'minute', count: Math.floor((seconds % 3_600) / 60) },
    { unit: 'second', count: seconds % 60 },
  ]
  const named = parts.filter(({ count }) => count > 0)
  const texts = (named.length > 0 ? named : parts.slice(-1)).map(({ unit, count }) =>
    new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'short' }).format(count),
  )
  // Chinese and Japanese put no space between a figure and its unit, nor between the parts.
  return /^(zh|ja)/.test(tag) ? texts.join('').replaceAll(/\s/g, '') : texts.join(' ')
}
