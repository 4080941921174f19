import { listPlayers } from '@sum28/contract/staff-players-routes.ts'
import type { SearchHit } from '#src/areas/area.ts'
import { call } from '#src/data/call.ts'

const FOUND_MAX = 10

/** Players for the console's search: by name, e-mail address, number, deposit address or order number. */
export async function findPlayers(q: string, signal: AbortSignal): Promise<readonly SearchHit[]> {
  const { list } = await call(listPlayers, { q, limit: FOUND_MAX }, { signal })
  return list.map(({ id, username, email }) => ({
    to: `/players/${id}/show`,
    title: username,
    details: [id, email].filter((part) => part !== null).join(' · '),
  }))
}
