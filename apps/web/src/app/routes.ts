/** Every path of the app, who may open it, and typed addresses to it. Nothing else spells a path. */

/** `open` to anybody; `token`: only to who is signed in. */
export type Access = 'open' | 'token'

export type Tab = 'home' | 'news' | 'play' | 'charts' | 'me'

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
  forget: { path: '/forget', access: 'open' },
  language: { path: '/language', access: 'open' },
  setSecurityCode: { path: '/setSecurityCode', access: 'open' },
  rules: { path: '/rules', access: 'open' },
  fairness: { path: '/fairness', access: 'open' },
  personal: { path: '/personal', access: 'token', tab: 'me' },
  setting: { path: '/setting', access: 'token' },
  changeLine: { path: '/changeline', access: 'token' },
  about: { path: '/about', access: 'token' },
  system: { path: '/system', access: 'token' },
  baseInfo: { path: '/baseinfo', access: 'token' },
  defaultAvatar: { path: '/defaultAvatar', access: 'token' },
  bankCardManage: { path: '/bankCardManage', access: 'token' },
  addBankCard: { path: '/addBankCard', access: 'token' },
  addVirtualWallet: { path: '/addVirtualWallet', access: 'token' },
  changePassword: { path: '/changePassword', access: 'token' },
  actionCenter: { path: '/actionCenter', access: 'token' },
  shareFriend: { path: '/shareFriend', access: 'token' },
  notice: { path: '/Notice', access: 'token' },
  support: { path: '/support', access: 'token' },
  betRecord: { path: '/BetRecord', access: 'token' },
  capitalDetail: { path: '/CapitalDetail', access: 'token' },
  withdraw: { path: '/withdraw', access: 'token' },
  recharge: { path: '/recharge', access: 'token' },
  find: { path: '/find', access: 'token', tab: 'charts' },
  lottery: { path: '/lottery', access: 'token', tab: 'play' },
  betDetail: { path: '/betDetail', access: 'token' },
  betRoom: { path: '/betRoom', access: 'token' },
  lotteryDetail: { path: '/lotteryDetail', access: 'token' },
  lotteryExplain: { path: '/lotteryExplain', access: 'token' },
  trendChart: { path: '/trendChart', access: 'token' },
  moreNews: { path: '/moreNews', access: 'token', tab: 'news' },
  articleDetail: { path: '/aticleDetail', access: 'token' },
  room: { path: '/room', access: 'token', tab: 'play' },
} as const satisfies Record<string, RouteEntry>

export type RouteName = keyof typeof ROUTES

/** What stands behind the question mark, for the routes that have something there. */
type Queries = {
  register: { inviter_id?: string }
  setSecurityCode: { isTrue: 'true' | 'false' }
  /** A round to check: game and number. */
  fairness: { game_id?: string; issue?: string }
  /** 1 settings, 2 account info. */
  setting: { type: '1' | '2' }
  baseInfo: { name?: string; id?: string; email?: string; avatar?: string }
  /** 0 bank card, 1 virtual wallet. */
  bankCardManage: { type: '0' | '1' }
  withdraw: { group_id?: string }
  recharge: { group_id?: string }
  /** The number of the game whose tab is to be open. */
  lottery: { game?: string }
  /** The number of the game whose rooms are listed; the first game's unless told. */
  room: { game_id?: string }
  /** The record as JSON; only its order number is read. */
  betDetail: { item: string }
  /** The article as JSON; only its id is read. */
  articleDetail: { news: string }
  betRoom: { id: string; game_id: string; name: string; title: string; requiredMoney?: string }
  lotteryDetail: { game_id: string; name: string }
  trendChart: { game_id?: string; name?: string }
}

export type QueryOf<Name extends RouteName> = Name extends keyof Queries
  ? Queries[Name]
  : Record<never, never>

type HrefArguments<Name extends RouteName> =
  Record<never, never> extends QueryOf<Name> ? [query?: QueryOf<Name>] : [query: QueryOf<Name>]

/** The address of a screen: `href('setting', { type: '1' })`. */
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

/** The route of a path, whatever its case and with or without a slash at its end, or null. */
export function routeOf(pathname: string): RouteName | null {
  const path = pathname.toLowerCase().replace(/\/+$/, '') || '/'
  return NAME_BY_PATH.get(path) ?? null
}

/** A route's entry with all that is optional in it. */
export function routeEntry(name: RouteName): RouteEntry {
  return ROUTES[name]
}
