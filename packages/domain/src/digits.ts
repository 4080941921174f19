/** A draw, in the order in which its digits were drawn; each 0–9. */
export type Digits = readonly [number, number, number]

/** 0 to 27. */
export function sumOfDigits([first, second, third]: Digits): number {
  return first + second + third
}
