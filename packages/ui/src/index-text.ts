/** A value of a game's index, a whole multiple of a half, as the language writes it: `−3.5`. */
export function indexText(value: number, tag: string): string {
  return new Intl.NumberFormat(tag, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
    .format(value)
    .replace('-', '−')
}
