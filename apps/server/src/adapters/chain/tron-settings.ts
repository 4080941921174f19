/** The settings of the TRON node that is read, and of the addresses that deposits go to. */
import * as z from 'zod'
import { baseUrl, commaList, type ValuesOf, withoutSlash } from '#src/formats/setting-kinds.ts'
import { StartError } from '#src/process/start-error.ts'
import { isTronAddress } from './tron-address.ts'

export const tronVariables = {
  TRON_API_URL: z
    .string()
    .transform((text) => commaList(text).map(withoutSlash))
    .refine(
      (urls) => urls.length <= 2 && urls.every((url) => baseUrl.safeParse(url).success),
      'is not a base address without user, password and query, or two with a comma between them',
    )
    .optional(),
  TRON_API_KEY: z
    .string()
    .transform((text) => text.split(',').map((key) => key.trim() || null))
    .refine((keys) => keys.length <= 2, 'is not a key, or two with a comma between them')
    .default([]),
  TRON_XPUB: z.string().optional(),
  TRON_USDT_CONTRACT: z.string().refine(isTronAddress, 'is not a TRON address').optional(),
}

export type TronSettings = {
  readonly apiUrl: string
  readonly apiKey: string | null
  /** A node of another operator, which must agree; null: nobody is asked. */
  readonly secondApiUrl: string | null
  readonly secondApiKey: string | null
  readonly xpub: string
  readonly usdtContract: string | null
}

/**
 * @returns null for the local chain
 * @throws StartError if no deposit address could be made
 */
export function readTronSettings(env: ValuesOf<typeof tronVariables>): TronSettings | null {
  const [apiUrl, secondApiUrl = null] = env.TRON_API_URL ?? []
  const [apiKey = null, secondApiKey = null] = env.TRON_API_KEY
  if (!apiUrl) return null
  if (!env.TRON_XPUB) {
    throw new StartError(
      'The environment is wrong: TRON_API_URL is set and TRON_XPUB is not; without it no deposit address can be made.',
    )
  }
  return {
    apiUrl,
    apiKey,
    secondApiUrl,
    secondApiKey,
    xpub: env.TRON_XPUB,
    usdtContract: env.TRON_USDT_CONTRACT ?? null,
  }
}
