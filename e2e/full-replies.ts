/** Replies with all that a screen can show, in long words and large amounts: for what screens look like. */
import { chains, fairnessRound, reserves, returns } from '@sum28/contract/fairness-routes.ts'
import * as index from '@sum28/contract/index-routes.ts'
import * as lottery from '@sum28/contract/lottery-routes.ts'
import * as money from '@sum28/contract/money-routes.ts'
import * as own from '@sum28/contract/own-routes.ts'
import { devices, passkeys, secondFactor } from '@sum28/contract/passkey-routes.ts'
import { protectionChanges, protectionState } from '@sum28/contract/protection-routes.ts'
import type { BetRecord, FeedMessage, IssueResult, LedgerRow } from '@sum28/contract/replies.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { gamesStream, stream } from '@sum28/contract/stream.ts'
import * as user from '@sum28/contract/user-routes.ts'
import { formatOdds, formatShare, returnPpm } from '@sum28/domain/odds.ts'
import { labelsOfSum, RULES, SUM_RULE_BASE } from '@sum28/domain/outcomes.ts'
import { startOdds } from '@sum28/domain/testing/outcome-table.ts'
import { leafNode, owedLeafText, sumLevels, sumPath } from '@sum28/fairness/sum-tree.ts'
import { loggedCount } from '@sum28/fairness/testing/logged.ts'
import type { ContractMock } from '../apps/web/src/testing/contract-mock.ts'
import {
  CONFIG,
  PROFILE,
  protectionReply,
  USERINFO,
} from '../apps/web/src/testing/usual-replies.ts'
import type { Session } from './browser.ts'

/** When all of it happens, in seconds since 1970: the same at each run, so that two pictures can be compared. */
export const NOW = Date.UTC(2026, 10, 20, 4, 30, 20) / 1_000
const DAY_S = 86_400

const [TODAY = ''] = new Date(NOW * 1_000).toISOString().split('T')
const issueOf = (at: number) => `${TODAY.replaceAll('-', '')}${String(at).padStart(3, '0')}`

/** The number of the running round. */
const ISSUE = issueOf(301)

export const MEMBER: Session & { username: string } = { ...USERINFO, money: '123456.78' }
export const VISITOR: Session = { ...USERINFO, id: 9, user_id: 9, group_id: 2 }

/** A round's result, whose sum is that of its digits. */
function resultOf(at: number, digits: readonly [number, number, number]): IssueResult {
  const [one, two, three] = digits
  return {
    issue: issueOf(at),
    site_1: one,
    site_2: two,
    site_3: three,
    code: one + two + three,
    ...labelsOfSum(one + two + three),
    status: 'drawn',
    drawn_at: NOW - (301 - at) * 210,
    witnessed: at % 5 !== 4,
  }
}

/** Past rounds, newest first; one of them is void. */
const RESULTS: IssueResult[] = Array.from({ length: 40 }, (_, back) =>
  back === 3
    ? {
        ...resultOf(300 - back, [0, 0, 0]),
        site_1: null,
        site_2: null,
        site_3: null,
        code: null,
        base: ['', ''],
        join: '',
        status: 'voided',
      }
    : resultOf(300 - back, [(back * 7) % 10, (back * 3) % 10, (back + 2) % 10]),
)

const ROOM_TYPES = ['Basic', 'Senior', 'Master', 'Expert'] as const
const LEAST = ['100.00', '200.00', '500.00', '1000.00']
const ENTRY = ['100.00', '1000.00', '5000.00', '20000.00']

export const GAMES: ReplyOf<typeof lottery.lobby>['gameList'] = ['DOT', 'BCH', 'ETH', 'BTC'].map(
  (name, at) => ({
    id: at + 1,
    name,
    status: 1,
    pauses: [],
    issue: {
      issue: ISSUE,
      last_issue: issueOf(300),
      openTime1: 179,
      whether_close: false,
      draw_in: 0,
      book_root: null,
      version: '1',
      last_code: `${at} 2 3 ${at + 5}`,
    },
    planList: ROOM_TYPES.map((title, type) => ({
      id: 10 * (at + 1) + type + 1,
      game_id: at + 1,
      title,
      type,
      robot_num: type * 3,
      min_limit: LEAST[type] ?? '',
      join_limit: ENTRY[type] ?? '',
      status: 1,
    })),
  }),
)

/** The odds with which a room of a type begins. */
function oddsOf(type: 0 | 1 | 2 | 3, kind: 'named' | 'sum') {
  const ofSum = (id: number) => id >= SUM_RULE_BASE
  return startOdds(type)
    .filter(({ ruleId }) => ofSum(ruleId) === (kind === 'sum'))
    .map(({ ruleId, oddsMilli }) => {
      const { outcome = '', ways = 0 } = RULES.find(({ id }) => id === ruleId) ?? {}
      return {
        class: ruleId,
        class_name: outcome,
        odds: formatOdds(oddsMilli),

        chance: formatShare(ways * 1_000),
        return: formatShare(returnPpm({ oddsMilli, ways })),
      }
    })
}

const ODDS: ReplyOf<typeof lottery.oddsList> = {
  rule_base: oddsOf(0, 'named'),
  rule_num: oddsOf(0, 'sum'),
  num_code: {},
  payout_max: '1000000.00',
  rules_version: 1,
}

const RULES_REPLY: ReplyOf<typeof index.rules> = {
  round_seconds: 210,
  seal_seconds: 30,
  rounds_a_day: 274,
  opening_hours: '10:00-02:00',
  game_timezone: 'Asia/Singapore',
  beacon_deadline_seconds: 600,
  payout_max: '1000000.00',
  rooms: GAMES.flatMap(({ name, planList }) =>
    planList.map(({ robot_num: _, status: __, type, ...room }) => ({
      ...room,
      type,
      game_name: name,
      max: '100000.00',
      rules_version: 1,
      rule_base: oddsOf(type as 0, 'named'),
      rule_num: oddsOf(type as 0, 'sum'),
    })),
  ),
}

/** An entry of a room's feed. */
export function feedEntry(id: number, differing: Partial<FeedMessage> = {}): FeedMessage {
  return {
    id,
    user_id: 999,
    nickname: `an***${id}`,
    issue: ISSUE,
    play_method: 'long,13',
    play_type: '[1,413]',
    quantity: '4321.25',
    total: '8642.50',
    after_quantity: null,
    robot: false,
    createtime: NOW,
    ...differing,
  }
}

const FEED = [
  feedEntry(1),
  feedEntry(2, { robot: true, play_method: 'short-even', play_type: '[14]' }),
  feedEntry(3, { user_id: MEMBER.user_id, orderNo: 'B3', after_quantity: '123456.78' }),
]

export const HEART: ReplyOf<typeof lottery.heart> = {
  game_status: 1,
  issue: {
    issue: ISSUE,
    last_issue: issueOf(300),
    openTime1: 179,
    whether_close: false,
    draw_in: 0,
    book_root: null,
    version: '1',
  },
  last_issue: RESULTS[0] ?? null,
  user_quantity: { money: MEMBER.money, version: '1', buy: '12345.50', buy_issue: ISSUE },
  hit_notice: [],
  message: FEED,
}

/** A record of the player's bets, so many rounds ago. */
export const bet = (at: number, rest: Partial<BetRecord>): BetRecord => ({
  orderNo: `B20261120-00000${at}`,
  createtime: NOW - at * 210,
  game_id: 4,
  name: 'BTC',
  plan_name: 'Expert',
  issue: issueOf(300 - at),
  quantity: '12345.50',
  play_method: 'long-odd,13,27',
  play_type: '[11,413,427]',
  lottery_code: '9 8 7 24',
  status: 1,
  whether_hit: 1,
  profit: '12345.678912',
  witnessed: true,
  ...rest,
})

const BETS = [
  bet(0, { status: 0, whether_hit: 0, profit: '0.00', lottery_code: '' }),
  bet(1, {}),
  bet(2, { whether_hit: 0, profit: '-12345.50', lottery_code: '0 1 2 3', witnessed: false }),
  bet(3, { status: 2, whether_hit: 0, profit: '0.00', lottery_code: '' }),
  // Of the last round in the room that is shown.
  bet(0, {
    orderNo: 'B20261120-000004',
    game_id: 2,
    name: 'BCH',
    plan_name: 'Basic',
    play_method: 'short-even,27',
    play_type: '[14,427]',
    lottery_code: '0 0 2 2',
  }),
]

const HEX = 'ab'.repeat(32)

const ROUND: ReplyOf<typeof fairnessRound> = {
  game_id: 4,
  issue: issueOf(299),
  status: 'settled',
  ends_at: NOW - 420,
  voids_at: NOW + 180,
  chain_id: 1,
  index: 12,
  commitment: HEX,
  seed: HEX,
  digits: [9, 8, 7],
  void: null,
  beacon: {
    kind: 'drand',
    chain_hash: HEX,
    public_key: HEX,
    scheme: 'bls-unchained-g1-rfc9380',

    genesis_time: 1_692_803_367,
    period: 3,
    round: 30_000_000,
    signature: HEX,
    randomness: HEX,
  },
  book: { root: HEX, size: 12, sealed_at: NOW - 450, witnessed_at: null },
  log: null,
}

export const FULL_BET: ReplyOf<typeof user.orderInfo> = {
  ...bet(1, {}),
  id: 12,
  plan_id: 44,
  plan_type: 3,
  rules_version: 1,
  unit: 'u',
  payout: '24691.391234',
  settled_at: NOW - 200,
  before: '123456.78',
  after: '111111.28',
  selections: [11, 413, 427].map((rule) => ({
    class: rule,
    class_name: RULES.find(({ id }) => id === rule)?.outcome ?? '',
    odds: '960',
    stake: '411.51',
    payout: '0.00',
    hit: rule === 413,
  })),
  proof: {
    ...ROUND,
    leaf: 'leaf',
    nonce: HEX,
    player_id: 7,
    signed: 'note',
    leaf_index: 0,
    path: [HEX],
  },
}

const moved = (id: number, rest: Partial<LedgerRow>): LedgerRow => ({
  id,
  createtime: NOW - id,
  mark: '',
  over: '123456.78',
  status: 1,
  type: 0,
  quantity: '1000.00',
  ...rest,
})

const MOVEMENTS = [
  moved(8, {}),
  moved(7, { type: 1, status: 0, quantity: '-100.00' }),
  moved(6, { type: 1, quantity: '-200.00' }),
  moved(5, { type: 1, status: 2, quantity: '-300.00' }),
  moved(4, { type: 2, quantity: '-10.00' }),
  moved(3, { type: 3, quantity: '19.123456', stake: '10.00' }),
  moved(9, { type: 3, quantity: '9.123456', stake: '10.00' }),
  moved(2, { type: 4, quantity: '5.00' }),
  moved(1, { type: 2, quantity: '10.00', mark: 'refund' }),
]

const WALLET_ADDRESS = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'
const BANK = { id: 1, acc: 'Ann Lee', acc_name: '1111', acc_bank: 'First Bank' }
const CARD = { ...BANK, sub: '', sub_name: '', status: '1' as const }
const WALLET = {
  id: 2,
  acc: WALLET_ADDRESS,
  acc_name: 'USDT',
  acc_bank: '',
  sub: '',
  sub_name: '',
  status: '0' as const,
}

const PARAGRAPH = '<p>The rules of a room are those of its page. Every draw can be checked.</p>'
const articleOf = (id: number) => ({
  id,
  title: `How a draw is made, part ${id}`,
  content: PARAGRAPH.repeat(3),
  createtime: NOW,
})

const FIGURES = {
  deposited: '123456.78',
  withdrawn: '123456.78',
  net_deposited: '0.00',
  staked: '123456.78',
  won: '123000.00',
  net: '-456.78',
}

/** A page of a list, or the list itself, as the request names a page or does not. */
function paged<Item>(items: readonly Item[]) {
  return ({ input }: { input: { page?: number | undefined } }) =>
    input.page === undefined
      ? [...items]
      : { list: input.page > 1 ? [] : [...items], total: items.length, page: input.page }
}

/** Makes a mock server answer with all that there can be, for a member or a visitor. */
export function answerFully(mock: ContractMock): void {
  mock.setClockAhead(NOW * 1_000 - Date.now())
  mock.answer(index.config, {
    ...CONFIG,
    lines: ['', ''],
    features: { ...CONFIG.features, robots: true, demo: true, support_email: 'help@play.example' },
  })
  mock.answer(index.home, {
    banner: ['exact', 'fairness', 'rounds'].map((name, at) => ({
      id: at + 1,
      image: `/banners/${name}.svg`,
      link: '/rules',
    })),
    winners: Array.from({ length: 12 }, (_, at) => ({
      nickname: `an***${at}`,
      game_name: 'BTC',
      profit: '12345.50',
      createtime: NOW - at,
    })),
    version_notice: { label: '21.04.02', content: 'Every draw can be checked' },
  })
  mock.answer(index.articleList, {
    tops: [articleOf(1), articleOf(2)],
    articleTabs: ['Guide', 'Money'].map((name, at) => ({
      id: at + 1,
      name,
      articles: [3, 4].map((id) => ({ ...articleOf(id + 2 * at), image: '' })),
    })),
  })
  mock.answer(index.article, { ...articleOf(1), image: '' })
  mock.answer(index.aboutUs, { about: { content: PARAGRAPH } })
  mock.answer(index.promos, promosReply())
  mock.answer(index.rules, RULES_REPLY)
  mock.answer(index.noticeList, {
    zhannei: [{ ...articleOf(1), title: 'Withdrawal of 12,345.67 u requested', read: false }],
    pingtai: [{ ...articleOf(2), read: true }],
  })
  mock.answer(lottery.lobby, { gameList: GAMES })
  mock.onOpen(gamesStream, (opened) => opened.send('begin', GAMES))
  mock.answer(lottery.heart, HEART)
  mock.onOpen(stream, (opened) => {
    const { game_status, issue, last_issue, user_quantity, message } = HEART
    opened.send('round', { game_status, issue, last_issue })
    opened.send('money', user_quantity)
    opened.send('feed', message)
  })
  mock.answer(lottery.oddsList, ODDS)
  mock.answer(lottery.playOrder, {
    ...feedEntry(4, { user_id: MEMBER.user_id }),
    orderNo: 'B4',
    after_quantity: '123356.78',
    version: '2',
  })
  mock.answer(lottery.issueList, paged(RESULTS))
  mock.answer(lottery.cand, candles())
  mock.answer(user.login, { userinfo: USERINFO })
  mock.answer(user.register, { userinfo: USERINFO })
  mock.answer(user.userInfo, {
    ...PROFILE,
    money: MEMBER.money,
    today_profit: '12345.678',
    profit: '-12345.678',
  })
  mock.answer(user.invitees, {
    link: 'https://play.example/register?inviter_id=7',
    total: 1,
    page: 1,
    list: [{ createtime: NOW }],
  })
  mock.answer(user.orderList, paged(BETS))
  mock.answer(user.orderTotals, {
    count: 1234,
    quantity: '123456.78',
    payout: '123456.78',
    profit: '-123456.78',
    pending: '12345.50',
    refunded: '12345.50',
  })
  mock.answer(user.orderInfo, FULL_BET)
  mock.answer(money.recharge, {
    money: MEMBER.money,
    held: '123456.78',
    version: '1',
    usdt: WALLET_ADDRESS,
    bankname: 'First Bank',
    banknum: '00 11 22',
    bankxm: 'The Operator of this House',
    reference: 'RF1',
    transfers: (['seen', 'solid', 'credited', 'returned'] as const).map((status, at) => ({
      tx_id: `${HEX}${at}`,
      quantity: '123456.78',
      status,
      createtime: NOW,
      ...(status === 'seen' && { confirmations: 12, confirmations_needed: 19 }),
    })),
  })
  mock.answer(money.quantityLogList, paged(MOVEMENTS))
  mock.answer(money.payInfo, ({ input }) => (input.type === 0 ? CARD : WALLET))
  mock.answer(money.setPayInfo, ({ input }) => (input.type === 0 ? CARD : WALLET))
  mock.answer(money.safetyInfo, { isTrue: true })
  mock.answer(money.withdrawInfo, {
    money: '99000.00',
    version: '1',
    pay_list: [CARD, WALLET],
    min: '100.00',
    hold_until: null,
    pending: null,
    latest: (['approved', 'sent', 'rejected'] as const).map((status, at) => ({
      id: 30 - at,
      quantity: '123456.78',
      paid_part: status === 'approved' ? '123450.00' : '0.00',
      payee: 'First Bank •••• 1111',
      status,
      createtime: NOW,
      approvedtime: status === 'rejected' ? null : NOW,
      ...(status === 'sent'
        ? { senttime: NOW, reference: HEX }
        : { senttime: null, reference: null }),
      why: status === 'rejected' ? 'The name on the card is another' : null,
    })),
    usual_seconds: 90_000,
  })
  mock.answer(protectionState, protection())
  mock.answer(protectionChanges, {
    total: 1,
    page: 1,
    list: [
      {
        id: 1,
        what: 'limit_set',
        createtime: NOW,
        kind: 'stake',
        period: 'week',
        before: null,
        after: '123456.78',
        until: null,
        name: null,
      },
    ],
  })
  mock.answer(passkeys, {
    list: [
      {
        id: 1,
        name: 'A phone with a rather long name of its own',
        createtime: NOW,
        usedtime: NOW,
        cloned: false,
      },
      { id: 2, name: 'Key', createtime: NOW, usedtime: null, cloned: true },
    ],
  })
  mock.answer(secondFactor, { since: NOW, app: true, recovery_codes: 10 })
  mock.answer(devices, {
    list: [
      { id: '1', name: 'Chrome · Android', createtime: NOW, usedtime: NOW, current: true },
      {
        id: '2',
        name: 'Samsung Internet · Android',
        createtime: NOW,
        usedtime: NOW,
        current: false,
      },
      { id: '3', name: '', createtime: NOW, usedtime: NOW, current: false },
    ],
  })
  mock.answer(own.figures, {
    since: NOW - 400 * DAY_S,
    lifetime: FIGURES,
    year: FIGURES,
    months: Array.from({ length: 12 }, (_, at) => ({
      month: `2026-${String(at + 1).padStart(2, '0')}`,
      ...FIGURES,
    })),
  })
  mock.answer(money.identityInfo, {
    state: 'rejected',
    reason: 'The picture is cut off at its edge',
    pictures: 2,
    asked_from: '10000.00',
  })
  mock.answer(own.ownData, { state: 'ready', until: NOW + DAY_S, bytes: 123_456 })
  mock.answer(own.closing, {
    running: '50.00',
    withdrawing: '120.00',
    held: '80.00',
    balance: '123456.78',
    withdraw_min: '100.00',
    may_close: false,
    kept_days: 3650,
  })
  mock.answer(chains, [
    { id: 1, game_id: 1, length: 100_000, commitment: HEX, committed_at: NOW - DAY_S, used: 301 },
  ])
  mock.answer(fairnessRound, ROUND)
  answerCounts(mock, NOW)
  mock.answer(own.push, {
    key: 'B',
    topics: ['deposit', 'withdrawal'],
    amounts: false,
    here: true,
    devices: 2,
  })
  mock.answer(returns, {
    day: TODAY,
    tests: 432,
    unlikely: 1,
    list: RULES.map(({ id, ways }, at) => ({
      rule_id: id,
      rounds: 9_123,
      wins: Math.round(9.123 * ways),
      turnover: '91230.00',
      payouts: `${87_580 + Math.round(1_500 * Math.sin(at * 2))}.00`,
      expected: '87580.80',
      deviation: `${900 + at * 20}.00`,
      chance: at === 3 ? 0.0002 : 1,
    })),
  })
}

/** Sixty counts of what is owed, and a member's proof of the last one, in a tree of eight places. @param now in seconds */
export function answerCounts(mock: ContractMock, now: number): void {
  const leaves = Array.from({ length: 8 }, (_, at) => ({
    count: 60,
    playerId: at === 5 ? PROFILE.id : at,
    salt: HEX.slice(0, 32),
    cash: 123_456_780_000n,
    held: 120_000_000n,
    atRisk: 50_000_000n,
  }))
  const levels = sumLevels(leaves.map(leafNode))
  const [root] = levels.at(-1) ?? []
  const [, , , , , mine] = leaves
  if (!root || !mine) throw new Error('a tree has a root')
  const counted = {
    number: 60,
    counted_at: now - DAY_S / 2,
    size: 8,
    root: Buffer.from(root.hash).toString('hex'),
  }
  const count = { ...counted, total: String(root.sum) }
  const proof = { leaf: owedLeafText(mine), index: 5, path: sumPath(levels, 5) }
  mock.answer(own.owed, {
    player_id: PROFILE.id,
    since: now - 90 * DAY_S,
    count,
    proof,
    log: loggedCount(count),
  })
  mock.answer(reserves, {
    counts: Array.from({ length: 60 }, (_, back) => ({
      ...counted,
      number: 60 - back,
      counted_at: counted.counted_at - back * DAY_S,
      owed: '123456789.12',
      on_chain: `${135_000_000 - back * back * 12_000}.50`,
      block: 70_000_000 - back,
      at_bank: '1234567.89',
    })),
    addresses: [
      {
        id: 1,
        address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
        signature: `${HEX}${HEX}1b`,
        statement: `TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t holds money of the players of play.example. ${TODAY}`,
        quantity: '135000000.50',
      },
    ],
  })
}

function promosReply(): ReplyOf<typeof index.promos> {
  return ['check', 'pause', 'returns'].map((name, at) => ({
    id: at + 1,
    image: `/promos/${name}.svg`,
    title: `Promotion ${at + 1}`,
  }))
}

function candles(): ReplyOf<typeof lottery.cand> {
  return RESULTS.filter(({ code }) => code !== null)
    .toReversed()
    .map(({ issue, code, join, site_1, site_2, site_3, witnessed }, at) => ({
      issue,
      code: code ?? 0,
      cand_code: join,
      site_1: site_1 ?? 0,
      site_2: site_2 ?? 0,
      site_3: site_3 ?? 0,
      cand: [at / 2, at / 2 + 0.5, at / 2 - 0.5, at / 2 + 1],
      witnessed: witnessed === true,
    }))
}

function protection(): ReplyOf<typeof protectionState> {
  return protectionReply({
    limits: [
      {
        kind: 'deposit',
        period: 'month',
        own: '123456.78',
        amount: '123456.78',
        by: 'player',
        used: '1234.50',
        left: '122222.28',
        raise: { own: null, from: NOW + DAY_S, until: NOW + 8 * DAY_S },
      },
    ],
    held: [{ id: 1, quantity: '123456.78', because: 'limit', createtime: NOW, asked_back: false }],
  })
}
