/** When this reader has had the beacon's values that rounds wait for: asked for while such a round has no end. */
import { verifySignature } from '../src/beacon.ts'
import { isByDrand, type LoggedRound, need, wholeNumber } from './log-facts.ts'
import { readUpTo } from './read-up-to.ts'

const DRAND = 'https://api.drand.sh'

const PATIENCE_MS = 4_000

const LONGEST_ANSWER = 16 * 1024

/** Of one look; a house cannot have more asked for. */
const ASKED_AT_ONCE = 20
const VALUES_KEPT = 1_000

/**
 * @param address where the values are served in drand's form; without it drand's own, and a beacon of the operator’s is
 *   not asked: he has its values first
 */
export function beaconWatch({ address, now }: { address?: string | undefined; now: () => number }) {
  /** By beacon and round: when the value was here, in milliseconds since 1970. */
  const seen = new Map<string, number>()

  async function ask(name: string, { announcement }: LoggedRound): Promise<void> {
    const [beacon, round] = [
      need(announcement, 'beacon'),
      wholeNumber(announcement, 'beacon_round'),
    ]
    const url = `${address ?? DRAND}/${encodeURIComponent(beacon)}/public/${round}`
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) })
      const bytes = await readUpTo(LONGEST_ANSWER, response)
      const { signature } = JSON.parse(new TextDecoder().decode(bytes ?? undefined)) as {
        signature?: unknown
      }
      const publicKey = need(announcement, 'beacon_key')
      if (typeof signature !== 'string' || !verifySignature({ publicKey, round, signature })) return
      if (seen.size >= VALUES_KEPT) seen.delete(seen.keys().next().value ?? '')
      seen.set(name, now())
    } catch {
      // It is asked for again at the next look.
    }
  }

  return {
    /** Asks for what these rounds wait for and was not here yet; one request for all games of a round. */
    async look(rounds: readonly LoggedRound[]): Promise<void> {
      const asked = rounds.filter(({ announcement }) => address || isByDrand(announcement))
      const waiting = new Map(asked.map((round) => [nameOf(round), round]))
      const missing = [...waiting].filter(([name]) => !seen.has(name)).slice(0, ASKED_AT_ONCE)
      await Promise.all(missing.map(([name, round]) => ask(name, round)))
    },
    /** When the value of a round was here, in milliseconds since 1970; null if it was not. */
    seenAt: (round: LoggedRound): number | null => seen.get(nameOf(round)) ?? null,
  }
}

function nameOf({ announcement }: LoggedRound): string {
  return `${announcement.beacon} ${announcement.beacon_round}`
}
