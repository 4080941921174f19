import { config } from '@sum28/contract/index-routes.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { setLineAddresses } from '#src/data/lines.ts'
import { AFTER_FAILURE_MS, SHOWS_OWN_FAILURE } from '#src/data/query-client.ts'

/** A page may stay open for weeks, and the operator may change a setting meanwhile without a new build. */
const FRESH_MS = 15 * 60_000

/** The operator's configuration; it also names the lines. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  staleTime: FRESH_MS,
  // No screen shows anything that is old when this is.
  meta: SHOWS_OWN_FAILURE,
  queryFn: async ({ signal }) => {
    const { features, ...reply } = await call(config, {}, { signal })
    setLineAddresses(reply.lines)
    return {
      supportChat: reply.support_url,
      supportEmail: features.support_email,
      quickAmounts: reply.quick_amounts,
      /** From the opening of a round to its draw, and from its seal. */
      roundMs: reply.round_seconds * 1_000,
      sealMs: reply.seal_seconds * 1_000,
      heartbeatMs: reply.heartbeat_ms,
      /** An IANA time zone name: the operator's. */
      zone: features.game_timezone,
      /** `10:00-02:00` */
      openingHours: features.opening_hours,
      isDemo: features.demo,
      /** Whether the operator runs the beacon, and could know results early. */
      hasLocalBeacon: features.beacon === 'local',
      build: features.build,
    }
  },
  refetchInterval: ({ state }) => (state.status === 'error' ? AFTER_FAILURE_MS : FRESH_MS),
})
