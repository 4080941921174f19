/** Decimal odds for people: `"45.714"` → `45,714` where the comma is the language's decimal mark. */
export function oddsText(odds: string, tag: string): string {
  return numbersOf(tag).format(Number(odds))
}

/** One for each language, for making it takes longer than all the rest. */
const NUMBERS = new Map<string, Intl.NumberFormat>()

function numbersOf(tag: string): Intl.NumberFormat {
  const numbers = NUMBERS.get(tag) ?? new Intl.NumberFormat(tag, { maximumFractionDigits: 3 })
  NUMBERS.set(tag, numbers)
  return numbers
}
