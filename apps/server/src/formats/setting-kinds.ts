/** Kinds of variables that several parts declare. */
import type { Amount } from '@sum28/domain/money.ts'
import * as z from 'zod'

/** The values of some variables, checked. */
export type ValuesOf<Variables extends z.ZodRawShape> = z.output<z.ZodObject<Variables>>

export const flag = z.enum(['on', 'off'])
export const wholeNumber = z.coerce.number().int('must be a whole number')
export const hostUrl = z.url({ protocol: /^https?$/ })

/** A number in u as an amount. */
export function inMicro(units: number): Amount {
  return BigInt(Math.round(units * 1_000_000))
}

export function commaList(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

export function withoutSlash(url: string): string {
  return url.replace(/\/$/, '')
}
