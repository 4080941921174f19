/**
 * Odds are decimal, include the stake, and have at most three decimals, so they are stored as whole
 * thousandths. An outcome's theoretical return is odds × ways ÷ 1,000.
 */
import { RULES, type RuleId } from './outcomes.ts'

/** Decimal odds in thousandths: 1.92 is 1920. */
export type OddsMilli = number

/** The smallest and the largest return that an outcome may have, in millionths. */
export const RETURN_MIN_PPM = 750_000
export const RETURN_MAX_PPM = 1_000_000

/** The return by which a room's first odds are computed, in thousandths, by room type 0–3. */
export const START_RETURN_MILLI = [960, 965, 970, 975] as const

/** The theoretical return of an outcome in millionths of the stake. */
export function returnPpm({ oddsMilli, ways }: { oddsMilli: OddsMilli; ways: number }): number {
  return oddsMilli * ways
}

/** Whether a change to these odds may be saved: the return lies within 0.75 … 1. */
export function oddsAreAllowed(offer: { oddsMilli: OddsMilli; ways: number }): boolean {
  const ppm = returnPpm(offer)
  return Number.isSafeInteger(offer.oddsMilli) && ppm >= RETURN_MIN_PPM && ppm <= RETURN_MAX_PPM
}

/** The odds a room of this type (0 basic … 3 expert) starts with, by rule. */
export function startOdds(roomType: 0 | 1 | 2 | 3): { ruleId: RuleId; oddsMilli: OddsMilli }[] {
  return RULES.map((rule) => ({
    ruleId: rule.id,
    oddsMilli: Math.floor((START_RETURN_MILLI[roomType] * 1000) / rule.ways),
  }))
}

/** `1920` → `"1.92"`, `960000` → `"960"`. */
export function formatOdds(oddsMilli: OddsMilli): string {
  const fraction = String(oddsMilli % 1000)
    .padStart(3, '0')
    .replace(/0+$/, '')
  const units = Math.floor(oddsMilli / 1000)
  return fraction ? `${units}.${fraction}` : `${units}`
}

/**
 * Reads odds that a person typed.
 *
 * @param text a plain decimal of at most six digits before the point and three after it
 * @returns thousandths; null if the text is not such a number
 */
export function parseOdds(text: string): OddsMilli | null {
  const [, whole = '', fraction = ''] = /^(\d{1,6})(?:\.(\d{1,3}))?$/.exec(text.trim()) ?? []
  return whole === '' ? null : Number(whole) * 1000 + Number(fraction.padEnd(3, '0'))
}

/** Millionths as a decimal with four places, the rest cut off: `960000` → `"0.9600"`. */
export function formatShare(ppm: number): string {
  return `${Math.floor(ppm / 1_000_000)}.${String(Math.floor((ppm % 1_000_000) / 100)).padStart(4, '0')}`
}
