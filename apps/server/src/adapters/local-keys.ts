/** Keys that the demo makes at its first start and keeps in the data folder. */
import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { HDKey } from '@scure/bip32'
import { giveToOwner } from '@sum28/fairness/witness/give-to-owner.ts'
import * as z from 'zod'
import { StartError, systemCode, unwritableFolder } from '#src/process/start-error.ts'
import { syncFolder } from '#src/process/sync-folder.ts'
import {
  deriveKey,
  type Purpose,
  type SecretCipher,
  secretCipher,
} from '#src/secrets/secret-cipher.ts'

const hex32 = z.string().regex(/^[0-9a-f]{64}$/)

const keysSchema = z.object({
  /** In the place of SECRET_KEY and SEED_KEY, if those are not set. */
  secretKey: z.string().min(32),
  seedKey: z.string().min(32),
  /** The local beacon's secret, and unix seconds of its first round. */
  beaconSecret: hex32,
  beaconGenesis: z.number().int(),
  /** Extended public key of the deposit addresses on the local chain; its private key is not kept. */
  tronXpub: z.string().startsWith('xpub'),
})

export type LocalKeys = z.infer<typeof keysSchema>

/** The first round of the beacon whose secret is derived from SECRET_KEY: 2026-01-01, in unix seconds. */
const DERIVED_GENESIS = 1_767_225_600

/**
 * Reads `keys.json` in the data folder, or makes it. If SECRET_KEY is set, the keys of the local beacon and chain and
 * of seeds are derived from it, so that all processes with the same SECRET_KEY use the same ones.
 *
 * @param secretKey SECRET_KEY, or null if this installation makes its own
 * @throws StartError if the folder is not writable or the file is damaged
 */
export function localKeys(dataDir: string, secretKey: string | null = null): LocalKeys {
  const file = join(dataDir, 'keys.json')
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    if (systemCode(cause) !== 'ENOENT') {
      throw new StartError(`The keys in ${file} cannot be read (${systemCode(cause)}).`, { cause })
    }
    text = storeFirst(file, `${JSON.stringify(makeKeys(secretKey), null, 2)}\n`)
  }
  try {
    return keysSchema.parse(JSON.parse(text))
  } catch (cause) {
    throw new StartError(
      `The keys in ${file} are damaged: put the file back from a backup, or begin anew with another DATA_DIR.`,
      { cause },
    )
  }
}

function makeKeys(configuredKey: string | null): LocalKeys {
  const keyOf = (purpose: Purpose) =>
    configuredKey ? deriveKey(configuredKey, purpose) : randomBytes(32)
  return {
    secretKey: randomBytes(32).toString('hex'),
    seedKey: keyOf('seeds').toString('hex'),
    beaconSecret: keyOf('local beacon').toString('hex'),
    // A multiple of the beacon's three seconds, like the ends of rounds, so that no draw waits for it.
    beaconGenesis: configuredKey ? DERIVED_GENESIS : Math.floor(Date.now() / 3_000) * 3 - 3_600,
    tronXpub: HDKey.fromMasterSeed(keyOf('local chain')).derive(`m/44'/195'/0'`).publicExtendedKey,
  }
}

/**
 * Stores the text of a new file, whole and on disk, or nothing: neither a full disk nor a cut of the power leaves a part
 * of it.
 *
 * @returns what the file has: of two processes that start at once, the first one's text
 * @throws StartError if the folder is not writable
 */
export function storeFirst(file: string, text: string): string {
  const folder = dirname(file)
  const written = `${file}.${randomBytes(6).toString('hex')}`
  try {
    mkdirSync(folder, { recursive: true })
    try {
      writeFileSync(written, text, { mode: 0o600, flush: true })
      giveToOwner(written)
      linkSync(written, file)
      syncFolder(folder)
    } catch (cause) {
      if (systemCode(cause) !== 'EEXIST') throw cause
    } finally {
      rmSync(written, { force: true })
    }
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw unwritableFolder({ folder, cause })
  }
}

/** The keys of an installation, the present ones first: those of its settings, or its own. */
export function keysOf(config: {
  dataDir: string
  secretKeys: readonly string[]
  seedKeys: readonly string[]
}): { local: LocalKeys; secretKeys: Keys; seedKeys: Keys } {
  const local = localKeys(config.dataDir, config.secretKeys[0])
  const [secretKey = local.secretKey, ...secretKeys] = config.secretKeys
  const [seedKey = local.seedKey, ...seedKeys] = config.seedKeys
  return { local, secretKeys: [secretKey, ...secretKeys], seedKeys: [seedKey, ...seedKeys] }
}

/** The present key, and earlier ones. */
export type Keys = readonly [string, ...string[]]

export function cipherOf([present, ...earlier]: Keys): SecretCipher {
  return secretCipher(present, earlier)
}
