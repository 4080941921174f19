/** Some routes served over a test's database; the `Token` header names the caller by number. */
import type { ReplyOf, RequestOf, Route } from '@sum28/contract/route.ts'
import { onTestFinished } from 'vitest'
import type { Database, Queryable } from '#src/db/database.ts'
import type { RouteBinding } from '#src/http/call.ts'
import type { Caller } from '#src/http/caller.ts'
import { rateLimits } from '#src/http/rate-limits.ts'
import { serveCalls } from '#src/http/serve-calls.ts'
import {
  type DownloadBinding,
  type DownloadBounds,
  serveDownloads,
} from '#src/http/serve-downloads.ts'
import { type HttpOptions, httpServer } from '#src/http/server.ts'
import { betPlacer } from '#src/modules/bets/place-bet.ts'
import { betDownloads, betRoutes } from '#src/modules/bets/routes.ts'
import { publicLogModule } from '#src/modules/public-log/module.ts'
import { refuse } from '#src/refusal/refusal.ts'
import { ANSWER_WITHIN_MS } from '../requests/patience.ts'
import { captureLog } from './captured-log.ts'
import type { Reply } from './test-app.ts'

/** What the routes of bets and rounds need of the public log. */
export function testLog(db: Queryable) {
  const config = { witnesses: [], dataDir: '', publicUrl: null, profile: 'production' as const }
  return publicLogModule({ db, config, secretKeys: ['a secret key of a test'] })
}

/** A member, as his session is found. */
export function memberCaller(playerId: number): Caller {
  const session = { netAtStart: 0n, tokenHash: Buffer.alloc(32) }
  return { playerId, groupId: 1, username: 'tested', ...session }
}

/** A server without routes, until the end of the test. Requests can name their client in `X-Forwarded-For`. */
export async function bareServer(options: Partial<HttpOptions> = {}) {
  const server = await httpServer({
    log: captureLog().log,
    secure: false,
    origins: [],
    trustedProxies: ['127.0.0.1'],
    ...options,
  })
  onTestFinished(() => server.close())
  return server
}

/** The calls and files of bets, over a database and perhaps with a placer of its own. */
export function serveBets(db: Database, placeBet = betPlacer({ db, onAccepted: () => {} })) {
  const deps = { ...testLog(db), db, placeBet, timeZone: 'Asia/Singapore', now: Date.now }
  return serveForTest(betRoutes(deps), betDownloads(deps))
}

export type ServedRoutes = Awaited<ReturnType<typeof serveForTest>>

export async function serveForTest(
  bindings: readonly RouteBinding[],
  downloads: readonly DownloadBinding[] = [],
  bounds?: DownloadBounds,
) {
  const server = await bareServer()
  const options = {
    findCaller: async (token: string) => memberCaller(Number(token)),
    findStaff: async () => refuse('session_unknown'),
    rateLimits: rateLimits(false),
    secureCookies: false,
    answerWithinMs: ANSWER_WITHIN_MS,
  }
  serveCalls(server, bindings, options)
  serveDownloads(server, downloads, options, bounds)
  const url = await server.listen({ port: 0, host: '127.0.0.1' })

  const headersOf = (player: number | undefined): Record<string, string> =>
    player === undefined ? {} : { Token: String(player) }
  return {
    url,
    /** Any GET request, for replies without an envelope. */
    get: (path: string, player?: number) => fetch(url + path, { headers: headersOf(player) }),
    /** Sends one request and returns the whole envelope, whatever the result. */
    async call<R extends Route>(
      route: R,
      request: RequestOf<R>,
      player?: number,
    ): Promise<Reply<ReplyOf<R>>> {
      const headers = headersOf(player)
      const response =
        route.method === 'GET'
          ? await fetch(`${url}${route.path}?${new URLSearchParams(request as never)}`, { headers })
          : await fetch(url + route.path, {
              method: 'POST',
              headers: { ...headers, 'Content-Type': 'application/json' },
              body: JSON.stringify(request),
            })
      const envelope = (await response.json()) as Reply<never>
      return { ...envelope, http: response.status, headers: response.headers }
    },
  }
}
