/** The rounds whose win was already shown, kept while the app is open: the server sends the last two again. */
import { currentSession } from '#src/data/session-watch.ts'

const shown = new Map<string, ReadonlySet<string>>()

export function shownWinIssues(gameId: number): ReadonlySet<string> {
  return shown.get(keyOf(gameId)) ?? new Set()
}

export function storeShownWinIssues(gameId: number, issues: ReadonlySet<string>): void {
  shown.set(keyOf(gameId), issues)
}

function keyOf(gameId: number): string {
  return `${currentSession()?.userId} ${gameId}`
}
