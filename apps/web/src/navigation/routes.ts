/** Every screen of the app: its path, who may see it, what its address may contain. No other file contains a path. */

/** `open`: for everybody; `token`: only with a session. */
export type Access = 'open' | 'token'

export type Tab = 'home' | 'news' | 'hall' | 'charts' | 'me'

/** Reads a parameter of an address, which anybody can change: undefined if the text is no value of it. */
type Parameter = (text: string) => string | undefined

type Route = {
  readonly path: `/${string}`
  /** Only with a session by default. */
  readonly access?: 'open'
  /** The file that shows it, in `screens/`, without `-screen.tsx`; by default a folder and file with the route's name. */
  readonly screen?: string
  /** Shown with the tab bar, this tab being the current one. */
  readonly tab?: Tab
  /** Uses the width of a wide screen. */
  readonly wide?: true
  /** Shows nothing before it knows the games. */
  readonly waitsForGames?: true
  /** Parameters that a link always has. */
  readonly required?: { readonly [name: string]: Parameter }
  /** Parameters that a link may leave out. */
  readonly optional?: { readonly [name: string]: Parameter }
}

const anyText = (text: string) => text
/** A number of the wire, as text. */
const number = (text: string) => (/^\d{1,15}$/.test(text) ? text : undefined)
const oneOf =
  <Word extends string>(...words: readonly Word[]) =>
  (text: string) =>
    words.find((word) => word === text)

/** The days that a list shows, and the kind of its items. */
const LIST_FILTER = { days: anyText, from: anyText, to: anyText, show: anyText }

export const ROUTES = {
  home: { path: '/', access: 'open', tab: 'home' },
  login: { path: '/login', access: 'open' },
  register: {
    path: '/register',
    access: 'open',
    optional: { inviter_id: anyText },
  },
  passwordReset: { path: '/forget', access: 'open' },
  takeBack: { path: '/takeBack', access: 'open' },
  language: { path: '/language', access: 'open' },
  securityCode: {
    path: '/setSecurityCode',
    access: 'open',
    required: { isTrue: oneOf('true', 'false') },
  },
  rules: { path: '/rules', access: 'open' },
  fairness: {
    path: '/fairness',
    access: 'open',
    /** A round to check. */
    optional: { game_id: number, issue: number },
  },
  saferPlay: { path: '/safer-play', access: 'open' },
  me: { path: '/personal', tab: 'me' },
  settings: {
    path: '/setting',
    /** 1 settings, 2 account info. */
    required: { type: oneOf('1', '2') },
  },
  lines: { path: '/changeline' },
  about: { path: '/about' },
  system: { path: '/system' },
  profile: {
    path: '/baseinfo',
    optional: { name: anyText, id: anyText, email: anyText, avatar: anyText },
  },
  avatar: { path: '/defaultAvatar' },
  payMethods: {
    path: '/bankCardManage',
    /** 0 bank card, 1 virtual wallet. */
    required: { type: oneOf('0', '1') },
  },
  addBankCard: { path: '/addBankCard' },
  addWallet: { path: '/addVirtualWallet' },
  changePassword: {
    path: '/changePassword',
  },
  security: { path: '/security' },
  figures: { path: '/figures' },
  changes: { path: '/changes' },
  identity: { path: '/identity' },
  ownData: { path: '/ownData' },
  closeAccount: { path: '/closeAccount' },
  promotions: { path: '/actionCenter' },
  invite: { path: '/shareFriend' },
  notices: {
    path: '/Notice',
    optional: { tab: oneOf('messages', 'announcements') },
  },
  support: { path: '/support' },
  betHistory: {
    path: '/BetRecord',
    wide: true,
    optional: LIST_FILTER,
  },
  statement: {
    path: '/CapitalDetail',
    wide: true,
    optional: LIST_FILTER,
  },
  withdrawal: {
    path: '/withdraw',
    optional: { group_id: anyText },
  },
  limits: { path: '/limits' },
  takeBreak: { path: '/break' },
  deposit: {
    path: '/recharge',
    optional: { group_id: anyText },
  },
  charts: {
    path: '/find',
    wide: true,
    tab: 'charts',
    waitsForGames: true,
    optional: { game_id: number },
  },
  hall: {
    path: '/lottery',
    wide: true,
    tab: 'hall',
    waitsForGames: true,
    /** The number of the game whose tab is opened; `/room` names it as the specification does. */
    optional: { game: number, game_id: number },
  },
  bet: {
    path: '/betDetail',
    /** The record as JSON; only its order number is read. */
    required: { item: anyText },
  },
  room: {
    path: '/betRoom',
    wide: true,
    waitsForGames: true,
    required: { id: number, game_id: number, name: anyText, title: anyText },
    optional: { requiredMoney: anyText },
  },
  /** The same room without a session: to watch only. */
  watch: {
    path: '/watch',
    access: 'open',
    wide: true,
    screen: 'room',
    waitsForGames: true,
    required: { id: number, game_id: number },
  },
  pastRounds: {
    path: '/lotteryDetail',
    required: { game_id: number, name: anyText },
    optional: { date: anyText },
  },
  memberRules: { path: '/lotteryExplain', screen: 'rules' },
  trend: {
    path: '/trendChart',
    wide: true,
    optional: { game_id: number, name: anyText, date: anyText },
  },
  news: {
    path: '/moreNews',
    tab: 'news',
    optional: { tab: anyText },
  },
  article: {
    path: '/aticleDetail',
    screen: 'news/article',
    /** The article as JSON; only its id is read. */
    required: { news: anyText },
  },
  rooms: {
    path: '/room',
    wide: true,
    screen: 'hall',
    tab: 'hall',
    waitsForGames: true,
    optional: { game_id: number },
  },
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof ROUTES

type ParametersOf<Name extends RouteName, Kind extends 'required' | 'optional'> =
  (typeof ROUTES)[Name] extends Record<Kind, infer Parameters>
    ? {
        [Key in keyof Parameters]: Parameters[Key] extends (text: string) => infer Value
          ? Exclude<Value, undefined>
          : never
      }
    : Record<never, never>

/** The parameters of a link to a route. */
export type QueryOf<Name extends RouteName> = ParametersOf<Name, 'required'> &
  Partial<ParametersOf<Name, 'optional'>>

/** What is read of a route's address: each parameter that has a value there. */
export type ReadQuery<Name extends RouteName> = Partial<
  ParametersOf<Name, 'required'> & ParametersOf<Name, 'optional'>
>

type HrefArguments<Name extends RouteName> =
  Record<never, never> extends QueryOf<Name> ? [query?: QueryOf<Name>] : [query: QueryOf<Name>]

/** The address of a screen: `href('settings', { type: '1' })`. */
export function href<Name extends RouteName>(name: Name, ...[query]: HrefArguments<Name>): string {
  return hrefOf(name, query)
}

/** The same for a route that is known only by its type. */
export function hrefOf<Name extends RouteName>(name: Name, query?: QueryOf<Name>): string {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value !== undefined) search.set(key, String(value))
  }
  return search.size > 0 ? `${ROUTES[name].path}?${search}` : ROUTES[name].path
}

/** The values of a route's parameters in the query of an address. */
export function readQuery<Name extends RouteName>(name: Name, search: string): ReadQuery<Name> {
  const { required, optional } = routeEntry(name)
  const given = new URLSearchParams(search)
  const values = Object.entries({ ...required, ...optional }).map(([key, read]) => {
    const text = given.get(key)
    return [key, text === null ? undefined : read(text)]
  })
  return Object.fromEntries(values) as ReadQuery<Name>
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
export function routeEntry(name: RouteName): Route {
  return ROUTES[name]
}

/** The file that shows a route, as a path from this folder. */
export function screenFileOf(name: RouteName): string {
  const { screen = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) } =
    routeEntry(name)
  return `../screens/${screen.includes('/') ? screen : `${screen}/${screen}`}-screen.tsx`
}
