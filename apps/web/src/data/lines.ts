/** The two lines: base addresses of the API. The one chosen stands in session storage. */

export type Line = 0 | 1

let addresses: readonly string[] = []
const listeners = new Set<() => void>()

/** Takes the lines' addresses as the configuration names them; empty is the app's own origin. */
export function setLineAddresses(lines: readonly string[]): void {
  change(() => {
    addresses = lines
  })
}

/** The line chosen on this device: 0 unless line 2 was. */
export function activeLine(): Line {
  return sessionStorage.getItem('activeList') === '1' ? 1 : 0
}

export function storeActiveLine(line: Line): void {
  change(() => sessionStorage.setItem('activeList', String(line)))
}

/** The beginning of the API's addresses; empty for the app's own origin, and until lines are known. */
export function lineBase(line: Line = activeLine()): string {
  const address = (addresses[line] ?? '').replace(/\/+$/, '')
  return address === location.origin ? '' : address
}

/** Calls `listener` whenever calls go to another address than before; returns what ends this. */
export function watchLineBase(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function change(work: () => void): void {
  const before = lineBase()
  work()
  if (lineBase() !== before) for (const listener of listeners) listener()
}
