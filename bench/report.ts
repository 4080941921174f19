/** Prints the figures of a bench. */

export type Figure = { name: string; value: number; unit: string }

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

export function report(title: string, figures: readonly Figure[]): void {
  console.log(`\n${title}`)
  const width = Math.max(...figures.map(({ name }) => name.length))
  for (const { name, value, unit } of figures) {
    const shown = value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1)
    console.log(`  ${name.padEnd(width)}  ${shown.padStart(9)} ${unit}`)
  }
}
