import { useWindowValue } from '@sum28/ui/use-window-value.ts'

/** The panel's share of the screen's height … */
const SHARE = 60
/**
 * … but at least so many pixels, if the screen (without the keyboard) has them: head, foot, and a
 * row of outcomes.
 */
const LEAST_PX = 290
const MOST_SHARE = 96

/** The panel's height as a share of the screen's, in percent. */
export function panelHeightPercent(screenPx: number): number {
  return Math.min(MOST_SHARE, Math.max(SHARE, Math.ceil((LEAST_PX / screenPx) * 100)))
}

const EVENTS = ['resize'] as const

/** The panel's height for the sheet; follows rotation and the keyboard. */
export function usePanelHeight(): `${number}%` {
  return `${useWindowValue(EVENTS, () => panelHeightPercent(window.innerHeight))}%`
}
