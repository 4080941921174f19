/** Rounds whose win was already shown, kept between visits: the server names the last two again. */
import { currentSession } from '#src/data/session-watch.ts'

const noticed = new Map<string, ReadonlySet<string>>()

export function noticedIssuesOf(gameId: number): ReadonlySet<string> {
  return noticed.get(keyOf(gameId)) ?? new Set()
}

export function keepNoticedIssues(gameId: number, issues: ReadonlySet<string>): void {
  noticed.set(keyOf(gameId), issues)
}

function keyOf(gameId: number): string {
  return `${currentSession()?.userId} ${gameId}`
}
