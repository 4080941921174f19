/**
 * The keys of log and witnesses that this device saw first, so that a history that the operator signs for one phone by
 * keys of his own is noticed. A key is a line: `witness <verifier key>`.
 */
import type { SeenLog } from '@sum28/fairness/seen-log.ts'
import { deviceNow } from '@sum28/ui/server-clock.ts'
import { readKept, storeKept } from '#src/data/kept-map.ts'

const NAME = 'sum28-log-keys'

type Kept = readonly [key: string, at: number]

/** No house has so many; trusted ones stay. */
const KEPT_MAX = 100

/** Of a key that is trusted: one of the first of its type, or one that the device's person has compared. */
const TRUSTED = 0

/**
 * Keeps the first keys of each type as trusted ones, and others with the time at which they came.
 *
 * @param changes of the log's key, oldest first: a key that a trusted one has signed as the next one is trusted
 */
export function keepKeys(keys: readonly string[], changes: SeenLog['changes'] = []): void {
  const kept = readKept<number>(NAME)
  const before = JSON.stringify([...kept])
  const types = new Set([...kept.keys()].map(typeOfKey))
  for (const key of keys.filter((each) => !kept.has(each))) {
    kept.set(key, types.has(typeOfKey(key)) ? deviceNow() : TRUSTED)
  }
  for (const [from, to] of changes) if (kept.get(from) === TRUSTED) kept.set(to, TRUSTED)
  if (JSON.stringify([...kept]) !== before) store([...kept])
}

export function trustedKeys(): string[] {
  return [...readKept<number>(NAME)].flatMap(([key, at]) => (at === TRUSTED ? key : []))
}

/** When the first of these keys came that is not trusted, in milliseconds since 1970. */
export function keysSince(keys: readonly string[]): number {
  const kept = readKept<number>(NAME)
  return Math.min(deviceNow(), ...keys.flatMap((key) => kept.get(key) || []))
}

export function trustKeys(keys: readonly string[]): void {
  const kept = readKept<number>(NAME)
  for (const key of keys) kept.set(key, TRUSTED)
  store([...kept])
}

/** `log` or `witness`. */
function typeOfKey(key: string): string {
  return key.split(' ', 1)[0] ?? ''
}

function store(kept: readonly Kept[]): void {
  const isTrusted = ([, at]: Kept) => at === TRUSTED
  const lasting = [...kept.filter(isTrusted), ...kept.filter((each) => !isTrusted(each))]
  storeKept(NAME, lasting.slice(0, KEPT_MAX))
}
