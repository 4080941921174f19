import { fairnessRound } from '@sum28/contract/fairness-routes.ts'
import type { BetRecord } from '@sum28/contract/replies.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { gamesStream } from '@sum28/contract/stream.ts'
import { orderInfo, orderList, orderTotals } from '@sum28/contract/user-routes.ts'
import { bringIntoView, waitingForView } from '@sum28/ui/testing/browser.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { PAGE_SIZE } from '#src/data/list-page.ts'
import { queryClient } from '#src/data/query-client.ts'
import { href } from '#src/navigation/routes.ts'
import type { OpenStream } from '#src/testing/contract-mock.ts'
import { sampleOf } from '#src/testing/sample-of.ts'
import { goOffline, leaveFor, showApp, useMockServer } from '#src/testing/show-app.tsx'
import { OWN } from '#src/testing/usual-replies.ts'

const server = useMockServer()

const BET: BetRecord = {
  orderNo: 'B1',
  createtime: 1_795_000_000,
  game_id: 2,
  name: 'BCH',
  plan_name: 'Basic',
  status: 0,
  whether_hit: 0,
  profit: '0.00',
  issue: '20261122100',
  quantity: '12.00',
  lottery_code: '',
  play_method: 'long',
  play_type: '[1]',
  witnessed: null,
}

const bets = (count: number, from = 0): BetRecord[] =>
  Array.from({ length: count }, (_, at) => ({ ...BET, orderNo: `B${from + at}` }))

it('the receipt of a bet whose round was voided does not claim a draw', async () => {
  const sample = sampleOf(orderInfo.reply) as ReplyOf<typeof orderInfo>
  server().answer(orderInfo, { ...sample, ...BET, status: 2, settled_at: 1_795_000_100 })
  await showApp(href('bet', { item: '{"orderNo":"B1"}' }))
  await screen.findByText(/whether this bet stood in the list before the draw/)
})

it('the receipt of a bet, which is made to be shown to others, has no balance of its player', async () => {
  const sample = sampleOf(orderInfo.reply) as ReplyOf<typeof orderInfo>
  server().answer(orderInfo, { ...sample, ...BET, before: '128.00', after: '116.00' })
  const { person } = await showApp(href('bet', { item: '{"orderNo":"B1"}' }))
  vi.stubGlobal('isSecureContext', true)
  const writes = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await person.click(await screen.findByRole('button', { name: 'Copy' }))
  await screen.findByText('Copied')
  const [[copied] = ['']] = writes.mock.calls
  expect(JSON.parse(copied)).toMatchObject({ orderNo: 'B1', proof: sample.proof })
  expect(copied).not.toMatch(/128\.00|116\.00/)
  vi.unstubAllGlobals()
  writes.mockRestore()
})

const rows = () => screen.findAllByText('BCH · Basic')

it('a bet shows game, room, outcomes and stake, and links to its own page', async () => {
  server().answer(orderList, { list: [BET], total: 1, page: 1 })
  await showApp(href('betHistory'))
  const row = await screen.findByRole('link', { name: /BCH · Basic/ })
  expect(row.textContent).toContain('12.00')
  expect(within(row).getByText('Long')).toBeTruthy()
  expect(row.getAttribute('href')).toBe(href('bet', { item: '{"orderNo":"B1"}' }))
})

it('the list has no text while it is loading', async () => {
  const letGo = server().hold(orderList)
  server().answer(orderList, { list: [BET], total: 1, page: 1 })
  await showApp(href('betHistory'))
  await waitFor(() => expect(server().requestsOf(orderList)).toHaveLength(1))
  expect(screen.queryByText('No bets on these days')).toBe(null)
  expect(screen.queryByText('BCH · Basic')).toBe(null)
  letGo()
  await rows()
})

it('without bets it says none yet, and can be loaded again', async () => {
  const { person } = await showApp(href('betHistory'))
  await screen.findByText('None yet')
  server().answer(orderList, { list: [BET], total: 1, page: 1 })
  await person.click(screen.getByRole('button', { name: 'Load again' }))
  await rows()
})

it('a list that was empty is not said to be empty while it is asked for again', async () => {
  await showApp(href('betHistory'))
  await screen.findByText('No bets on these days')
  await leaveFor(href('home'))
  await screen.findByRole('navigation', { name: 'Main screens' })
  const letGo = server().hold(orderList)
  server().answer(orderList, { list: [BET], total: 1, page: 1 })
  const asked = server().requestsOf(orderList).length
  // As after the player's own event of a bet.
  await queryClient.invalidateQueries({ queryKey: ['bets'] })
  await leaveFor(href('betHistory'))
  await waitFor(() => expect(server().requestsOf(orderList).length).toBeGreaterThan(asked))
  expect(screen.queryByText('No bets on these days')).toBe(null)
  letGo()
  await rows()
})

it('a list that was empty and cannot be loaded again shows the reason', async () => {
  const { person } = await showApp(href('betHistory'))
  await screen.findByText('No bets on these days')
  server().refuse(orderList, { reason: 'unavailable', msg: 'Please try again later', code: 503 })
  await person.click(screen.getByRole('button', { name: 'Load again' }))
  await screen.findByText('Please try again later')
  expect(screen.queryByText('No bets on these days')).toBe(null)
})

it('an error shows its reason and a button to try again', async () => {
  server().refuse(orderList, { reason: 'unavailable', msg: 'Please try again later', code: 503 })
  const { person } = await showApp(href('betHistory'))
  await screen.findByText('Please try again later')
  server().answer(orderList, { list: [BET], total: 1, page: 1 })
  await person.click(screen.getByRole('button', { name: 'Try again' }))
  await rows()
})

/** A short page in place of a whole one: only the total shows whether another page follows. */
const page = (number: number) => ({
  list: number === 1 ? bets(2) : bets(1, 2),
  total: PAGE_SIZE + 1,
  page: number,
})

it('the next page is fetched before the end is reached, and follows the first', async () => {
  server().answer(orderList, ({ input }) => page(input.page ?? 1))
  await showApp(href('betHistory'))
  expect(await rows()).toHaveLength(2)
  await waitFor(() => expect(waitingForView()).toBe(1))
  bringIntoView()
  await screen.findByText('3 entries')
  expect(await rows()).toHaveLength(3)
})

it('a settled bet is shown when an own event of the player says so, and nothing is asked before', async () => {
  const { promise: opening, resolve } = Promise.withResolvers<OpenStream<typeof gamesStream>>()
  server().onOpen(gamesStream, resolve)
  server().answer(orderList, { list: [BET], total: 1, page: 1 })
  await showApp(href('betHistory'))
  const { send } = await opening
  await screen.findByText('----')
  act(() => send('own', OWN))
  const asked = () => server().requestsOf(orderList).length
  await expect.poll(asked).toBeGreaterThan(1)
  await expect.poll(() => queryClient.isFetching()).toBe(0)
  const before = asked()
  const settled: BetRecord = { ...BET, status: 1, whether_hit: 1, profit: '11.00' }
  server().answer(orderList, { list: [settled], total: 1, page: 1 })
  // What comes twice, or is about something else, asks for nothing.
  act(() => send('own', OWN))
  act(() => send('own', { ...OWN, messages: 'another' }))
  act(() => send('own', { ...OWN, messages: 'another', bets: 'settled' }))
  await expect.poll(() => screen.queryByText('----')).toBe(null)
  expect(asked()).toBe(before + 1)
})

it('a page that fails leaves the pages before it, and can be fetched again', async () => {
  server().answer(orderList, ({ input }) => page(input.page ?? 1))
  const { person } = await showApp(href('betHistory'))
  expect(await rows()).toHaveLength(2)
  await waitFor(() => expect(waitingForView()).toBe(1))
  server().refuse(orderList, { reason: 'unavailable', msg: 'Please try again later', code: 503 })
  bringIntoView()
  await screen.findByText('Please try again later')
  expect(await rows()).toHaveLength(2)
  server().answer(orderList, ({ input }) => page(input.page ?? 1))
  await person.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText('3 entries')
})

it('offline the received data stays, with the time at which it was received', async () => {
  server().answer(orderList, { list: [BET], total: 1, page: 1 })
  const { person } = await showApp(href('betHistory'))
  await rows()
  vi.setSystemTime(Date.now() + 60_000)
  goOffline(server())
  await screen.findByText(/^You are offline\. What you see is as of \d\d:\d\d\.$/)
  await person.click(screen.getByRole('radio', { name: 'All' }))
  await rows()
})

const DRAWN = { ...BET, status: 1, whether_hit: 1, lottery_code: '9 8 7 24' }

it('each bet says how it ended, and opens', async () => {
  const records = [
    // Whatever the record of a bet says whose round is not drawn.
    { ...BET, whether_hit: 1, profit: '5.00' },
    { ...DRAWN, profit: '12345.678912' },
    { ...DRAWN, profit: '0.00' },
    { ...DRAWN, profit: '-8.00' },
    { ...DRAWN, whether_hit: 0, profit: '-200.00' },
    { ...BET, status: 2 },
  ]
  const list = records.map((record, at) => ({ ...record, orderNo: `B${at}` }))
  server().answer(orderList, { list, total: list.length, page: 1 })
  server().refuse(orderInfo, { reason: 'fault', msg: 'Not today' })
  const { person } = await showApp(href('betHistory'))
  const links = await screen.findAllByRole('link', { name: /BCH · Basic/ })
  const says = ['Pending ----', '+12,345.67', '0.00', '−8.00', 'Not profitable', 'Refunded']
  expect(links.map((link) => link.textContent)).toEqual(
    says.map((words) => expect.stringContaining(words)),
  )
  const isGain = (link: HTMLElement) =>
    link.querySelector('.ink-in, .quiet.medium')?.matches('.ink-in') ?? null
  expect(links.map(isGain)).toEqual([null, true, false, false, false, null])
  const draws = links.map((link) => within(link).queryByRole('img', { name: '9, 8, 7: sum 24' }))
  expect(draws.map(Boolean)).toEqual([false, true, true, true, true, false])
  expect(links[0]?.textContent).not.toContain('5.00')
  expect(links[4]?.textContent).not.toContain('200.00')
  await person.click(links[1] as HTMLElement)
  await screen.findByText('Not today')
  const item = new URLSearchParams(location.search).get('item') ?? ''
  expect(JSON.parse(item)).toEqual({ orderNo: 'B1' })
})

it.each([
  ['the history of bets', href('betHistory')],
  ['the page of a bet', href('bet', { item: '{"orderNo":"B1"}' })],
])('in %s a draw is checked once it is in view', async (_, address) => {
  const sample = sampleOf(orderInfo.reply) as ReplyOf<typeof orderInfo>
  server().answer(orderInfo, { ...sample, ...DRAWN })
  server().answer(orderList, { list: [DRAWN], total: 1, page: 1 })
  // What is published is another round.
  server().answer(fairnessRound, sampleOf(fairnessRound.reply) as ReplyOf<typeof fairnessRound>)
  await showApp(address)
  await screen.findByRole('img', { name: '9, 8, 7: sum 24' })
  expect(server().requestsOf(fairnessRound)).toEqual([])
  bringIntoView()
  await screen.findByText('Something does not fit')
  expect(server().inputsOf(fairnessRound)).toEqual([{ game_id: 2, issue: DRAWN.issue }])
})

it('a bet whose draw comes while its page is shown says what it won only after the tiles have turned', async () => {
  const { promise: opening, resolve } = Promise.withResolvers<OpenStream<typeof gamesStream>>()
  server().onOpen(gamesStream, resolve)
  const sample = sampleOf(orderInfo.reply) as ReplyOf<typeof orderInfo>
  const selection = { class: 1, class_name: 'long', odds: '2', stake: '12.00' }
  const pending = { ...selection, payout: '0.00', hit: null }
  server().answer(orderInfo, { ...sample, ...BET, selections: [pending] })
  await showApp(href('bet', { item: '{"orderNo":"B1"}' }))
  const { send } = await opening
  await screen.findByText('Pending')
  act(() => send('own', OWN))
  await expect.poll(() => queryClient.isFetching()).toBe(0)
  const won = { ...DRAWN, payout: '24.00', profit: '12.00' }
  const hit = { ...selection, payout: '24.00', hit: true }
  server().answer(orderInfo, { ...sample, ...won, selections: [hit] })
  act(() => send('own', { ...OWN, bets: 'drawn' }))
  await screen.findByRole('img', { name: '9, 8, 7: sum 24' })
  const results = [
    ...['Won', 'Even', 'Check this draw'].map((words) => screen.getByText(words)),
    ...screen.getAllByText(/24\.00/),
    screen.getByText(/\+12\.00/),
  ]
  expect(results).toHaveLength(6)
  for (const each of results)
    expect(each.closest('[class*="_late_"]'), `${each.textContent}`).toBeTruthy()
})

it('above the bets stand their totals, asked for by the same status', async () => {
  server().answer(orderList, { list: [BET], total: 1, page: 1 })
  server().answer(orderTotals, {
    count: 3,
    quantity: '300.00',
    payout: '192.00',
    profit: '-8.00',
    pending: '100.00',
    refunded: '0.00',
  })
  const { person } = await showApp(href('betHistory'))
  const totals = (await screen.findByRole('heading', { name: 'Total of these days' })).parentElement
  for (const figure of ['3 bets', '300.00', '100.00', '192.00', '−8.00']) {
    await waitFor(() => expect(totals?.parentElement?.textContent).toContain(figure))
  }
  await person.click(screen.getByRole('radio', { name: 'Settled' }))
  await waitFor(() => expect(server().requestsOf(orderTotals).at(-1)?.input.status).toBe(1))
})
