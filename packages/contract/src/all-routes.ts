import * as index from './index-routes.ts'
import * as lottery from './lottery-routes.ts'
import type { Route } from './route.ts'
import {
  login,
  logout,
  orderList,
  quantityLogList,
  recharge,
  refresh,
  register,
  sendCode,
  userInfo,
} from './user-routes.ts'

/** Every call of the player API: the server must answer each, and OpenAPI lists each. */
export const ALL_ROUTES: readonly Route[] = [
  ...Object.values(index),
  ...Object.values(lottery),
  sendCode,
  register,
  login,
  refresh,
  logout,
  userInfo,
  recharge,
  orderList,
  quantityLogList,
]
