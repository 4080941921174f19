/**
 * Imported before react-admin, which reads the browser's storages by these names while it is loaded: where all site data
 * is blocked, reading one throws, and a storage of this page alone takes its place.
 */
import { deviceStorage, tabStorage } from '@sum28/ui/storage.ts'

const STAND_INS = { localStorage: deviceStorage, sessionStorage: tabStorage }

for (const name of ['localStorage', 'sessionStorage'] as const) {
  try {
    window[name].length
  } catch {
    Object.defineProperty(window, name, { configurable: true, value: STAND_INS[name]() })
  }
}
