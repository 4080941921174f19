/** Reads CSS variables for the chart, whose canvas does not know them. */
export type ChartColours = {
  readonly surface: string
  readonly line: string
  readonly ink: string
  readonly quiet: string
  readonly shadow: string
  readonly long: string
  readonly short: string
  /** The game's own. */
  readonly tint: string
}

/** The present colours of an element, light or dark. */
export function chartColours(element: Element): ChartColours {
  const style = getComputedStyle(element)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  return {
    surface: colour('--surface'),
    line: colour('--line'),
    ink: colour('--ink'),
    quiet: colour('--ink-3'),
    shadow: colour('--line'),
    long: colour('--long'),
    short: colour('--short'),
    tint: colour('--tint'),
  }
}
