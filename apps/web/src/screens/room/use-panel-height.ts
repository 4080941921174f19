import { useWindowValue } from '@sum28/ui/use-window-value.ts'
import { panelHeightPercent } from '#src/screens/room/panel-height.ts'

const EVENTS = ['resize'] as const

/** The panel's height for the sheet; follows rotation and the keyboard. */
export function usePanelHeight(): `${number}%` {
  return `${useWindowValue(EVENTS, () => panelHeightPercent(window.innerHeight))}%`
}
