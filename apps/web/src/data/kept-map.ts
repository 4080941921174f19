import { deviceStorage } from '@sum28/ui/storage.ts'

/** The map of a name; empty if none is kept there, or something else is. */
export function readKept<Value>(name: string): Map<string, Value> {
  try {
    return new Map(JSON.parse(deviceStorage().getItem(name) ?? '[]'))
  } catch {
    return new Map()
  }
}

/** Keeps it; where the device has no room for it, it is as before. */
export function storeKept(name: string, entries: readonly (readonly [string, unknown])[]): void {
  try {
    deviceStorage().setItem(name, JSON.stringify(entries))
  } catch {
    // Nothing is compared later then.
  }
}
