/** Kinds of variables that several parts declare. */
import type { Amount } from '@sum28/domain/money.ts'
import * as z from 'zod'

/** The values of some variables, checked. */
export type ValuesOf<Variables extends z.ZodRawShape> = z.output<z.ZodObject<Variables>>

export const flag = z.enum(['on', 'off'])
export const wholeNumber = z.coerce.number().int('must be a whole number')

/** A page that people open: everybody could read a password in it. */
export const pageUrl = z
  .url({ protocol: /^https?$/ })
  .refine((text) => !hasPassword(text), 'must not have a user or a password')

/** What paths are appended to: a query would swallow them, and a failed request writes a password into the log. */
export const baseUrl = pageUrl.refine(
  (text) => !/[?#]/.test(text),
  'must not have a query or a fragment',
)

function hasPassword(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && (url.username !== '' || url.password !== '')
}

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
