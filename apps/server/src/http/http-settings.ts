/** The settings of what is reached over HTTP: addresses, proxies and limits. */
import * as z from 'zod'
import { networkFault } from '#src/formats/network-of.ts'
import {
  baseUrl,
  commaList,
  flag,
  type ValuesOf,
  withoutSlash,
} from '#src/formats/setting-kinds.ts'
import { StartError } from '#src/process/start-error.ts'

/** Where pages of ours are opened, as browsers name it. */
const originUrl = baseUrl
  .refine(
    (text) => (URL.parse(text)?.pathname ?? '/') === '/',
    'must be an origin such as https://play.example, without a path',
  )
  .transform((text) => new URL(text).origin)

export const httpVariables = {
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: originUrl.optional(),
  CONSOLE_URL: originUrl.optional(),
  TRUSTED_PROXIES: z
    .string()
    .default('127.0.0.0/8,::1')
    .superRefine(proxyFaults)
    .transform(proxyList),
  LINES: z
    .string()
    .transform((text) => commaList(text).map(withoutSlash))
    .refine(
      (lines) => lines.length === 2 && lines.every((line) => baseUrl.safeParse(line).success),
      'is not two base addresses without user, password and query, with a comma between them',
    )
    .transform(([first = '', second = '']) => [first, second] as const)
    .optional(),
  RATE_LIMITS: flag.default('on'),
  METRICS_TOKEN: z.string().min(16).optional(),
}

export type HttpSettings = {
  readonly port: number
  readonly host: string
  /** Null: derived from the port in use. */
  readonly publicUrl: string | null
  /** The console's own origin; null if it shares the app's. */
  readonly consoleUrl: string | null
  /** Addresses and networks in CIDR that are trusted to report a client's address. */
  readonly trustedProxies: readonly string[]
  /** Two base addresses of the API; null: the app's own, twice. */
  readonly lines: readonly [string, string] | null
  readonly rateLimits: boolean
  readonly metricsToken: string | null
}

/** @throws StartError if the console has no origin of its own */
export function readHttpSettings(env: ValuesOf<typeof httpVariables>): HttpSettings {
  const { PUBLIC_URL: publicUrl = null, CONSOLE_URL: consoleUrl = null } = env
  if (consoleUrl && publicUrl && new URL(consoleUrl).host === new URL(publicUrl).host) {
    // Cookies and scripts of the players' app must have no access to it.
    throw new StartError(
      'The environment is wrong: CONSOLE_URL must be of another host than PUBLIC_URL.',
    )
  }
  return {
    port: env.PORT,
    host: env.HOST,
    publicUrl,
    consoleUrl,
    trustedProxies: env.TRUSTED_PROXIES,
    lines: env.LINES ?? null,
    rateLimits: env.RATE_LIMITS === 'on',
    metricsToken: env.METRICS_TOKEN ?? null,
  }
}

/** The origins of the app's pages, as browsers name them: the public one, and those of the lines. */
export function originsOf({
  publicUrl,
  port,
  lines,
}: Pick<HttpSettings, 'publicUrl' | 'port' | 'lines'>): string[] {
  const all = [publicUrl ?? `http://localhost:${port}`, ...(lines ?? [])]
  return [...new Set(all.map((url) => new URL(url).origin))]
}

/** `none` if players connect directly to the server. */
function proxyList(text: string): string[] {
  return text === 'none' ? [] : commaList(text)
}

function proxyFaults(text: string, context: z.RefinementCtx): void {
  for (const proxy of proxyList(text)) {
    const fault = networkFault(proxy)
    if (fault) context.addIssue({ code: 'custom', message: `must be a list of proxies: ${fault}` })
  }
}
