import { type BeaconValue, verifySignature } from '@sum28/fairness/beacon.ts'
import { fetchBeacon } from 'drand-client'
import type { HostFailure } from './beacon.ts'
import { HostFault, hostClient, type Question } from './host-client.ts'

/**
 * Asks one host, which is not trusted: a value counts only when it is of the round that was asked
 * for and signed by the beacon's key, by the judgement of drand's client library and by that of the
 * code with which players check a draw.
 *
 * @returns the verified value, or what the host did instead of giving it
 * @throws the signal's reason, once the question was given up
 */
export async function askHost(question: Question): Promise<BeaconValue | HostFailure> {
  const { host, info, round, signal } = question
  signal.throwIfAborted()
  try {
    const { signature, randomness } = await fetchBeacon(hostClient(question), round)
    if (verifySignature({ publicKey: info.publicKey, round, signature })) {
      return { round, signature, randomness }
    }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof HostFault) {
      return { host, failure: error.failure, detail: error.message }
    }
  }
  return { host, failure: 'lies', detail: 'signature is not the beacon’s' }
}
