import type { FastifyInstance, FastifyReply } from 'fastify'
import { LOCAL_BEACON_ID, type LocalBeacon } from './local-beacon.ts'

/**
 * How many earlier rounds are signed anew, by whoever asks: so many at once, and so many a second.
 * Each takes some milliseconds of the thread that serves players.
 */
const EARLIER_AT_ONCE = 10
const EARLIER_A_SECOND = 2

const FOREVER = 'public, max-age=604800, immutable'

/**
 * Serves a local beacon in drand's HTTP form (version 1): `/{chainHash}/info`,
 * `/{chainHash}/public/{round}` and `/{chainHash}/public/latest`. Mount with a prefix:
 * `app.register(localBeaconRoutes, { prefix: '/beacon', beacon })`.
 * The latest 20 rounds are always there; earlier ones are signed anew, and answered with 429 where
 * too many are asked for. As drand does, 404 means another chain or a round that is not there yet; 400 a round that is none.
 */
export async function localBeaconRoutes(
  fastify: FastifyInstance,
  options: { readonly beacon: LocalBeacon; readonly monotonicMs?: () => number },
): Promise<void> {
  const { beacon, monotonicMs = () => performance.now() } = options
  const earlier = allowance(monotonicMs)
  const chain = `/${beacon.info.chainHash}`

  fastify.get(`${chain}/info`, async (_request, reply) => {
    reply.header('cache-control', FOREVER)
    return chainInfo(beacon)
  })

  fastify.get(`${chain}/public/latest`, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    const latest = beacon.latestRound()
    const value = latest === null ? null : beacon.releasedValue(latest)
    return value ?? notYet(reply)
  })

  fastify.get<{ Params: { round: string } }>(`${chain}/public/:round`, async (request, reply) => {
    const round = parseRound(request.params.round)
    if (round === null) return reply.code(400).send({ error: 'not a round' })
    if (!beacon.isAtHand(round) && !earlier.take()) {
      return reply
        .code(429)
        .header('cache-control', 'no-store')
        .header('retry-after', 1)
        .send({ error: 'too many earlier rounds were asked for' })
    }
    const value = beacon.releasedValue(round)
    if (value === null) return notYet(reply)
    reply.header('cache-control', FOREVER)
    return value
  })
}

/** What is used up at once and comes back with time. */
function allowance(monotonicMs: () => number) {
  let left = EARLIER_AT_ONCE
  let at = monotonicMs()
  return {
    take(): boolean {
      const now = monotonicMs()
      left = Math.min(EARLIER_AT_ONCE, left + ((now - at) / 1000) * EARLIER_A_SECOND)
      at = now
      if (left < 1) return false
      left -= 1
      return true
    },
  }
}

// A cache that kept this answer would hide the value when its time has come.
function notYet(reply: FastifyReply): FastifyReply {
  return reply
    .code(404)
    .header('cache-control', 'no-store')
    .send({ error: 'round is not there yet' })
}

function parseRound(text: string): number | null {
  if (!/^[1-9][0-9]{0,15}$/.test(text)) return null
  const round = Number(text)
  // The time of a round must stay a safe number of milliseconds.
  return round <= 1e11 ? round : null
}

function chainInfo({ info, genesisSeed }: LocalBeacon) {
  return {
    public_key: info.publicKey,
    period: info.period,
    genesis_time: info.genesisTime,
    hash: info.chainHash,
    groupHash: genesisSeed,
    schemeID: info.scheme,
    metadata: { beaconID: LOCAL_BEACON_ID },
  }
}
