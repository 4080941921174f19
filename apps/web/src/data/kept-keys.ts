/**
 * The keys of log and witnesses that this device saw first, so that a history that the operator signs for one phone by
 * keys of his own is noticed. A key is a line: `witness <verifier key>`.
 */
import { deviceNow } from '@sum28/ui/server-clock.ts'
import { readKept, storeKept } from '#src/data/kept-map.ts'

const NAME = 'sum28-log-keys'

/** A key, and when it came. */
type Kept = readonly [key: string, at: number]

/** No house has so many; trusted ones stay. */
const KEPT_MAX = 100

/** Of a key that is trusted: one of the first of its type, or one that the device's person has compared. */
const TRUSTED = 0

/** Keeps the first keys of each type as trusted ones, and others with the time at which they came. */
export function keepKeys(keys: readonly string[]): void {
  const kept = readKept<number>(NAME)
  const added = keys.filter((key) => !kept.has(key))
  const types = new Set([...kept.keys()].map(typeOfKey))
  const times = added.map((key): Kept => [key, types.has(typeOfKey(key)) ? deviceNow() : TRUSTED])
  if (added.length > 0) store([...kept, ...times])
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
export function typeOfKey(key: string): string {
  return key.split(' ', 1)[0] ?? ''
}

function store(kept: readonly Kept[]): void {
  const isTrusted = ([, at]: Kept) => at === TRUSTED
  const lasting = [...kept.filter(isTrusted), ...kept.filter((each) => !isTrusted(each))]
  storeKept(NAME, lasting.slice(0, KEPT_MAX))
}
