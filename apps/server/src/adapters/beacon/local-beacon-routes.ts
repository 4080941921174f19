import type { BeaconInfo } from '@sum28/fairness/beacon.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Config } from '#src/config.ts'
import { createLocalBeacon, LOCAL_BEACON_ID, type LocalBeacon } from './local-beacon.ts'

/**
 * How many earlier rounds are signed again, for all callers together: this many at once, and this many a second. Each
 * takes some milliseconds of the thread that serves players.
 */
const EARLIER_AT_ONCE = 10
const EARLIER_A_SECOND = 2

const FOREVER = 'public, max-age=604800, immutable'

/**
 * Serves a local beacon in drand's HTTP form (version 1): `/{chainHash}/info`,
 * `/{chainHash}/public/{round}` and `/{chainHash}/public/latest`. Mount with a prefix:
 * `app.register(localBeaconRoutes, { prefix: '/beacon', beacon })`.
 * The latest 20 rounds are always available. Earlier ones are signed again for each request; too many requests get
 * 429. As in drand, 404 means another chain or a future round, and 400 an invalid round number.
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

/** A budget that can be spent at once and refills with time. */
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

// A cache that kept this answer would hide the value after its release.
function notYet(reply: FastifyReply): FastifyReply {
  return reply
    .code(404)
    .header('cache-control', 'no-store')
    .send({ error: 'round is not there yet' })
}

function parseRound(text: string): number | null {
  if (!/^[1-9][0-9]{0,15}$/.test(text)) return null
  const round = Number(text)
  // The round's time in milliseconds must stay a safe integer.
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

/**
 * Serves the operator's own beacon at `/beacon`, if the configuration has one: for players who check a draw, and for
 * the engine of this process.
 *
 * @returns what identifies the beacon; null if there is none
 */
export async function serveLocalBeacon(
  http: FastifyInstance,
  deps: {
    config: Pick<Config, 'beacon'>
    keys: { beaconSecret: string; beaconGenesis: number }
    now: () => number
  },
): Promise<BeaconInfo | null> {
  const { config, keys, now } = deps
  if (config.beacon.kind !== 'local') return null
  const beacon = createLocalBeacon({
    secret: Buffer.from(keys.beaconSecret, 'hex'),
    genesisTime: keys.beaconGenesis,
    now,
  })
  await http.register(localBeaconRoutes, { prefix: '/beacon', beacon })
  return beacon.info
}
