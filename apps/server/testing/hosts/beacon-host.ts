/** A local beacon over HTTP in drand's form, from a host that the test can make dishonest. */
import Fastify from 'fastify'
import { onTestFinished } from 'vitest'
import type { Beacon } from '#src/adapters/beacon/beacon.ts'
import { createDrandBeacon } from '#src/adapters/beacon/drand-beacon.ts'
import { createLocalBeacon, type LocalBeacon } from '#src/adapters/beacon/local-beacon.ts'
import { localBeaconRoutes } from '#src/adapters/beacon/local-beacon-routes.ts'

const TEST_BEACON_SECRET = Buffer.alloc(32, 1)

const NO_REST = { firstMs: 0, maxMs: 0 }

type Mood =
  | 'tells'
  | 'is late'
  | 'lies'
  | 'hangs'
  | 'hangs where it has no value'
  | 'holds the next'
  | 'breaks off'

export type BeaconHost = {
  /** The beacon as the engine uses it: over HTTP, with every value verified. */
  beacon: Beacon
  /** Its address, in drand's form. */
  readonly url: string
  /** The beacon itself, which has the real values. */
  source: LocalBeacon
  /** Requests that hang are broken off when it changes. */
  mood: Mood
  /** Called when a request hangs. */
  whenHeld: () => void
  /** Failures of hosts, as the engine's log would get them. */
  readonly failures: readonly string[]
}

/**
 * Serves a beacon until the end of the test.
 *
 * @param genesisTime unix seconds
 * @param now milliseconds since 1970
 */
export async function startBeaconHost(options: {
  genesisTime: number
  now: () => number
  period?: number
}): Promise<BeaconHost> {
  const source = createLocalBeacon({ ...options, secret: TEST_BEACON_SECRET })
  const forger = createLocalBeacon({ ...options, secret: Buffer.alloc(32, 2) })
  const server = Fastify({ forceCloseConnections: true })
  const hanging = new Set<{ destroy(): unknown }>()
  let mood: Mood = 'tells'
  server.addHook('onRequest', async (request, reply) => {
    const round = Number(/\/public\/(\d+)$/.exec(request.url)?.[1])
    if (host.mood === 'is late') return reply.code(404).send({ error: 'not yet' })
    if (host.mood === 'breaks off') return reply.hijack().raw.destroy()
    const isThere = (wanted: number) => source.releasedValue(wanted) !== null
    const hangs =
      host.mood === 'hangs' ||
      (host.mood === 'hangs where it has no value' && !isThere(round)) ||
      (host.mood === 'holds the next' && !isThere(round) && isThere(round - 1))
    if (hangs) {
      hanging.add(reply.raw)
      host.whenHeld()
      return new Promise(() => {})
    }
    if (host.mood === 'lies') return reply.send(forger.releasedValue(round))
  })
  await server.register(localBeaconRoutes, { prefix: '/beacon', beacon: source })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.close())
  const failures: string[] = []
  const host: BeaconHost = {
    url: `${url}/beacon`,
    source,
    failures,
    whenHeld() {},
    get mood() {
      return mood
    },
    set mood(next) {
      mood = next
      for (const each of hanging) each.destroy()
      hanging.clear()
    },
    beacon: createDrandBeacon({
      info: source.info,
      hosts: [`${url}/beacon`],
      onHostFailure: ({ failure }) => failures.push(failure),
      // A test that sets the clock decides itself when to ask again.
      rest: NO_REST,
      notYetRest: NO_REST,
      timeoutMs: 30_000,
    }),
  }
  return host
}
