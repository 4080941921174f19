/** Every call of staff, as the modules declare them. */
import { callsIn, type Download, type Route } from './route.ts'
import * as audit from './staff-audit-routes.ts'
import * as bank from './staff-bank-routes.ts'
import * as books from './staff-books-routes.ts'
import * as content from './staff-content-routes.ts'
import * as games from './staff-games-routes.ts'
import * as house from './staff-house-routes.ts'
import { csvOf, isList } from './staff-list.ts'
import * as money from './staff-money-routes.ts'
import * as own from './staff-own-routes.ts'
import * as players from './staff-players-routes.ts'
import * as proposals from './staff-proposal-routes.ts'
import * as protection from './staff-protection-routes.ts'
import * as reports from './staff-reports-routes.ts'
import * as reserve from './staff-reserve-routes.ts'
import * as withdrawals from './staff-routes.ts'
import * as start from './staff-start-routes.ts'
import * as timeline from './staff-timeline-routes.ts'
import * as transfers from './staff-transfer-routes.ts'

const DECLARED = callsIn(
  audit,
  bank,
  books,
  content,
  games,
  house,
  money,
  own,
  players,
  proposals,
  protection,
  reports,
  reserve,
  start,
  timeline,
  transfers,
  withdrawals,
)

/** The calls that answer with an envelope. */
export const STAFF_ROUTES: readonly Route[] = DECLARED.routes

/** The files that staff may download. */
export const STAFF_DOWNLOADS: readonly Download[] = [
  ...STAFF_ROUTES.filter(isList)
    // A report has its own file, which no page is read for.
    .filter(({ path }) => path !== reports.reportList.path)
    .map(csvOf),
  ...DECLARED.downloads,
]
