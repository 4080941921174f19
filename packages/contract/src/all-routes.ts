import * as fairness from './fairness-routes.ts'
import * as index from './index-routes.ts'
import * as lottery from './lottery-routes.ts'
import * as money from './money-routes.ts'
import * as own from './own-routes.ts'
import * as passkeys from './passkey-routes.ts'
import * as protection from './protection-routes.ts'
import { callsIn, type Download, type Route } from './route.ts'
import { gamesStream, type Stream, stream } from './stream.ts'
import * as users from './user-routes.ts'

const DECLARED = callsIn(index, lottery, users, money, protection, passkeys, own, fairness)

/**
 * Every call of the player API: the server answers each, and the OpenAPI description lists each.
 * The operator's calls are in `all-staff-routes.ts`.
 */
export const ALL_ROUTES: readonly Route[] = DECLARED.routes

/** Every call of the player API that answers with a file. */
export const ALL_DOWNLOADS: readonly Download[] = DECLARED.downloads

/** Every call of the player API that answers with a stream of events. */
export const ALL_STREAMS: readonly Stream[] = [stream, gamesStream]
