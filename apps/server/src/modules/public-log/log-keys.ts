/** The public log's name, its keys, and its witnesses. The keys are not in the database. */
import { join } from 'node:path'
import { OWN_WITNESS } from '@sum28/contract/receipt.ts'
import {
  formatVerifierKey,
  type SigningKey,
  signingKey,
  type VerifierKey,
} from '@sum28/fairness/signed-note.ts'
import { openWitness, type Witness, WitnessStateError } from '@sum28/fairness/witness/witness.ts'
import { readLimitedText } from '#src/adapters/limited-body.ts'
import type { Keys } from '#src/adapters/local-keys.ts'
import type { Config } from '#src/config.ts'
import { StartError, systemCode, unwritableFolder } from '#src/process/start-error.ts'
import { deriveKey } from '#src/secrets/secret-cipher.ts'
import type { WitnessAddress } from './witness-settings.ts'

/** The log's name at witnesses: its address without the scheme, and a number if it was begun anew. */
export function originOf(config: Pick<Config, 'publicUrl'>, number: number): string {
  return `${hostOf(config)}/tlog${number === 1 ? '' : `/${number}`}`
}

/** By which the house signs: its address without the scheme. */
export function hostOf({ publicUrl }: Pick<Config, 'publicUrl'>): string {
  return publicUrl ? new URL(publicUrl).host : 'sum28.localhost'
}

type LogKeys = [SigningKey, ...SigningKey[]]

/** To derive a key takes as long as to sign, and each receipt is signed. By the log's names. */
const derived = new WeakMap<Keys, Map<string, LogKeys>>()

/** The keys that sign the log: that of the present SECRET_KEY first, then those of earlier ones, which witnesses may still know. */
export function logKeys(origin: string, secretKeys: Keys): LogKeys {
  const byName = derived.get(secretKeys) ?? new Map<string, LogKeys>()
  const known = byName.get(origin)
  if (known) return known
  const key = (secret: string) =>
    signingKey(origin, 'log', deriveKey(secret, 'key of the public log'))
  const [present, ...earlier] = secretKeys
  const keys: LogKeys = [key(present), ...earlier.map(key)]
  derived.set(secretKeys, byName.set(origin, keys))
  return keys
}

/** A witness as the sequencer asks it. */
export type AskedWitness = {
  readonly key: VerifierKey
  /** Sends a request of c2sp.org/tlog-witness. */
  add(body: string, signal: AbortSignal): Promise<{ status: number; body: string }>
  /** The note that it signed last of a log; null if it shows none. */
  latest(originHash: string, signal: AbortSignal): Promise<string | null>
}

const LONGEST_ANSWER = 128 * 1024

export function remoteWitness({ key, url }: WitnessAddress): AskedWitness {
  async function ask(path: string, init: RequestInit): Promise<{ status: number; body: string }> {
    const response = await fetch(url + path, { ...init, redirect: 'error' })
    const body = await readLimitedText(response, LONGEST_ANSWER)
    if (body === null) throw new Error('its answer is too long')
    return { status: response.status, body }
  }
  return {
    key,
    add: (body, signal) => ask('/add-checkpoint', { method: 'POST', body, signal }),
    async latest(originHash, signal) {
      const { status, body } = await ask(`/${originHash}/checkpoint`, { signal })
      return status === 200 ? body : null
    },
  }
}

function ownSeed([secretKey]: Keys): Buffer {
  return deriveKey(secretKey, 'key of the own witness')
}

export type LogSettings = {
  config: Pick<Config, 'witnesses' | 'dataDir' | 'profile' | 'publicUrl'>
  secretKeys: Keys
}

function openOwn(deps: Parameters<typeof openWitness>[0]): Witness {
  try {
    return openWitness(deps)
  } catch (cause) {
    if (systemCode(cause)) throw unwritableFolder({ folder: deps.folder, cause })
    if (!(cause instanceof WitnessStateError)) throw cause
    throw new StartError(
      `The product's own witness cannot read what it has signed: restore ${deps.folder} from a copy, or begin anew with another DATA_DIR.`,
      { cause },
    )
  }
}

/**
 * The witnesses that are named; in the demo also the house's own.
 * @throws StartError if the own one cannot read what it has signed
 */
export function openWitnesses(
  { config, secretKeys, now }: LogSettings & { now: () => number },
  logs: readonly SigningKey[],
): AskedWitness[] {
  const named = config.witnesses.map(remoteWitness)
  if (config.profile !== 'demo') return named
  // Its state is in the data folder, so that a database from yesterday is noticed.
  const folder = join(config.dataDir, 'witness')
  const seed = ownSeed(secretKeys)
  const witness = openOwn({ name: OWN_WITNESS, folder, logs: logs.toReversed(), seed, now })
  return [
    {
      key: witness.key,
      add: async (body) => witness.addCheckpoint(body),
      latest: async (originHash) => witness.latestNote(originHash),
    },
    ...named,
  ]
}

/**
 * The log's key, its earlier ones, then those of its witnesses: the lines of `/tlog/vkeys`.
 * @param ever all witnesses that were ever asked, which have signed what is shown of the past
 */
export function verifierKeys(
  origin: string,
  { config, secretKeys }: LogSettings,
  ever: readonly string[],
): string[] {
  const demo = config.profile === 'demo'
  const own = demo ? [signingKey(OWN_WITNESS, 'witness', ownSeed(secretKeys))] : []
  const witnesses = [...own, ...config.witnesses.map(({ key }) => key)]
  const present = [...logKeys(origin, secretKeys), ...witnesses].map(formatVerifierKey)
  return [...new Set([...present, ...ever])]
}
