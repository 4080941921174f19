import type { BeaconInfo, BeaconValue } from '@sum28/fairness/beacon.ts'

/** The public source of randomness, as the engine uses it. Every value that it returns is verified. */
export interface Beacon {
  readonly info: BeaconInfo
  /**
   * The value of exactly this round, verified against `info.publicKey`.
   * @param signal ends the attempt; the promise then rejects with the signal's reason
   * @throws BeaconError if no host returned a valid value. The caller may ask again at any time: hosts that failed
   * recently are not asked.
   */
  fetchRound(round: number, signal: AbortSignal): Promise<BeaconValue>
}

/**
 * Why there is no value.
 * - `not-yet`: a host answered that it has no such round (yet), and none lied.
 * - `unreachable`: no host gave an answer that could be read.
 * - `lies`: a host returned a value that is not the beacon's. This deserves an alarm, whatever the other hosts said.
 */
export type BeaconFailure = 'not-yet' | 'unreachable' | 'lies'

/** What one host did instead of returning a valid value. */
export interface HostFailure {
  readonly host: string
  readonly failure: BeaconFailure
  /** For the log: what was wrong, without the answer's own text. */
  readonly detail: string
}

/** No host returned a valid value for the round. */
export class BeaconError extends Error {
  override readonly name = 'BeaconError'
  readonly failure: BeaconFailure
  readonly round: number
  /** One entry for each host: what it did now, or what it did last if it is not asked for the moment. */
  readonly hosts: readonly HostFailure[]

  constructor(round: number, hosts: readonly HostFailure[]) {
    const details = hosts.map(({ host, failure, detail }) => `${host}: ${failure} (${detail})`)
    super(`no value for beacon round ${round}: ${details.join('; ')}`)
    this.failure = worstOf(hosts)
    this.round = round
    this.hosts = hosts
  }
}

function worstOf(hosts: readonly HostFailure[]): BeaconFailure {
  const seen = new Set(hosts.map((host) => host.failure))
  if (seen.has('lies')) return 'lies'
  return seen.has('not-yet') ? 'not-yet' : 'unreachable'
}
