/**
 * Odds are decimal, include the stake, and have at most three decimals, so they are stored as whole
 * thousandths. An outcome's theoretical return is odds × ways ÷ 1,000.
 */
/** Decimal odds in thousandths: 1.92 is 1920. */
export type OddsMilli = number

/** The smallest and the largest return that an outcome may have, in millionths. */
export const RETURN_MIN_PPM = 750_000
export const RETURN_MAX_PPM = 1_000_000

/** The theoretical return of an outcome in millionths of the stake. */
export function returnPpm({ oddsMilli, ways }: { oddsMilli: OddsMilli; ways: number }): number {
  return oddsMilli * ways
}

/** Whether a change to these odds may be saved: the return lies within 0.75 … 1. */
export function oddsAreAllowed(offer: { oddsMilli: OddsMilli; ways: number }): boolean {
  const ppm = returnPpm(offer)
  return Number.isSafeInteger(offer.oddsMilli) && ppm >= RETURN_MIN_PPM && ppm <= RETURN_MAX_PPM
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
