/** The two lines: base addresses of the API. The one chosen stands in session storage. */

export type Line = 0 | 1

let addresses: readonly string[] = []

/** Takes the lines' addresses as the configuration names them; empty is the app's own origin. */
export function setLineAddresses(lines: readonly string[]): void {
  addresses = lines
}

/** The line chosen on this device: 0 unless line 2 was. */
export function activeLine(): Line {
  return sessionStorage.getItem('activeList') === '1' ? 1 : 0
}

export function storeActiveLine(line: Line): void {
  sessionStorage.setItem('activeList', String(line))
}

/** What paths of the API are put after; empty for the app's own origin, and until lines are known. */
export function lineBase(line: Line = activeLine()): string {
  const address = (addresses[line] ?? '').replace(/\/+$/, '')
  return address === location.origin ? '' : address
}
