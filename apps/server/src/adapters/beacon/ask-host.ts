import { type BeaconValue, verifySignature } from '@sum28/fairness/beacon.ts'
import { fetchBeacon } from 'drand-client'
import type { HostFailure } from './beacon.ts'
import { HostFault, hostClient, type Question } from './host-client.ts'

/**
 * Asks one host. The host is not trusted: a value counts only if it is for the requested round and is signed by the
 * beacon's key. Both drand's client library and the code with which players check a draw must accept it.
 *
 * @returns the verified value, or what the host did instead
 * @throws the signal's reason, if the request was cancelled
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
