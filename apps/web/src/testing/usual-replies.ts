/** The server's replies in most tests: a member with some money, one game with one room. */
import { config, type rules } from '@sum28/contract/index-routes.ts'
import { lobby, oddsList } from '@sum28/contract/lottery-routes.ts'
import type { withdrawInfo } from '@sum28/contract/money-routes.ts'
import type { protectionState } from '@sum28/contract/protection-routes.ts'
import type {
  FeedMessage,
  GameOnWire,
  Odds,
  PayItem,
  Profile,
  Userinfo,
} from '@sum28/contract/replies.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { gamesStream, type OwnState } from '@sum28/contract/stream.ts'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { formatOdds } from '@sum28/domain/odds.ts'
import { RULES, SUM_RULE_BASE } from '@sum28/domain/outcomes.ts'
import type { ContractMock } from '#src/testing/contract-mock.ts'

export const CONFIG: ReplyOf<typeof config> = {
  lines: [],
  support_url: null,
  quick_amounts: [5, 10, 50, 300, 500],
  withdraw_min: '10.00',
  round_seconds: 210,
  seal_seconds: 30,
  heartbeat_ms: 2_000,
  features: {
    demo: false,
    beacon: 'drand',
    robots: false,
    support_email: null,
    game_timezone: 'Asia/Singapore',
    opening_hours: '10:00-02:00',
    build: '0.1.0',
  },
}

export const USERINFO: Userinfo = {
  user_id: 7,
  id: 7,
  token: 'a-token',
  money: '100.00',
  version: '1',
  username: 'ann',
  group_id: 1,
  expires_in: 1_800,
}

export const PROFILE: Profile = {
  username: 'ann',
  userid: 7,
  id: 7,
  user_id: 7,
  email: 'ann@example.com',
  avatar: 'preset:1',
  money: '100.00',
  held: '0.00',
  version: '1',
  unread: 0,
  today_profit: '0.00',
  profit: '0.00',
  group_id: 1,
  idcard: '',
  is_safety: true,
  net_position: '0.00',
}

/** The state of the player's own data, as the streams send it. */
export const OWN: OwnState = {
  money: '100.00',
  held: '0.00',
  version: '1',
  bets: 'b',
  deposits: 'd',
  withdrawals: 'w',
  protection: 'p',
  messages: 'm',
}

/** The number of the running round. */
export const ISSUE = '20261122100'

export const GAME: GameOnWire = {
  id: 2,
  name: 'BCH',
  status: 1,
  pauses: [],
  issue: {
    issue: ISSUE,
    last_issue: '20261122099',
    openTime1: 120,
    whether_close: false,
    draw_in: 0,
    book_root: null,
    version: '1',
    last_code: '1 2 3 6',
  },
  planList: [
    {
      id: 21,
      game_id: 2,
      title: 'Basic',
      type: 0,
      robot_num: 0,
      min_limit: '1.00',
      join_limit: '0.00',
      status: 1,
    },
  ],
}

/** Every outcome at odds of 2, for any chance: easy to calculate with. */
function offered(kind: 'named' | 'sum'): Odds[] {
  return RULES.filter(({ id }) => id >= SUM_RULE_BASE === (kind === 'sum')).map((rule) => ({
    class: rule.id,
    class_name: rule.outcome,
    odds: formatOdds(2_000),
    chance: '0.5000',
    return: '1.0000',
  }))
}

export const ODDS: ReplyOf<typeof oddsList> = {
  rule_base: offered('named'),
  rule_num: offered('sum'),
  num_code: {},
  payout_max: '1000000.00',
  rules_version: 1,
}

/** The rules, without rooms. */
export const HOUSE_RULES: ReplyOf<typeof rules> = {
  round_seconds: 210,
  seal_seconds: 30,
  rounds_a_day: 274,
  opening_hours: '10:00-02:00',
  game_timezone: 'Asia/Singapore',
  beacon_deadline_seconds: 600,
  payout_max: '250000.00',
  rooms: [],
}

/** Another player's bet in the running round: 10 u on long. */
export const ANOTHERS_BET: FeedMessage = {
  id: 501,
  user_id: 8,
  nickname: 'bob',
  issue: ISSUE,
  play_method: 'long',
  play_type: '[1]',
  quantity: '10.00',
  total: '10.00',
  after_quantity: null,
  robot: false,
  createtime: 1_795_000_000,
}

/** A saved bank card. */
export const CARD: PayItem = {
  id: 3,
  acc: 'Ann Lee',
  acc_name: '1111',
  acc_bank: 'First Bank',
  sub: '',
  sub_name: '',
  status: '1',
}

/** What a player can withdraw, to that card. */
export const WITHDRAWABLE: ReplyOf<typeof withdrawInfo> = {
  money: '100.00',
  version: '1',
  pay_list: [CARD],
  min: '10.00',
  hold_until: null,
  pending: null,
  latest: [],
  usual_seconds: null,
}

/** Makes a mock server answer with the replies above. */
export function answerAsUsual(server: ContractMock): void {
  server.answer(config, CONFIG)
  server.answer(userInfo, PROFILE)
  server.answer(lobby, { gameList: [GAME] })
  server.answer(oddsList, ODDS)
  server.onOpen(gamesStream, ({ send }) => send('own', OWN))
}

/** The server's reply about a player's protection. */
export type ProtectionReply = ReplyOf<typeof protectionState>
export type LimitReply = ProtectionReply['limits'][number]

/** Milliseconds since 1970 as the seconds of the wire. */
export function wireTime(at: number): number {
  return Math.round(at / 1_000)
}

/** A player without own limits, session and break; a test changes some fields. */
export function protectionReply({
  limits = [],
  ...rest
}: Partial<Omit<ProtectionReply, 'limits'>> & {
  limits?: (Pick<LimitReply, 'kind' | 'period'> & Partial<LimitReply>)[]
} = {}): ProtectionReply {
  const all = (['deposit', 'loss', 'stake'] as const).flatMap((kind) =>
    (['day', 'week', 'month'] as const).map((period) => ({ kind, period })),
  )
  return {
    limits: all.map((name) => ({
      own: null,
      amount: null,
      by: null,
      used: '0.00',
      left: null,
      begins_anew_at: 1_795_363_200,
      raise: null,
      ...name,
      ...limits.find(({ kind, period }) => kind === name.kind && period === name.period),
    })),
    check_minutes: 60,
    session: null,
    exclusion: null,
    held: [],
    ...rest,
  }
}
