/** Decimal odds for people: `"45.714"` → `45,714` where the comma is the language's decimal mark. */
export function oddsText(odds: string, tag: string): string {
  return new Intl.NumberFormat(tag, { maximumFractionDigits: 3 }).format(Number(odds))
}
