/** Decimal odds as the language writes them: `"45.714"` → `45,714`. */
export function oddsText(odds: string, tag: string): string {
  return numbersOf(tag).format(Number(odds))
}

/** Cached by language, because making it is slow. */
const NUMBERS = new Map<string, Intl.NumberFormat>()

function numbersOf(tag: string): Intl.NumberFormat {
  const numbers = NUMBERS.get(tag) ?? new Intl.NumberFormat(tag, { maximumFractionDigits: 3 })
  NUMBERS.set(tag, numbers)
  return numbers
}
