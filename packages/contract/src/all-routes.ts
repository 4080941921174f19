import { chains, fairnessRound, logGrowth, reserves, returns } from './fairness-routes.ts'
import * as index from './index-routes.ts'
import * as lottery from './lottery-routes.ts'
import * as moneyInAndOut from './money-routes.ts'
import * as own from './own-routes.ts'
import * as passkeys from './passkey-routes.ts'
import * as protection from './protection-routes.ts'
import type { Download, Route } from './route.ts'
import { gamesStream, type Stream, stream } from './stream.ts'
import {
  invitees,
  login,
  logout,
  orderCsv,
  orderInfo,
  orderList,
  orderTotals,
  refresh,
  register,
  resetPassword,
  saveProfile,
  sendCode,
  upload,
  userInfo,
} from './user-routes.ts'

/**
 * Every call of the player API: the server answers each, and the OpenAPI description lists each.
 * The operator's calls are in `staff-routes.ts`.
 */
export const ALL_ROUTES: readonly Route[] = [
  ...Object.values(index),
  ...Object.values(lottery),
  sendCode,
  register,
  login,
  refresh,
  resetPassword,
  logout,
  userInfo,
  saveProfile,
  upload,
  invitees,
  orderList,
  orderTotals,
  orderInfo,
  ...Object.values(moneyInAndOut),
  ...Object.values(protection),
  ...Object.values(passkeys),
  own.figures,
  own.ownData,
  own.askOwnData,
  own.push,
  own.subscribePush,
  own.unsubscribePush,
  own.choosePush,
  own.closing,
  own.closeAccount,
  own.owed,
  chains,
  fairnessRound,
  logGrowth,
  reserves,
  returns,
]

/** Every call of the player API that answers with a file. */
export const ALL_DOWNLOADS: readonly Download[] = [orderCsv, own.ownDataFile]

/** Every call of the player API that answers with a stream of events. */
export const ALL_STREAMS: readonly Stream[] = [stream, gamesStream]
