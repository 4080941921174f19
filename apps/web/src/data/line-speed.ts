import { anySignal } from '@sum28/contract/any-signal.ts'
import type { Client } from '@sum28/contract/client.ts'
import { config } from '@sum28/contract/index-routes.ts'
import { queryOptions } from '@tanstack/react-query'
import { clientOf } from '#src/data/client.ts'
import { type Line, lineBase } from '#src/data/lines.ts'
import { SHOWS_OWN_FAILURE } from '#src/data/query-client.ts'
import type { useText } from '#src/i18n/text.ts'

/** How often it is measured again where lines are compared. */
export const MEASURE_EVERY_MS = 30_000
const GIVE_UP_MS = 7_000

/** The round trip of a call over a line in milliseconds. */
export function lineSpeedQuery(line: Line) {
  const base = lineBase(line)
  return queryOptions({
    queryKey: ['line-speed', base],
    staleTime: MEASURE_EVERY_MS / 2,
    retry: false,
    meta: SHOWS_OWN_FAILURE,
    queryFn: async ({ signal }) => {
      const call = clientOf(() => base)
      // The first call may open the connection, so only the second is measured.
      await roundTrip(call, signal)
      return roundTrip(call, signal)
    },
  })
}

async function roundTrip(call: Client, signal: AbortSignal): Promise<number> {
  const sentAt = performance.now()
  await call(config, {}, { signal: anySignal(signal, AbortSignal.timeout(GIVE_UP_MS)) })
  return Math.max(1, Math.round(performance.now() - sentAt))
}

/** A line's round trip as text: milliseconds, or whole seconds, which take no more room. */
export function speedText(t: ReturnType<typeof useText>, ms: number): string {
  return ms < 1_000 ? t('line.ms', { ms }) : t('line.s', { s: Math.round(ms / 1_000) })
}
