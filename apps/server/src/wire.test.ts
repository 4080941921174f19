/**
 * Goal: each call of the player API accepts the payload and returns the reply that the wire's description names.
 * Method: the whole product, called as a client that does not know our schemas; the contents of replies are written
 * here by hand, from the description.
 */
import { dayOf } from '@sum28/domain/schedule.ts'
import { describe, expect, it } from 'vitest'
import { memberWithMoney, TEST_CARD, TEST_CODE } from '#testing/cashier.ts'
import { openRound, ROUNDS_TO_BET_IN } from '#testing/open-round.ts'
import {
  eventually,
  mailedCode,
  mailsOf,
  registerMember,
  shareTestApp,
  TEST_PASSWORD,
  type TestMember,
} from '#testing/test-app.ts'
import { TEST_TIME_ZONE } from '#testing/time-zone.ts'
import { fieldsOf, type Shape, shapeFaults } from '#testing/wire-shape.ts'

const app = shareTestApp(ROUNDS_TO_BET_IN)

/** The code to which the member's security code is changed in between. */
const NEW_CODE = '314159'

const ROOM = { game_id: 1, plan_id: 11 }
const ROUND = {
  issue: 'issue',
  last_issue: 'issue',
  openTime1: 'int',
  whether_close: 'bool',
} as const
const RESULT = {
  ...fieldsOf('issue: issue, site_1: int?, site_2: int?, site_3: int?, code: int?'),
  ...fieldsOf('base: list, join: text, status: text, drawn_at: unix'),
} as const
const MESSAGE = {
  ...fieldsOf('id: int, user_id: int, nickname: text, issue: issue, play_method: text'),
  ...fieldsOf('play_type: text, quantity: money, total: money, after_quantity: money?'),
  ...fieldsOf('robot: bool, createtime: unix'),
} as const
const PLAN = {
  ...fieldsOf('id: int, game_id: int, title: text, type: int, robot_num: int'),
  ...fieldsOf('min_limit: money, join_limit: money, status: int'),
} as const
const ODDS = {
  class: 'int',
  class_name: 'text',
  odds: 'text',
  chance: 'text',
  return: 'text',
} as const
const RECORD = {
  ...fieldsOf('orderNo: text, createtime: unix, name: text, plan_name: text, status: int'),
  ...fieldsOf('whether_hit: int, profit: money, issue: issue, quantity: money'),
  ...fieldsOf('lottery_code: text, play_method: text, play_type: text'),
} as const
const ENTRY = {
  ...fieldsOf('id: int, createtime: unix, type: int, mark: text, status: int'),
  ...fieldsOf('quantity: money, over: money'),
} as const
const PAY_ITEM = {
  ...fieldsOf('id: int, acc: text, acc_name: text, acc_bank: text, sub: text'),
  ...fieldsOf('sub_name: text, status: text'),
} as const
const USERINFO = {
  ...fieldsOf('user_id: int, id: int, token: text, money: money, username: text'),
  ...fieldsOf('group_id: int, expires_in: int'),
} as const
const PROFILE = {
  ...fieldsOf('username: text, userid: int, id: int, user_id: int, email: text, avatar: text'),
  ...fieldsOf('money: money, today_profit: money, profit: money, group_id: int, idcard: text'),
  ...fieldsOf('is_safety: bool, net_position: money'),
} as const
const NOTICE = {
  id: 'int',
  title: 'text',
  content: 'text',
  createtime: 'unix',
  read: 'bool',
} as const
const ARTICLE = { id: 'int', title: 'text', content: 'text', createtime: 'unix' } as const

type World = { member: TestMember; today: string; issue: string; orderNo: string }
type Call = readonly [method: 'GET' | 'POST', path: string, fields: Fields, reply: Shape]
type Fields = object | ((world: World) => object | Promise<object>)

let world: Promise<World> | undefined

/** A member with money, pay methods, a code, and a bet whose round was drawn. */
function worldOf(): Promise<World> {
  world ??= (async () => {
    const member = await memberWithMoney(app(), 'wire_reader', 1_000)
    const { issue, orderNo } = await betDrawn(member)
    const { data } = await post('/api/Lottery/issueList', { game_id: 1 })
    const drawnAt = (data as { drawn_at: number }[])[0]?.drawn_at ?? 0
    const today = dayOf(TEST_TIME_ZONE, drawnAt * 1_000)
    return { member, today, issue, orderNo }
  })()
  return world
}

/** Bets until a round with the bet is drawn: a slow machine may miss a round's end, and gives the stake back. */
async function betDrawn(member: TestMember): Promise<{ issue: string; orderNo: string }> {
  for (;;) {
    const issue = await openRound(app(), ROOM.game_id)
    const order = { ...ROOM, issue, play_type: '[1,413]', money: '100' }
    const placed = await post('/api/Lottery/playOrder', order, member)
    expect(placed.code).toBe(1)
    const status = await eventually(async () => {
      const { data } = await post('/api/user/orderList', {}, member)
      // Pending, settled or refunded.
      return (data as { status: number }[])[0]?.status || undefined
    })
    if (status === 1) return { issue, orderNo: (placed.data as { orderNo: string }).orderNo }
  }
}

function post(path: string, fields: object, member?: TestMember) {
  const body = { ...fields, host: 'play.example', lang: 'en' }
  return app().post(path, body, member ? { Token: member.token } : {})
}

async function codeFor(email: string, event: string): Promise<string> {
  await post('/api/ems/send', { email, event })
  return mailedCode(app(), email)
}

/** A code to reset the password of a member of its own; codes come once a minute. */
async function resetCode(): Promise<string> {
  const { email } = await registerMember(app(), 'wire_resetter')
  await app().database.owner.query(
    "update accounts.email_code set created_at = created_at - interval '61 seconds'",
  )
  const before = (await mailsOf(app())).length
  await post('/api/ems/send', { email, event: 'resetpwd' })
  await eventually(async () => (await mailsOf(app())).length > before || undefined)
  return mailedCode(app(), email)
}

const CALLS: readonly Call[] = [
  [
    'GET',
    '/api/index/index',
    {},
    {
      banner: [{ id: 'int', image: 'text', link: 'text' }],
      winners: 'list',
      version_notice: { label: 'text', content: 'text' },
    },
  ],
  [
    'GET',
    '/api/index/config',
    {},
    {
      ...{ lines: ['text'], quick_amounts: ['int'], withdraw_min: 'money', round_seconds: 'int' },
      ...{ seal_seconds: 'int', heartbeat_ms: 'int', features: {}, support_url: 'text?' },
    },
  ],
  [
    'GET',
    '/api/index/articleList',
    {},
    {
      tops: [{ id: 'int', title: 'text', content: 'text', createtime: 'unix' }],
      articleTabs: [{ id: 'int', name: 'text', articles: [ARTICLE] }],
    },
  ],
  ['GET', '/api/index/article', { id: 1 }, ARTICLE],
  ['GET', '/api/index/noticeList', {}, { zhannei: [NOTICE], pingtai: [NOTICE] }],
  ['GET', '/api/index/aboutus', {}, { about: { content: 'text' } }],
  ['GET', '/api/index/promos', {}, [{ id: 'int', image: 'text', title: 'text' }]],
  ['GET', '/api/index/rules', {}, { round_seconds: 'int', rooms: [{ id: 'int' }] }],
  [
    'POST',
    '/api/Lottery/index',
    { game_id: 1 },
    {
      gameList: [
        {
          ...{ id: 'int', name: 'text', status: 'int', planList: [PLAN] },
          issue: { ...ROUND, last_code: 'text' },
        },
      ],
    },
  ],
  [
    'POST',
    '/api/Lottery/heart',
    ROOM,
    {
      ...{ game_status: 'int', issue: ROUND, last_issue: RESULT, message: [MESSAGE] },
      ...{ user_quantity: { money: 'money', buy: 'money' }, hit_notice: 'list' },
    },
  ],
  [
    'POST',
    '/api/Lottery/oddsList',
    { plan_id: 11 },
    { rule_base: [ODDS], rule_num: [ODDS], num_code: { 400: 'text', 427: 'text' } },
  ],
  [
    'POST',
    '/api/Lottery/playOrder',
    async () => ({
      ...{
        ...ROOM,
        issue: await openRound(app(), ROOM.game_id),
        play_type: '[1,413]',
        money: '100',
      },
    }),
    { ...MESSAGE, after_quantity: 'money', orderNo: 'text' },
  ],
  ['POST', '/api/Lottery/issueList', { game_id: 1 }, [RESULT]],
  [
    'POST',
    '/api/Lottery/cand',
    { game_id: 1 },
    [{ issue: 'issue', cand: ['number'], cand_code: 'text', code: 'int' }],
  ],
  [
    'POST',
    '/api/user/register',
    async () => {
      const email = 'wire_writer@example.org'
      const code = await codeFor(email, 'register')
      return {
        ...{ username: 'wire_writer', password: TEST_PASSWORD, email, code, group_id: 1 },
        ...{ inviter_id: 1, adult: true },
      }
    },
    { userinfo: USERINFO },
  ],
  [
    'POST',
    '/api/user/login',
    { account: 'wire_reader', password: TEST_PASSWORD },
    { userinfo: USERINFO },
  ],
  ['POST', '/api/ems/send', { email: 'someone@example.org', event: 'register' }, 'nothing'],
  ['POST', '/api/user/profile', { avatar: 'preset:3' }, PROFILE],
  ['POST', '/api/user/userInfo', {}, PROFILE],
  ['POST', '/api/user/invitees', {}, { link: 'text', total: 'int' }],
  [
    'POST',
    '/api/user/quantityLogList',
    ({ today }) => ({ begin_date: today, end_date: today, type: 2 }),
    [ENTRY],
  ],
  [
    'POST',
    '/api/user/orderList',
    ({ today }) => ({ begin_date: today, end_date: today }),
    [RECORD],
  ],
  [
    'POST',
    '/api/user/orderTotals',
    ({ today }) => ({ begin_date: today, end_date: today }),
    { count: 'int', quantity: 'money', payout: 'money', profit: 'money', pending: 'money' },
  ],
  [
    'POST',
    '/api/user/orderInfo',
    ({ orderNo }) => ({ orderNo }),
    {
      ...RECORD,
      ...{ before: 'money', after: 'money', proof: {} },
      selections: [{ class: 'int', class_name: 'text', odds: 'text', stake: 'money', hit: 'bool' }],
    },
  ],
  ['POST', '/api/user/payInfo', { type: 1 }, PAY_ITEM],
  [
    'POST',
    '/api/user/setPayInfo',
    {
      ...{ acc: 'Ann Lee', acc_name: TEST_CARD, acc_bank: 'First Bank', mark: '', type: 0 },
      ...{ sub: '001', sub_name: 'Main Street' },
    },
    PAY_ITEM,
  ],
  ['POST', '/api/user/safetyInfo', {}, { isTrue: 'bool' }],
  ['POST', '/api/user/setSafety', { new_code: NEW_CODE, old_code: TEST_CODE }, 'nothing'],
  [
    'POST',
    '/api/user/withdrawInfo',
    {},
    { money: 'money', pay_list: [PAY_ITEM], min: 'money', hold_until: 'unix?' },
  ],
  [
    'POST',
    '/api/user/withdrawAction',
    { type: 1, money: '100', security_code: NEW_CODE },
    { id: 'int', quantity: 'money', after_quantity: 'money' },
  ],
  ['POST', '/api/user/recharge', {}, { money: 'money', usdt: 'text' }],
  ['GET', '/api/fairness/chains', {}, [{}]],
  [
    'GET',
    '/api/fairness/round',
    ({ issue }) => ({ game_id: 1, issue }),
    { game_id: 'int', issue: 'issue', status: 'text', ends_at: 'unix', commitment: 'text' },
  ],
  [
    'POST',
    '/api/user/newPass',
    { new_pass: 'another long passphrase', old_pass: TEST_PASSWORD },
    'nothing',
  ],
  [
    'POST',
    '/api/user/resetpwd',
    async () => ({
      email: 'wire_resetter@example.org',
      captcha: await resetCode(),
      newpassword: 'one more long passphrase',
    }),
    'nothing',
  ],
  ['POST', '/api/user/logout', {}, 'nothing'],
]

describe('a call of the wire', () => {
  it.each(CALLS)(
    '%s %s accepts its payload and returns its reply',
    async (method, path, fields, shape) => {
      const known = await worldOf()
      const input = typeof fields === 'function' ? await fields(known) : fields
      const headers = { Token: known.member.token }
      const reply =
        method === 'POST'
          ? await post(path, input, known.member)
          : await app()
              .fetch(`${path}?${new URLSearchParams({ ...input, host: 'h', lang: 'en' })}`, {
                headers,
              })
              .then((response) => response.json() as Promise<Awaited<ReturnType<typeof post>>>)
      expect(reply).toMatchObject({ code: 1, time: expect.stringMatching(/^\d+$/) })
      expect(shapeFaults(reply.data, shape, 'data')).toEqual([])
      if (path === '/api/user/userInfo') expect(reply.msg).toEqual(reply.data)
    },
  )
})
