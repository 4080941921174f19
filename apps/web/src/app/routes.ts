/** Every path of the app, its access, and typed addresses. No other file contains a path. */

/** `open`: for everybody; `token`: only with a session. */
export type Access = 'open' | 'token'

export type Tab = 'home' | 'news' | 'hall' | 'charts' | 'me'

type RouteEntry = {
  readonly path: `/${string}`
  readonly access: Access
  /** Shown with the tab bar, this tab being the current one. */
  readonly tab?: Tab
}

export const ROUTES = {
  home: { path: '/', access: 'open', tab: 'home' },
  login: { path: '/login', access: 'open' },
  register: { path: '/register', access: 'open' },
  passwordReset: { path: '/forget', access: 'open' },
  language: { path: '/language', access: 'open' },
  securityCode: { path: '/setSecurityCode', access: 'open' },
  rules: { path: '/rules', access: 'open' },
  fairness: { path: '/fairness', access: 'open' },
  saferPlay: { path: '/safer-play', access: 'open' },
  me: { path: '/personal', access: 'token', tab: 'me' },
  settings: { path: '/setting', access: 'token' },
  lines: { path: '/changeline', access: 'token' },
  about: { path: '/about', access: 'token' },
  system: { path: '/system', access: 'token' },
  profile: { path: '/baseinfo', access: 'token' },
  avatar: { path: '/defaultAvatar', access: 'token' },
  payMethods: { path: '/bankCardManage', access: 'token' },
  addBankCard: { path: '/addBankCard', access: 'token' },
  addWallet: { path: '/addVirtualWallet', access: 'token' },
  changePassword: { path: '/changePassword', access: 'token' },
  figures: { path: '/figures', access: 'token' },
  changes: { path: '/changes', access: 'token' },
  ownData: { path: '/ownData', access: 'token' },
  closeAccount: { path: '/closeAccount', access: 'token' },
  promotions: { path: '/actionCenter', access: 'token' },
  invite: { path: '/shareFriend', access: 'token' },
  notices: { path: '/Notice', access: 'token' },
  support: { path: '/support', access: 'token' },
  betHistory: { path: '/BetRecord', access: 'token' },
  statement: { path: '/CapitalDetail', access: 'token' },
  withdrawal: { path: '/withdraw', access: 'token' },
  limits: { path: '/limits', access: 'token' },
  takeBreak: { path: '/break', access: 'token' },
  deposit: { path: '/recharge', access: 'token' },
  charts: { path: '/find', access: 'token', tab: 'charts' },
  hall: { path: '/lottery', access: 'token', tab: 'hall' },
  bet: { path: '/betDetail', access: 'token' },
  room: { path: '/betRoom', access: 'token' },
  pastRounds: { path: '/lotteryDetail', access: 'token' },
  memberRules: { path: '/lotteryExplain', access: 'token' },
  trend: { path: '/trendChart', access: 'token' },
  news: { path: '/moreNews', access: 'token', tab: 'news' },
  article: { path: '/aticleDetail', access: 'token' },
  rooms: { path: '/room', access: 'token', tab: 'hall' },
} as const satisfies Record<string, RouteEntry>

export type RouteName = keyof typeof ROUTES

/** The query parameters of each route that has some. */
type Queries = {
  register: { inviter_id?: string }
  securityCode: { isTrue: 'true' | 'false' }
  /** A round to check: game and number. */
  fairness: { game_id?: string; issue?: string }
  /** 1 settings, 2 account info. */
  settings: { type: '1' | '2' }
  profile: { name?: string; id?: string; email?: string; avatar?: string }
  /** 0 bank card, 1 virtual wallet. */
  payMethods: { type: '0' | '1' }
  withdrawal: { group_id?: string }
  deposit: { group_id?: string }
  /** The number of the game whose tab is opened. */
  hall: { game?: string }
  /** The number of the game whose rooms are listed; those of the first game by default. */
  rooms: { game_id?: string }
  /** The record as JSON; only its order number is read. */
  bet: { item: string }
  /** The article as JSON; only its id is read. */
  article: { news: string }
  room: { id: string; game_id: string; name: string; title: string; requiredMoney?: string }
  pastRounds: { game_id: string; name: string }
  trend: { game_id?: string; name?: string }
}

export type QueryOf<Name extends RouteName> = Name extends keyof Queries
  ? Queries[Name]
  : Record<never, never>

type HrefArguments<Name extends RouteName> =
  Record<never, never> extends QueryOf<Name> ? [query?: QueryOf<Name>] : [query: QueryOf<Name>]

/** The address of a screen: `href('settings', { type: '1' })`. */
export function href<Name extends RouteName>(name: Name, ...[query]: HrefArguments<Name>): string {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value !== undefined) search.set(key, value)
  }
  return search.size > 0 ? `${ROUTES[name].path}?${search}` : ROUTES[name].path
}

const NAME_BY_PATH = new Map(
  Object.entries(ROUTES).map(([name, route]) => [route.path.toLowerCase(), name as RouteName]),
)

/** The route of a path, in any letter case, with or without a slash at its end; null if there is none. */
export function routeOf(pathname: string): RouteName | null {
  const path = pathname.toLowerCase().replace(/\/+$/, '') || '/'
  return NAME_BY_PATH.get(path) ?? null
}

/** A route's entry, with its optional fields. */
export function routeEntry(name: RouteName): RouteEntry {
  return ROUTES[name]
}
