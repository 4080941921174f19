import { config } from '@sum28/contract/index-routes.ts'
import {
  feedPlayer,
  heart,
  issueList,
  lobby,
  oddsList,
  playOrder,
} from '@sum28/contract/lottery-routes.ts'
import { quantityLogList, recharge } from '@sum28/contract/money-routes.ts'
import { acknowledgeCheck, protectionState } from '@sum28/contract/protection-routes.ts'
import type {
  FeedMessage,
  HitNotice,
  IssueResult,
  RunningRoundOnWire,
} from '@sum28/contract/replies.ts'
import { gamesStream, stream } from '@sum28/contract/stream.ts'
import { login, orderList, orderTotals, userInfo } from '@sum28/contract/user-routes.ts'
import { MICRO } from '@sum28/domain/money.ts'
import { bringIntoView, renderedBy } from '@sum28/ui/testing/browser.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { winVibration } from '#src/data/device-signals.ts'
import { protectionQuery } from '#src/data/protection.ts'
import { queryClient } from '#src/data/query-client.ts'
import { href } from '#src/navigation/routes.ts'
import { forgetUnanswered, keepUnanswered, keptUnanswered } from '#src/screens/room/use-order.ts'
import type { OpenStream } from '#src/testing/contract-mock.ts'
import { wireResult } from '#src/testing/drawn-rounds.ts'
import { fillIn, leaveFor, showApp, useMockServer } from '#src/testing/show-app.tsx'
import {
  ANOTHERS_BET,
  CONFIG,
  GAME,
  ISSUE,
  ODDS,
  OWN,
  PROFILE,
  protectionReply,
  USERINFO,
  wireTime,
} from '#src/testing/usual-replies.ts'

const server = useMockServer()

const ROUND: RunningRoundOnWire = {
  issue: ISSUE,
  last_issue: '20261122099',
  openTime1: 120,
  whether_close: false,
  draw_in: 0,
  book_root: null,
  version: '1',
}

const ROOM = href('room', { id: '21', game_id: '2', name: GAME.name, title: 'Basic' })
const WATCHED = href('watch', { id: '21', game_id: '2' })

type RoomReply = {
  round?: Partial<RunningRoundOnWire>
  game_status?: number
  money?: string
  /** Staked in the running round of this room. */
  bought?: string
  drawn?: IssueResult | null
  wins?: HitNotice[]
  feed?: FeedMessage[]
}

/** Sends an event of the room's stream. */
let tell: OpenStream<typeof stream>['send']

/** What the room's stream tells as it is opened; a beat tells the same. */
function mockRoom({
  round,
  game_status = 1,
  money = '100.00',
  bought = '0.00',
  drawn = null,
  wins = [],
  feed = [],
}: RoomReply = {}) {
  const event = { game_status, issue: { ...ROUND, ...round }, last_issue: drawn }
  const userQuantity = { money, version: '1', buy: bought, buy_issue: event.issue.issue }
  server().onOpen(stream, (opened) => {
    tell = opened.send
    opened.send('round', event)
    opened.send('money', userQuantity)
    opened.send('feed', feed)
  })
  server().answer(heart, { ...event, user_quantity: userQuantity, hit_notice: wins, message: feed })
}

/** The stream tells no more than the round as it is opened. */
function tellRoundAlone() {
  server().onOpen(stream, (opened) => {
    tell = opened.send
    opened.send('round', { game_status: 1, issue: ROUND, last_issue: null })
  })
}

/** Makes rooms live by beats alone, twenty a second. */
function useBeats() {
  server().refuse(stream, { reason: 'too_many_requests', msg: 'By beats' })
  server().answer(config, { ...CONFIG, heartbeat_ms: 50 })
}

const OWN_BET = {
  ...ANOTHERS_BET,
  id: 502,
  user_id: 7,
  orderNo: 'B502',
  after_quantity: '90.00',
  version: '2',
}

async function openPanel() {
  const { person } = await showApp(ROOM)
  return openedPanel(person)
}

async function openedPanel(person: UserEvent) {
  await person.click(await screen.findByRole('button', { name: 'Buy' }))
  const panel = within(await screen.findByRole('dialog', { name: `Round ${ISSUE}` }))
  await panel.findByRole('button', { name: /^Long [\d.]+$/ })
  const press = (name: string) => person.click(panel.getByRole('button', { name }))
  return { person, panel, press }
}

/** Enters the room, and buys a bet of 5 on long in its panel. */
async function buyBet() {
  const opened = await openPanel()
  await opened.press('Long 2')
  await opened.press('+5 Add to the amount')
  const buy = () =>
    opened.person.click(opened.panel.getByRole('button', { name: /^Buy 1 for 5.00\u00a0u/ }))
  await buy()
  return { ...opened, buy }
}

async function leaveRoom() {
  await leaveFor(href('betHistory'))
  await screen.findByText('No bets on these days')
}

/** The key of each order that was sent. */
const keys = () => server().keysOf(playOrder)

function limitTo(...limits: NonNullable<Parameters<typeof protectionReply>[0]>['limits'] & {}) {
  server().answer(protectionState, protectionReply({ limits }))
}

async function askToFollow(person: UserEvent) {
  await person.click(await screen.findByRole('button', { name: 'Follow bob' }))
  const question = await screen.findByRole('alertdialog', { name: 'Follow this bet?' })
  const dialog = within(question)
  const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: 'Confirm' })
  return { question, dialog, confirm }
}

/** The refusal of an order by a limit of the player's. */
const LIMIT_REACHED = {
  reason: 'limit_reached',
  msg: 'This would exceed a limit',
  data: {
    limit: 'loss',
    period: 'week',
    amount: '250.00',
    left: '7.50',
    begins_at: '1795363200',
  },
} as const

beforeEach(() => {
  mockRoom()
  server().answer(playOrder, OWN_BET)
})

/** Whether the button that buys takes no press; it keeps the focus. */
const isOff = (button: HTMLElement) => button.getAttribute('aria-disabled') === 'true'

it('nothing can be bought before an outcome is chosen and an amount entered', async () => {
  const { panel, press } = await openPanel()
  expect(isOff(panel.getByRole('button', { name: 'Nothing chosen' }))).toBe(true)
  await press('Long 2')
  expect(isOff(panel.getByRole('button', { name: 'Enter an amount' }))).toBe(true)
})

it('before it is bought, a bet shows its selections, its cost and its possible return', async () => {
  mockRoom({ money: '500.00' })
  const rule_base = offers(ODDS.rule_base, '1.92')
  server().answer(oddsList, { ...ODDS, rule_base, rule_num: offers(ODDS.rule_num, '12.5') })
  const { person, panel, press } = await openPanel()
  await press('Long 1.92')
  await press('13 12.5')
  await person.type(panel.getByLabelText('Amount on each outcome'), '100')
  panel.getByText(`Round ${ISSUE}`)
  panel.getByRole('button', { name: 'Long 1.92', pressed: true })
  panel.getByRole('button', { name: '13 12.5', pressed: true })
  // 13 is short, so at most one of the two hits.
  panel.getByRole('button', { name: /^Buy 2 for 200\.00\su.*pays up to 1,250\.00\su/ })
})

it('an amount with two readings is kept as it was typed, and said to be none', async () => {
  const { person, panel, press } = await openPanel()
  await press('Long 2')
  const field = panel.getByLabelText<HTMLInputElement>('Amount on each outcome')
  await person.type(field, '1.000')
  expect(field.value).toBe('1.000')
  const said = 'Please enter an amount with at most two decimals'
  expect(isOff(panel.getByRole('button', { name: said }))).toBe(true)
  await press('Clear the amount')
  expect(field.value).toBe('')
})

it('the amount is on each of the chosen outcomes, and the button says the total', async () => {
  const { person, panel, press } = await openPanel()
  await press('Long 2')
  await press('Odd 2')
  await person.type(panel.getByLabelText('Amount on each outcome'), '2.50')
  await person.click(panel.getByRole('button', { name: /^Buy 2 for 5.00\u00a0u/ }))
  await screen.findByText('Bet placed. Order B502')
  const [request] = server().requestsOf(playOrder)
  expect(request?.input).toMatchObject({
    issue: ISSUE,
    plan_id: 21,
    game_id: 2,
    play_type: [1, 3],
    money: (25n * MICRO) / 10n,
  })
  expect(request?.headers.get('Idempotency-Key')).toMatch(/^[0-9a-f]{32}$/)
})

it('a second renders only the clock of the room, a change of the balance no other part, and one of a limit not the room', async () => {
  mockRoom({ feed: [ANOTHERS_BET] })
  server().answer(orderList, { list: [], total: 0, page: 1 })
  server().answer(protectionState, protectionReply())
  const { person } = await showApp(ROOM)
  await person.click(await screen.findByRole('button', { name: /^Pause the notices/ }))
  const [clock] = await screen.findAllByRole('timer')
  const nextSecond = () => {
    const shown = clock?.textContent
    return waitFor(() => expect(clock?.textContent).not.toBe(shown))
  }
  // By then all answers have come, and the closed panel is laid out for its opening.
  await nextSecond()
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  await waitFor(() => expect(document.querySelector('[data-phase="idle"]')).toBeTruthy())
  await nextSecond()
  expect(await renderedBy(nextSecond)).toEqual(['RoundRing'])

  const byBalance = await renderedBy(async () => {
    tell('money', { money: '90.00', version: '2', buy: '0.00', buy_issue: ISSUE })
    await waitFor(() => expect(screen.getAllByText('90.00')).not.toEqual([]))
  })
  // The room has the state, with a button of its own; the others show or use the balance.
  const readers = [
    'AllInButton',
    'AmountText',
    'Balance',
    'BalanceFact',
    'CountingAmount',
    'TicketFact',
  ]
  // The clock's second may have passed meanwhile.
  const others = byBalance.filter((name) => name !== 'RoundRing')
  expect(others).toEqual([...readers, 'Button', 'OpenRoom', 'Room'].sort())

  limitTo({ kind: 'stake', period: 'day', left: '7.50' })
  const byLimit = await renderedBy(() => act(() => queryClient.refetchQueries(protectionQuery)))
  expect(byLimit).toContain('AllInButton')
  expect(byLimit).not.toContain('Room')
})

it('the last known balance is shown until the present one has come', async () => {
  tellRoundAlone()
  const answerBeat = server().hold(heart)
  await showApp(ROOM)
  const label = await screen.findByText('Balance', { selector: 'main dt' })
  expect(label.nextSibling?.textContent).toBe('100.00\u00a0u')
  act(() => tell('money', { money: '250.00', version: '2', buy: '0.00', buy_issue: ISSUE }))
  await waitFor(() => expect(label.nextSibling?.textContent).toBe('250.00\u00a0u'))
  answerBeat()
})

it.each([26, -26])(
  'a phone whose clock is %i hours wrong counts down to the draw of a round that it never saw open',
  async (hours) => {
    vi.setSystemTime(Date.now() + hours * 3_600_000)
    server().setClockAhead(-hours * 3_600_000)
    mockRoom({ round: { openTime1: 0, whether_close: true, draw_in: 20 } })
    await showApp(ROOM)
    const [clock] = await screen.findAllByRole('timer')
    await waitFor(() => expect(clock?.getAttribute('aria-label')).toMatch(/Draw in 0:\d\d$/))
  },
)

const VOIDED = wireResult({ roundId: ISSUE, digits: null })

it.each([
  ['a player', ROOM, {}],
  ['a stranger', WATCHED, { stranger: true }],
])(
  '%s is told that a round is voided when that happens, and of no draw of it',
  async (_, address, who) => {
    server().answer(orderList, { list: [], total: 0, page: 1 })
    const last_issue = wireResult({ roundId: ROUND.last_issue, digits: [1, 2, 3] })
    mockRoom({ drawn: last_issue })
    await showApp(address, who)
    const [clock] = await screen.findAllByRole('timer')
    await waitFor(() => expect(clock?.getAttribute('aria-label')).toMatch(/left$/))
    const sealed = { openTime1: 0, whether_close: true, draw_in: 20 }
    const issue = { ...ROUND, ...sealed, last_issue: ISSUE, version: '2' }
    act(() => tell('round', { game_status: 1, issue, last_issue: VOIDED }))
    await screen.findByText('Round 100 was voided.')
    expect(clock?.getAttribute('aria-label')).toBe('Voided')
    screen.getByRole('img', { name: 'Voided, stakes refunded' })
    expect(document.body.textContent).not.toMatch(/Draw in|Sealed/)
  },
)

it('whoever enters the room of a voided round that still runs sees no draw coming', async () => {
  mockRoom({
    round: { openTime1: 0, whether_close: true, draw_in: 20, last_issue: ISSUE },
    drawn: VOIDED,
  })
  await showApp(ROOM)
  const [clock] = await screen.findAllByRole('timer')
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  expect(clock?.getAttribute('aria-label')).toBe('Voided')
})

it('a round that never opened is not said to be drawn, and holds back no money', async () => {
  await showApp(ROOM)
  const [clock] = await screen.findAllByRole('timer')
  await waitFor(() => expect(clock?.getAttribute('aria-label')).toMatch(/left$/))
  const last_issue = wireResult({ roundId: ISSUE, digits: [1, 2, 3] })
  const unopened = { openTime1: 0, whether_close: true, last_issue: ISSUE }
  for (const [game_status, issue, version] of [
    [3, '20261122101', '2'],
    [3, '20261122102', '3'],
    [1, '20261122103', '4'],
  ] as const) {
    const round = { ...ROUND, ...unopened, issue, version }
    act(() => tell('round', { game_status, issue: round, last_issue }))
    await screen.findByText(issue)
    expect(clock?.getAttribute('aria-label')).toBe(game_status === 3 ? 'System banned' : 'Sealed')
    screen.getByRole('img', { name: '1, 2, 3: sum 6' })
  }
  act(() => tell('money', { money: '250.00', version: '2', buy: '0.00', buy_issue: ISSUE }))
  const label = screen.getByText('Balance', { selector: 'main dt' })
  await waitFor(() => expect(label.nextSibling?.textContent).toBe('250.00\u00a0u'))
})

it('money that comes during a draw is not held back once the draw is late', async () => {
  const sealed = { openTime1: 0, whether_close: true, draw_in: 20, book_root: 'ab'.repeat(32) }
  mockRoom({ round: sealed })
  await showApp(ROOM)
  // In the panel too, once it is laid out for its opening.
  const labels = () => screen.getAllByText('Balance', { selector: 'dt' })
  await waitFor(() => expect(labels()).toHaveLength(2))
  const shown = () => labels().map((label) => label.nextSibling?.textContent)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const issue = { ...ROUND, issue: '20261122101', version: '2' }
  act(() => tell('round', { game_status: 1, issue, last_issue: null }))
  await expect.poll(() => screen.queryByRole('img', { name: 'Drawing…' })).not.toBe(null)
  act(() => tell('money', { money: '250.00', version: '2', buy: '0.00', buy_issue: issue.issue }))
  await expect.poll(shown).toEqual(['100.00\u00a0u', '250'])
  act(() => void vi.advanceTimersByTime(10_000))
  await expect.poll(shown).toEqual(['250.00\u00a0u', '250'])
})

it('Android’s Back closes the question above the panel, then the panel, and does not leave the room', async () => {
  const watchers: EventTarget[] = []
  class CloseWatcher extends EventTarget {
    constructor() {
      super()
      watchers.push(this)
    }
    destroy() {
      watchers.splice(watchers.indexOf(this), 1)
    }
  }
  vi.stubGlobal('CloseWatcher', CloseWatcher)
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (Linux; Android 14)')
  const goBack = () => act(() => void watchers.at(-1)?.dispatchEvent(new Event('close')))
  const { press } = await openPanel()
  await press('Long 2')
  await press('All in')
  await screen.findByRole('alertdialog', { name: 'Stake all but 1\u00a0u?' })
  goBack()
  await expect.poll(() => screen.queryByRole('alertdialog')).toBeNull()
  expect(screen.getByRole('dialog', { name: `Round ${ISSUE}` })).toBeTruthy()
  goBack()
  await expect.poll(() => screen.queryByRole('dialog', { name: `Round ${ISSUE}` })).toBeNull()
  expect(watchers).toEqual([])
  expect(`${location.pathname}${location.search}`).toBe(ROOM)
  vi.unstubAllGlobals()
})

it('a stop of betting that is planned while the room is shown is said after the next draw, as is its end', async () => {
  await showApp(ROOM)
  await screen.findByRole('button', { name: 'Buy' })
  const text = 'The beacon is mended.'
  const pause = { plan_id: null, begins_at: 1_795_400_000, ends_at: 1_795_403_600, text }
  const drawn = (issue: string, version: string) => {
    const last_issue = wireResult({ roundId: issue, digits: [1, 2, 3] })
    act(() => tell('round', { game_status: 1, issue: { ...ROUND, version }, last_issue }))
  }
  drawn('20261122098', '1')
  server().answer(lobby, { gameList: [{ ...GAME, pauses: [pause] }] })
  drawn('20261122099', '1')
  await screen.findByText(new RegExp(text))
  server().answer(lobby, { gameList: [GAME] })
  drawn('20261122100', '1')
  await expect.poll(() => screen.queryByText(new RegExp(text))).toBeNull()
})

it('the notice line names game and room, and changes every three seconds', async () => {
  vi.useFakeTimers({ now: Date.now(), toFake: ['Date', 'setInterval', 'clearInterval'] })
  // Its names are false, and the app must not show them.
  await showApp(href('room', { id: '21', game_id: '2', name: 'Forged', title: 'Forged' }))
  const line = await screen.findByRole('button', { name: /^Pause the notices/ })
  for (const name of [GAME.name, 'Basic']) expect(line.textContent).toContain(name)
  expect(document.body.textContent).not.toContain('Forged')
  // The line is seen before its effect has begun to count.
  act(() => {})
  for (let change = 0; change < 3; change += 1) {
    const before = line.textContent
    act(() => void vi.advanceTimersByTime(2_999))
    expect(line.textContent).toBe(before)
    act(() => void vi.advanceTimersByTime(1))
    expect(line.textContent).not.toBe(before)
  }
})

it('the plus menu links to everything around a room', async () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
  const usdt = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'
  server().answer(recharge, { money: '5.00', held: '0.00', version: '1', usdt, transfers: [] })
  const { person } = await showApp(ROOM)
  await person.click(await screen.findByRole('button', { name: 'More' }))
  for (const [name, to] of [
    ['Draw results', '/lotteryDetail?game_id=2&name=BCH'],
    ['Draw trend', '/trendChart?game_id=2&name=BCH'],
    ['Product explanation', '/lotteryExplain'],
    ['Bet history', '/BetRecord'],
  ] as const) {
    expect((await screen.findByRole('link', { name })).getAttribute('href')).toBe(to)
  }
  await person.click(screen.getByRole('button', { name: /^Clear cache/ }))
  expect(reload).toHaveBeenCalledOnce()
  await person.click(screen.getByRole('button', { name: 'Deposit' }))
  await screen.findByText('Through support')
  await person.click(screen.getByText('Deposit by yourself'))
  await waitFor(() => expect(`${location.pathname}${location.search}`).toBe('/recharge?group_id=1'))
})

it('the last draw unfolds to the four before it, and the chat is closed', async () => {
  const drawn = [8, 7, 6, 5, 4, 3, 2].map((at) =>
    wireResult({ roundId: `2026112200${at}`, digits: [at, 2, 3] }),
  )
  mockRoom({ drawn: drawn[0] ?? null })
  server().answer(issueList, drawn)
  const { person } = await showApp(ROOM)
  await screen.findByText('Last draw · 008')
  await screen.findByRole('img', { name: '8, 2, 3: sum 13' })
  await person.click(screen.getByRole('button', { name: 'Earlier draws' }))
  const list = within(await screen.findByRole('list', { name: 'Earlier draws' }))
  const earlier = list.getAllByRole('listitem')
  expect(earlier).toHaveLength(4)
  for (const [at, sum] of [12, 11, 10, 9].entries()) {
    within(earlier[at] as HTMLElement).getByRole('img', { name: new RegExp(`sum ${sum}$`) })
    expect(earlier[at]?.textContent).toContain('Short')
    expect(earlier[at]?.textContent).toContain(sum % 2 === 1 ? 'Odd' : 'Even')
  }
  // Each is checked: what is published here is another round.
  bringIntoView()
  await waitFor(() => expect(list.getAllByText('Something does not fit')).toHaveLength(4))
  const chat = screen.getByRole<HTMLInputElement>('textbox', { name: 'Chat' })
  expect([chat.disabled, chat.placeholder]).toEqual([true, 'Chat is closed'])
})

it('odds and amounts in the panel are shown and typed in the language’s format', async () => {
  mockRoom({ money: '5000.00' })
  server().answer(oddsList, { ...ODDS, rule_base: offers(ODDS.rule_base, '1.92') })
  const { person } = await showApp(ROOM, { locale: 'vi' })
  await person.click(await screen.findByRole('button', { name: 'Mua' }))
  const panel = within(await screen.findByRole('dialog'))
  const [pick] = await panel.findAllByRole('button', { name: / 1,92$/ })
  await person.click(pick as HTMLElement)
  const amount = panel.getByRole('textbox')
  await person.type(amount, '1.284,50')
  await panel.findByRole('button', { name: /1\.284,50\su.*2\.466,24\su/ })
  await person.clear(amount)
  await person.type(amount, '1.284')
  await panel.findByRole('button', { name: /1\.284,00\su/ })
})

it('when a beat reports a balance below the amount in the URL, the player is led to the hall', async () => {
  useBeats()
  const report = (money: string, staked: string) => {
    mockRoom({ money, bought: staked })
    server().answer(userInfo, { ...PROFILE, money })
    const none = { count: 1, payout: '0.00', profit: '0.00', refunded: '0.00' }
    server().answer(orderTotals, { ...none, quantity: staked, pending: staked })
  }
  report('100.00', '0.00')
  await showApp(`${ROOM}&requiredMoney=100.00`)
  await screen.findByText('100.00', { selector: 'main *' })
  // Stakes that are not settled count: betting must not send a player away.
  report('40.00', '60.00')
  await screen.findByText('60.00')
  expect(`${location.pathname}${location.search}`).toBe(`${ROOM}&requiredMoney=100.00`)
  report('40.00', '0.00')
  await screen.findByText('Your assets are insufficient, please deposit')
  await waitFor(() => expect(location.pathname).toBe(href('hall')))
})

it('a profile that cannot be loaded in the room is reported in one sentence', async () => {
  useBeats()
  await showApp(ROOM)
  await screen.findByRole('button', { name: 'Buy' })
  server().cutOff(userInfo)
  await screen.findByText('Something went wrong. Please try again.')
})

it('one vibration for a win, whatever the round’s other wins, and none for a loss', async () => {
  useBeats()
  const vibrate = vi.fn()
  Object.defineProperty(navigator, 'vibrate', { configurable: true, value: vibrate })
  winVibration.set('on')
  onTestFinished(() => {
    winVibration.set('off')
    Reflect.deleteProperty(navigator, 'vibrate')
  })
  await showApp(ROOM)
  await screen.findByRole('button', { name: 'Buy' })
  const hit = { game_name: GAME.name, nickname: 'sh**n', profit: '92.00' }
  const wins = [
    { ...hit, id: 1, issue: '20261122001', round_profit: '-8.00' },
    { ...hit, id: 2, issue: '20261122002', round_profit: '150.00' },
    { ...hit, id: 3, issue: '20261122002', round_profit: '150.00' },
  ]
  mockRoom({ wins })
  await waitFor(() => expect(vibrate).toHaveBeenCalledOnce())
  const beats = server().requestsOf(heart).length
  await waitFor(() => expect(server().requestsOf(heart).length).toBeGreaterThan(beats + 1))
  expect(vibrate).toHaveBeenCalledOnce()
})

it('a room that the server refuses to answer says why', async () => {
  server().cutOff(stream)
  await showApp(ROOM)
  await screen.findByRole('button', { name: 'Buy' })
  const msg = 'We are working on the house until noon'
  server().refuse(heart, { reason: 'unavailable', msg, code: 503 })
  await screen.findByText(msg, undefined, { timeout: 20_000 })
})

it('notices that are paused before the first news of the room stay paused', async () => {
  // No time passes for the room: after a second without news it would ask for them.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  const news = { game_status: 1, issue: ROUND, last_issue: null }
  const opened = Promise.withResolvers<() => void>()
  server().onOpen(stream, ({ send }) => opened.resolve(() => send('round', news)))
  const { person } = await showApp(ROOM)
  const notices = () => screen.getByRole('button', { name: /^Pause the notices/ })
  await person.click(await screen.findByRole('button', { name: /^Pause the notices/ }))
  expect(notices().getAttribute('aria-pressed')).toBe('true')
  const tell = await opened.promise
  tell()
  await screen.findByRole('button', { name: 'Buy' })
  expect(notices().getAttribute('aria-pressed')).toBe('true')
})

it('all in asks first, leaves one unit, and buys nothing by itself', async () => {
  const { person, panel, press } = await openPanel()
  await press('Long 2')
  await press('All in')
  const question = within(
    await screen.findByRole('alertdialog', { name: 'Stake all but 1\u00a0u?' }),
  )
  await person.click(question.getByRole('button', { name: 'Set amount' }))
  await panel.findByRole('button', { name: /^Buy 1 for 99.00\u00a0u/ })
  expect(server().requestsOf(playOrder)).toEqual([])
})

it('after an hour of play the figures are shown, and betting continues after a confirmation', async () => {
  server().refuse(playOrder, {
    reason: 'reality_check_due',
    msg: 'Please look at your session summary first',
    data: {
      began_at: '1795348000',
      elapsed_s: '3661',
      staked: '120.00',
      won: '90.50',
      net: '-29.50',
      running: '20.00',
    },
  })
  server().answer(acknowledgeCheck, { was_due: true })
  const { person } = await buyBet()
  const check = within(
    await screen.findByRole('alertdialog', { name: 'Time for a look at your play' }),
  )
  expect(check.getByText('61 minutes')).toBeTruthy()
  // A stake that waits for its draw is no loss.
  expect(check.getByText('Pending').closest('div')?.textContent).toContain('20.00')
  expect(check.getByText('Result').closest('div')?.textContent).toMatch(/\D9\.50/)
  await person.click(check.getByRole('button', { name: 'Go on' }))
  await expect.poll(() => server().requestsOf(acknowledgeCheck)).toHaveLength(1)
  await expect.poll(() => screen.queryByRole('alertdialog')).toBeNull()
})

it('an order that a limit stops shows the limit, the rest, and when its next period begins', async () => {
  server().refuse(playOrder, LIMIT_REACHED)
  await buyBet()
  const alert = await screen.findByRole('alertdialog', { name: 'Your limit stops this bet' })
  for (const words of ['Weekly loss limit', '250.00', '7.50', 'Mon, Nov 23']) {
    expect(alert.textContent).toContain(words)
  }
})

it('an order during a break that began elsewhere says until when', async () => {
  server().refuse(playOrder, {
    reason: 'excluded',
    msg: 'Your account is on a break',
    data: { until: '1795363200' },
  })
  await buyBet()
  const alert = await screen.findByRole('alertdialog', { name: 'You are on a break' })
  expect(alert.textContent).toContain('closed until Nov 23, 2026, 00:00')
})

/** The break that the page knows of: its answer comes some time after the request. */
const exclusionShown = () => queryClient.getQueryData(protectionQuery.queryKey)?.exclusion

it('during a break that begins meanwhile neither the panel opens nor a bet is followed, until it ends', async () => {
  mockRoom({ feed: [ANOTHERS_BET] })
  const { person } = await showApp(ROOM)
  await screen.findByRole('button', { name: 'Buy' })
  await expect.poll(exclusionShown).toBe(null)
  const exclusion = { kind: 'time_out', until: 1_795_363_200, may_ask_from: null } as const
  server().answer(protectionState, protectionReply({ exclusion }))
  await act(() => queryClient.refetchQueries(protectionQuery))
  for (const name of ['Buy', 'Follow bob']) {
    await person.click(await screen.findByRole('button', { name }))
    const alert = within(await screen.findByRole('alertdialog', { name: 'You are on a break' }))
    await person.click(alert.getByRole('button', { name: 'OK' }))
    await expect.poll(() => screen.queryByRole('alertdialog')).toBeNull()
  }
  expect(screen.queryByRole('dialog', { name: `Round ${ISSUE}` })).toBe(null)
  server().answer(protectionState, protectionReply())
  await act(() => queryClient.refetchQueries(protectionQuery))
  await openedPanel(person)
})

it('a break that ends while the room is shown no longer stops a bet', async () => {
  const until = wireTime(Date.now()) + 1
  server().answer(protectionState, () =>
    protectionReply({
      exclusion:
        wireTime(Date.now()) < until ? { kind: 'time_out', until, may_ask_from: null } : null,
    }),
  )
  await showApp(ROOM)
  await screen.findByRole('button', { name: 'Buy' })
  await expect.poll(exclusionShown).toMatchObject({ kind: 'timeOut' })
  vi.setSystemTime(until * 1_000)
  await expect.poll(exclusionShown).toBe(null)
})

it('the rest of the tightest limit is in the panel and beside a bet to follow', async () => {
  mockRoom({ feed: [ANOTHERS_BET] })
  limitTo(
    { kind: 'stake', period: 'month', left: '900.00' },
    { kind: 'loss', period: 'day', left: '12.50' },
    { kind: 'deposit', period: 'day', left: '1.00' },
  )
  const { person, panel } = await openPanel()
  await panel.findByText('Daily loss limit: 12.50 u left')
  await person.keyboard('{Escape}')
  const { question } = await askToFollow(person)
  expect(question.textContent).toContain('Daily loss limit: 12.50\u00a0u left')
})

it('a bet that would pass a limit of the player’s is not for sale, and the button says what is left', async () => {
  mockRoom({ feed: [ANOTHERS_BET] })
  limitTo({ kind: 'stake', period: 'day', left: '7.50' })
  const { person, panel, press } = await openPanel()
  await panel.findByText('Daily stake limit: 7.50 u left')
  await press('Long 2')
  await press('+5 Add to the amount')
  panel.getByRole('button', { name: /^Buy 1 for 5.00\u00a0u/ })
  await press('+5 Add to the amount')
  expect(isOff(panel.getByRole('button', { name: 'Limit: 7.50\u00a0u left' }))).toBe(true)
  await press('All in')
  const question = await screen.findByRole('alertdialog', {
    name: 'Stake all that your limit leaves?',
  })
  expect(question.textContent).toContain('7.50\u00a0u')
  await person.keyboard('{Escape}')
  await expect.poll(() => screen.queryByRole('alertdialog')).toBeNull()
  await person.keyboard('{Escape}')
  const { dialog, confirm } = await askToFollow(person)
  await dialog.findByText('Limit: 7.50 u left')
  expect(confirm.disabled).toBe(true)
  server().answer(protectionState, protectionReply())
  await act(() => queryClient.refetchQueries(protectionQuery))
  await waitFor(() => expect(confirm.disabled).toBe(false))
})

it('the time and the result of the session stay visible', async () => {
  const began = wireTime(Date.now() - 65 * 60_000 - 30_000)
  server().answer(
    protectionState,
    protectionReply({
      session: { began_at: began, staked: '50.00', won: '20.50', net: '-29.50', check_at: began },
    }),
  )
  await showApp(ROOM)
  const time = await screen.findByText(/1h 5m/)
  expect(time.closest('dl')?.textContent).toContain('−29.50')
})

it.each([
  ['round_sealed', 'This round takes no more bets'],
  ['insufficient_balance', 'Your balance is too low'],
  ['below_minimum', 'An order is at least 5 u'],
  ['limit_reached', 'You have reached your own limit'],
] as const)(
  'a bet that is refused with %s says why, and what was chosen stays',
  async (reason, msg) => {
    server().refuse(playOrder, { reason, msg })
    const { panel } = await buyBet()
    await screen.findByText(msg)
    expect(panel.getByLabelText<HTMLInputElement>('Amount on each outcome').value).toBe('5')
  },
)

it('a bet at changed odds is refused, and is accepted at the newly shown odds', async () => {
  server().refuse(playOrder, { reason: 'odds_changed', msg: 'The odds have changed' })
  const answer = server().hold(playOrder)
  const { panel, buy } = await buyBet()
  const rule_base = offers(ODDS.rule_base, '1.8')
  server().answer(oddsList, { ...ODDS, rule_base, rules_version: 2 })
  answer()
  await screen.findByText('The odds have changed')
  await panel.findByRole('button', { name: /^Long 1.8/ })
  server().answer(playOrder, OWN_BET)
  await buy()
  await screen.findByText('Bet placed. Order B502')
  expect(server().inputsOf(playOrder)).toMatchObject([{ rules_version: 1 }, { rules_version: 2 }])
})

it('a bet without an answer stays as a notice until its answer is there, and is asked for with its own key', async () => {
  server().cutOff(playOrder)
  const { person } = await buyBet()
  await screen.findByText(/^Round 100: no answer came to your bet of 5.00 u/)
  // Nothing else is placed meanwhile.
  await person.click(await screen.findByRole('button', { name: 'Buy' }))
  const waits = await screen.findByRole('button', { name: 'An earlier bet has no answer yet' })
  expect(isOff(waits)).toBe(true)
  await person.keyboard('{Escape}')
  // A refusal that does not judge the order leaves it open.
  server().refuse(playOrder, { reason: 'too_many_requests', msg: 'Slower', code: 429 })
  await person.click(await screen.findByRole('button', { name: 'Send again' }))
  await expect.poll(() => keys()).toHaveLength(2)
  await screen.findByText('Slower')
  await screen.findByText(/^Round 100: no answer came/)
  server().answer(playOrder, OWN_BET)
  await person.click(await screen.findByRole('button', { name: 'Send again' }))
  await screen.findByText('Bet placed. Order B502')
  expect(screen.queryByText(/no answer came/)).toBeNull()
  expect(new Set(keys()).size).toBe(1)
})

it('a bet without an answer is asked for again after the page was loaded again, in its own round', async () => {
  const order = { gameId: 2, roomId: 21, roundId: '20261122099', ruleIds: [1], followedId: null }
  keepUnanswered('7', { order: { ...order, stake: 5n * MICRO }, key: 'a'.repeat(32) })
  server().refuse(playOrder, { reason: 'round_wrong', msg: 'That round is over' })
  const { person } = await showApp(ROOM)
  await screen.findByText(/^Round 099: no answer came to your bet of 5.00 u/)
  await person.click(screen.getByRole('button', { name: 'Send again' }))
  await screen.findByText(
    'Round 099: your bet was not placed, and nothing was charged. That round is over',
  )
  expect(screen.queryByText(/no answer came/)).toBeNull()
  expect(server().requestsOf(playOrder)[0]?.input.issue).toBe('20261122099')
})

it('an order without an answer is kept as it was sent, for its player alone, until it is answered', () => {
  const order = { gameId: 4, roomId: 42, roundId: ISSUE, ruleIds: [1, 413], followedId: null }
  const attempt = { order: { ...order, stake: 100_000_000n, rulesVersion: 3 }, key: 'key-1' }
  keepUnanswered('7', attempt)
  expect(keptUnanswered('7')).toEqual(attempt)
  expect(keptUnanswered('8')).toBeNull()
  expect(keptUnanswered(undefined)).toBeNull()
  forgetUnanswered('7', 'key-2')
  forgetUnanswered('8', 'key-1')
  keepUnanswered('8', { ...attempt, key: 'key-3' })
  forgetUnanswered('8', 'key-3')
  expect(keptUnanswered('7')).toEqual(attempt)
  forgetUnanswered('7', 'key-1')
  expect(keptUnanswered('7')).toBeNull()
})

it('an order that is under way is the only one, also when its player leaves the room and enters it again', async () => {
  const answer = server().hold(playOrder)
  const { person } = await buyBet()
  await expect.poll(() => keys()[0]).toBeTruthy()
  // It is known by its key before it is answered, also to a page that is loaded anew.
  expect(keptUnanswered('7')?.key).toBe(keys()[0])
  await person.keyboard('{Escape}')
  await leaveRoom()
  await leaveFor(ROOM)
  const again = await openedPanel(person)
  await again.press('Long 2')
  await again.press('+5 Add to the amount')
  const buy = again.panel.getByRole('button', { name: /^Buy 1 for 5.00\u00a0u/ })
  expect(buy.getAttribute('aria-busy')).toBe('true')
  await person.click(buy)
  answer()
  await screen.findByText('Bet placed. Order B502')
  await expect.poll(() => buy.getAttribute('aria-busy')).toBe(null)
  // On a slow machine the client may have tried again: with the same key.
  expect(new Set(keys()).size).toBe(1)
  expect(keptUnanswered('7')).toBeNull()
})

it('a bet that is chosen while another is under way is not shown as sent, and stays', async () => {
  mockRoom({ feed: [ANOTHERS_BET] })
  const answer = server().hold(playOrder)
  const { person, panel, press } = await buyBet()
  const bought = panel.getByRole('button', { name: /^Buy 1 for/ })
  await expect.poll(() => bought.getAttribute('aria-busy')).toBe('true')
  await press('Odd 2')
  await press('+10 Add to the amount')
  const waits = 'An earlier bet has no answer yet'
  expect(isOff(panel.getByRole('button', { name: waits }))).toBe(true)
  await person.keyboard('{Escape}')
  const { dialog, confirm } = await askToFollow(person)
  expect([confirm.disabled, confirm.getAttribute('aria-busy')]).toEqual([true, null])
  answer()
  await screen.findByText('Bet placed. Order B502')
  await expect.poll(() => confirm.disabled).toBe(false)
  await person.click(dialog.getByRole('button', { name: 'Cancel' }))
  const again = await openedPanel(person)
  again.panel.getByRole('button', { name: /^Buy 2 for 20.00/ })
  expect(server().requestsOf(playOrder)).toHaveLength(1)
})

it.each([
  ['stops it in the room that he has entered again', ROOM, 'Your limit stops this bet'],
  [
    'is said where no room is shown',
    href('betHistory'),
    'Round 100: your bet was not placed, and nothing was charged. This would exceed a limit',
  ],
])('a limit that stops a bet after its player has left the room %s', async (_, next, words) => {
  const answer = server().hold(playOrder)
  server().refuse(playOrder, LIMIT_REACHED)
  await buyBet()
  await expect.poll(() => keys()[0]).toBeTruthy()
  await leaveRoom()
  await leaveFor(next)
  if (next === ROOM) await screen.findByRole('button', { name: 'Buy' })
  answer()
  await screen.findByText(words)
})

it('a bet that gets no answer after its player has left for where no room is shown is said there', async () => {
  server().cutOff(playOrder)
  const answer = server().hold(playOrder)
  await buyBet()
  await expect.poll(() => keys()[0]).toBeTruthy()
  await leaveRoom()
  answer()
  await screen.findByText(/^Round 100: no answer came to your bet of 5.00 u/)
  expect(keptUnanswered('7')?.key).toBe(keys()[0])
})

it('after the player’s own event of an order the history, its totals and the statement are fetched anew', async () => {
  const { person } = await showApp(href('betHistory'))
  await screen.findByText('No bets on these days')
  // The clock stands still: nothing that was fetched becomes old by itself.
  // The room itself asks for the bets of its rounds, from yesterday on.
  const ofHistory = () =>
    server()
      .inputsOf(orderList)
      .filter((input) => input.begin_date === input.end_date)
  const counts = () => [
    ofHistory().length,
    ...[orderTotals, quantityLogList].map((list) => server().requestsOf(list).length),
  ]
  await leaveFor(href('statement'))
  await screen.findByText('No transactions on these days')
  await leaveRoom()
  const [bets = 0, totals = 0, movements = 0] = counts()

  await leaveFor(ROOM)
  const { panel, press } = await openedPanel(person)
  await press('Long 2')
  await press('+5 Add to the amount')
  await person.click(panel.getByRole('button', { name: /^Buy 1 for 5.00\u00a0u/ }))
  await screen.findByText('Bet placed. Order B502')
  const own = { ...OWN, money: '85.00', version: '3', bets: 'placed' }
  server().onOpen(gamesStream, ({ send }) => send('own', own))
  act(() => tell('own', own))
  await screen.findByText('85.00')
  await leaveFor(href('betHistory'))
  await waitFor(() => expect(counts()).toEqual([bets + 1, totals + 1, movements]))
  await leaveFor(href('statement'))
  await waitFor(() => expect(counts()).toEqual([bets + 1, totals + 1, movements + 1]))
})

it('the panel says how much all bets of a round pay at most', async () => {
  server().answer(oddsList, { ...ODDS, payout_max: '250000.00' })
  const { panel } = await openPanel()
  panel.getByText('All your bets of one round together pay 250,000.00 u at most.')
})

it('a room without bets says so, and its feed can be fetched again', async () => {
  // No time passes for the room: a silent stream would fetch the feed as well.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  const { person } = await showApp(ROOM)
  const feed = within(await screen.findByRole('region', { name: 'Bets in this room' }))
  const beats = server().requestsOf(heart).length
  mockRoom({ feed: [ANOTHERS_BET] })
  await person.click(feed.getByRole('button', { name: 'Load again' }))
  await screen.findByRole('button', { name: 'Follow bob' })
  expect(server().requestsOf(heart)).toHaveLength(beats + 1)
})

it('the panel shows that odds could not be loaded, and they can be fetched again', async () => {
  server().refuse(oddsList, { reason: 'unavailable', msg: 'Please try later', code: 503 })
  const { person } = await showApp(ROOM)
  await person.click(await screen.findByRole('button', { name: 'Buy' }))
  await screen.findByText('Please try later')
  server().answer(oddsList, ODDS)
  await person.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByRole('button', { name: 'Long 2' })
})

it.each([
  [
    'a sealed round',
    { round: { whether_close: true, openTime1: 0 } },
    'Already sealed',
    'While the game is open, the next one',
  ],
  ['a game outside its hours', { game_status: 0 }, 'Already closed', 'The game is open'],
  ['a room that was stopped', { game_status: 2 }, 'Product discontinued', 'This room takes no'],
  ['stopped games', { game_status: 3 }, 'System banned', 'All games are paused'],
] as const)('%s opens no panel, and the alert says why', async (_, reply, title, words) => {
  mockRoom(reply)
  const { person } = await showApp(ROOM)
  await person.click(await screen.findByRole('button', { name: 'Buy' }))
  const alert = await screen.findByRole('alertdialog', { name: title })
  expect(alert.textContent).toContain(words)
})

it('no bet is followed while the odds are not known', async () => {
  mockRoom({ feed: [ANOTHERS_BET] })
  server().refuse(oddsList, { reason: 'too_many_requests', msg: 'Try later' })
  const { person } = await showApp(ROOM)
  const { dialog, confirm } = await askToFollow(person)
  await dialog.findByText('Try later')
  expect(confirm.disabled).toBe(true)
  server().answer(oddsList, ODDS)
  await person.click(dialog.getByRole('button', { name: 'Try again' }))
  await expect.poll(() => confirm.disabled).toBe(false)
  await person.click(confirm)
  await screen.findByText('Bet placed. Order B502')
  expect(server().requestsOf(playOrder)[0]?.input.rules_version).toBe(1)
})

it('a bet is followed after a dialog with its player, round, outcomes and amount, which may be another one', async () => {
  mockRoom({ feed: [ANOTHERS_BET] })
  const { person } = await showApp(ROOM)
  const { question, dialog, confirm } = await askToFollow(person)
  for (const words of ['bob', ISSUE, 'Long', '10.00']) expect(question.textContent).toContain(words)
  const amount = await dialog.findByLabelText<HTMLInputElement>('Amount on each outcome')
  expect(amount.value).toBe('10')
  await person.clear(amount)
  await person.type(amount, '0.40')
  await dialog.findByText('0.60 u short of the minimum')
  expect(confirm.disabled).toBe(true)
  await person.clear(amount)
  await person.type(amount, '2.50')
  await person.click(confirm)
  await expect.poll(() => server().requestsOf(playOrder)).toHaveLength(1)
  expect(server().requestsOf(playOrder)[0]?.input).toMatchObject({
    money: (25n * MICRO) / 10n,
    follow_id: ANOTHERS_BET.id,
    play_type: [1],
  })
})

it('the feed lists people and robots, or either of them', async () => {
  mockRoom({ feed: [ANOTHERS_BET, { ...ANOTHERS_BET, id: 502, nickname: 'bot', robot: true }] })
  const { person } = await showApp(ROOM)
  const kind = await screen.findByLabelText('Whose bets are shown')
  const shown = () =>
    screen
      .queryAllByRole('button', { name: /^Follow b/ })
      .map((row) => row.getAttribute('aria-label'))
  expect(shown()).toEqual(['Follow bob', 'Follow bot'])
  await person.selectOptions(kind, 'People')
  expect(shown()).toEqual(['Follow bob'])
  await person.selectOptions(kind, 'Robots')
  expect(shown()).toEqual(['Follow bot'])
})

it('a kind without bets is not an empty table', async () => {
  mockRoom({ feed: [ANOTHERS_BET] })
  const { person } = await showApp(ROOM)
  await person.selectOptions(await screen.findByLabelText('Whose bets are shown'), 'Robots')
  await screen.findByText('No bets of this kind yet')
})

it('a name in the feed opens what is public of the player: person or robot, and the sums of the day', async () => {
  mockRoom({ feed: [ANOTHERS_BET, { ...ANOTHERS_BET, id: 502, nickname: 'bot', robot: true }] })
  server().answer(feedPlayer, ({ input: { feed_id } }) => ({
    count: feed_id === 502 ? 2 : 1,
    quantity: '30.00',
    payout: '19.20',
    pending: '10.00',
  }))
  const { person } = await showApp(ROOM)
  await person.click(await screen.findByRole('button', { name: 'bot' }))
  const robot = await screen.findByRole('dialog', { name: 'bot' })
  await within(robot).findByText('Paid out')
  for (const words of ['A robot of the house', 'Bets2', 'Staked30.00', 'Pending10.00']) {
    expect(robot.textContent?.replaceAll(/\s/g, ' ')).toContain(words)
  }
  await person.click(within(robot).getByRole('button', { name: 'Close' }))
  await person.click(await screen.findByRole('button', { name: 'bob' }))
  const bob = await screen.findByRole('dialog', { name: 'bob' })
  await within(bob).findByText('A person')
  expect(server().inputsOf(feedPlayer)).toMatchObject([
    { plan_id: 21, game_id: 2, feed_id: 502 },
    { plan_id: 21, game_id: 2, feed_id: ANOTHERS_BET.id },
  ])
})

it('a stranger watches a room live, asks for nothing of a player’s, and logs in to its game', async () => {
  mockRoom({ feed: [ANOTHERS_BET] })
  server().answer(login, { userinfo: USERINFO })
  const { person } = await showApp(WATCHED, { stranger: true })
  await screen.findByText('You are watching this room')
  await screen.findByRole('rowheader', { name: /^bob/ })
  act(() => tell('feed', [{ ...ANOTHERS_BET, id: 777, nickname: 'cat' }]))
  await screen.findByRole('rowheader', { name: /^cat/ })
  const last_issue = wireResult({ roundId: '20261122099', digits: [1, 2, 3] })
  act(() => tell('round', { game_status: 1, issue: ROUND, last_issue }))
  await screen.findByText(/^Round \d+: \d \d \d = \d+\.$/)
  for (const name of [/^Follow/, 'Buy', 'bob']) {
    expect(screen.queryByRole('button', { name })).toBe(null)
  }
  for (const route of [heart, userInfo, protectionState, oddsList]) {
    expect(server().requestsOf(route)).toEqual([])
  }
  await person.click(screen.getByRole('link', { name: 'Log in to bet' }))
  await screen.findByRole('button', { name: 'Log in' })
  await fillIn(person, { 'Username or email': 'ann', Password: 'a long password' })
  await person.click(screen.getByRole('button', { name: 'Log in' }))
  await expect
    .poll(() => `${location.pathname}${location.search}`)
    .toBe(href('hall', { game: '2' }))
})

it('a room that is watched without a stream has its round from what is public, and no false empty feed', async () => {
  server().refuse(stream, { reason: 'too_many_requests', msg: 'Later' })
  await showApp(WATCHED, { stranger: true })
  await screen.findByText('You are watching this room')
  await screen.findByText(ISSUE)
  expect(server().requestsOf(lobby).length).toBeGreaterThan(0)
  expect(server().requestsOf(issueList).length).toBeGreaterThan(0)
  expect(server().requestsOf(heart)).toEqual([])
  expect(screen.queryByText('No bets here yet')).toBe(null)
})

it('a room says that it has no bets only once its feed has come', async () => {
  tellRoundAlone()
  await showApp(ROOM)
  await screen.findByRole('button', { name: 'Buy' })
  expect(screen.queryByText('No bets here yet')).toBe(null)
  act(() => tell('feed', []))
  await screen.findByText('No bets here yet')
})

it('a bet that cannot be placed says why on its button, and one that always loses says so', async () => {
  const half = offers(ODDS.rule_base, '1.92')
  server().answer(oddsList, { ...ODDS, rule_base: half })
  const { person, panel, press } = await openPanel()
  await press('Long 1.92')
  await panel.findByText('1 chosen · chance 50%')
  await person.type(panel.getByLabelText('Amount on each outcome'), '100.50')
  const reason = '0.50\u00a0u more than your balance'
  expect(isOff(panel.getByRole('button', { name: reason }))).toBe(true)
  await press('½ Half of the amount')
  await panel.findByRole('button', { name: /^Buy 1 for 50.25\u00a0u/ })
  // Of a region that comes with its text, a screen reader says nothing.
  const regions = panel.getAllByRole('status')
  await press('Short 1.92')
  const loses = 'Always loses: returns less than it costs'
  await panel.findByText(loses, { selector: 'p' })
  expect(regions.some(({ textContent }) => textContent === loses)).toBe(true)
})

function offers(list: typeof ODDS.rule_base, odds: string): typeof ODDS.rule_base {
  return list.map((offer) => ({ ...offer, odds }))
}
