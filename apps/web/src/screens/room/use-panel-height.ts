import { useSyncExternalStore } from 'react'
import { panelHeightPercent } from '#src/screens/room/panel-height.ts'

/** The panel's height for the sheet; follows rotation and the keyboard. */
export function usePanelHeight(): `${number}%` {
  return `${useSyncExternalStore(watch, () => panelHeightPercent(window.innerHeight))}%`
}

function watch(listener: () => void): () => void {
  window.addEventListener('resize', listener)
  return () => window.removeEventListener('resize', listener)
}
