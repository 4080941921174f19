import { config } from '@sum28/contract/index-routes.ts'
import { queryOptions } from '@tanstack/react-query'
import { type Line, lineBase } from '#src/data/lines.ts'
import { SHOWS_OWN_FAILURE } from '#src/data/stale-data.ts'

const EVERY_MS = 30_000
const GIVE_UP_MS = 7_000

/** The round trip of a call over a line in milliseconds, measured repeatedly. */
export function lineSpeedQuery(line: Line) {
  const base = lineBase(line)
  return queryOptions({
    queryKey: ['line-speed', base],
    staleTime: EVERY_MS / 2,
    refetchInterval: EVERY_MS,
    retry: false,
    meta: SHOWS_OWN_FAILURE,
    queryFn: async ({ signal }) => {
      // The first call may open the connection, so only the second is measured.
      await roundTrip(base, signal)
      return roundTrip(base, signal)
    },
  })
}

async function roundTrip(base: string, signal: AbortSignal): Promise<number> {
  const sentAt = performance.now()
  const reply = await fetch(base + config.path, {
    cache: 'no-store',
    credentials: 'omit',
    signal: AbortSignal.any([signal, AbortSignal.timeout(GIVE_UP_MS)]),
  })
  if (!reply.ok) throw new Error(`the line answered ${reply.status}`)
  return Math.max(1, Math.round(performance.now() - sentAt))
}
