import type { FastifyInstance } from 'fastify'
import type { Resources } from '#src/resources.ts'
import { deriveKey } from '#src/secrets/secret-cipher.ts'
import { showTime } from './envelope.ts'
import { REQUESTS_A_MINUTE } from './flood-guard.ts'
import { httpServer } from './server.ts'
import { sharedCounts } from './shared-counts.ts'

/** The configured HTTP server; it does not listen yet. */
export async function openHttp(
  deps: Pick<Resources, 'config' | 'db' | 'secretKey' | 'log' | 'now' | 'ending'>,
): Promise<FastifyInstance> {
  const { config, log, now, ending } = deps
  const counts = config.rateLimits
    ? sharedCounts({
        db: deps.db,
        key: deriveKey(deps.secretKey, 'counts of calls'),
        onError: (error) => log.warn({ error }, 'calls are counted by this process alone'),
      })
    : null
  if (counts) ending.defer(() => counts.stop())
  const http = await httpServer({
    log,
    secure: isSecure(config),
    origins: config.lines ?? [],
    trustedProxies: config.trustedProxies,
    requestsAMinute: config.rateLimits ? REQUESTS_A_MINUTE : null,
    ...(counts ? { counts: counts.Store } : {}),
  })
  ending.defer(() => http.close())
  showTime(http, now)
  return http
}

/** Whether players use https. */
export function isSecure({ publicUrl }: Pick<Resources['config'], 'publicUrl'>): boolean {
  return publicUrl?.startsWith('https://') ?? false
}

/** Listens at the configured address. @returns the address under which this process reaches itself */
export async function listen(
  http: FastifyInstance,
  { config }: Pick<Resources, 'config'>,
): Promise<string> {
  await http.listen({ port: config.port, host: config.host })
  const address = http.server.address()
  const port = typeof address === 'object' && address ? address.port : config.port
  const host = ['0.0.0.0', '::'].includes(config.host) ? '127.0.0.1' : config.host
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
