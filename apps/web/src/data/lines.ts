/** The two lines: base addresses of the API. Session storage keeps the choice. */
import { tabStorage } from '@sum28/ui/storage.ts'

export type Line = 0 | 1

let addresses: readonly string[] = []
const listeners = new Set<() => void>()

/** Sets the lines' addresses from the configuration; an empty one is the app's own origin. */
export function setLineAddresses(lines: readonly string[]): void {
  change(() => {
    addresses = lines
  })
}

/** The line chosen in this tab: 0 by default. */
export function activeLine(): Line {
  return tabStorage().getItem('activeList') === '1' ? 1 : 0
}

export function storeActiveLine(line: Line): void {
  change(() => tabStorage().setItem('activeList', String(line)))
}

/** The base address of the API; empty for the app's own origin, and until the lines are known. */
export function lineBase(line: Line = activeLine()): string {
  const address = (addresses[line] ?? '').replace(/\/+$/, '')
  return address === location.origin ? '' : address
}

/** Calls `listener` when the base address changes. Returns a function that stops it. */
export function watchLineBase(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function change(work: () => void): void {
  const before = lineBase()
  work()
  if (lineBase() !== before) for (const listener of listeners) listener()
}

/** The address of a picture that the API names: a path is below the chosen line's address. */
export function pictureAddress(image: string): string {
  return image.startsWith('/') ? lineBase() + image : image
}
