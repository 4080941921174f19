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
