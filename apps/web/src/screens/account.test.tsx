/** The screens of an account show what the server says of it, and lead to each other. */
import { config } from '@sum28/contract/index-routes.ts'
import { quantityLogList, recharge } from '@sum28/contract/money-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import {
  invitees,
  orderInfo,
  orderList,
  saveProfile,
  userInfo,
} from '@sum28/contract/user-routes.ts'
import { serverNow } from '@sum28/ui/server-clock.ts'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { queryClient } from '#src/data/query-client.ts'
import { href } from '#src/navigation/routes.ts'
import { sampleOf } from '#src/testing/sample-of.ts'
import { leaveFor, showApp, useMockServer } from '#src/testing/show-app.tsx'
import { CONFIG, PROFILE, wireTime } from '#src/testing/usual-replies.ts'

const server = useMockServer()

async function expectLinks(links: readonly (readonly [string | RegExp, string])[]): Promise<void> {
  for (const [name, to] of links) {
    expect((await screen.findByRole('link', { name })).getAttribute('href'), String(name)).toBe(to)
  }
}

it('the personal page shows the player and his balance, and links to every screen', async () => {
  server().answer(userInfo, {
    ...PROFILE,
    money: '1234.50',
    today_profit: '12.34',
    profit: '-56.78',
  })
  const { person } = await showApp(href('me'))
  const me = await screen.findByRole('link', { name: /ann/ })
  expect(me.textContent).toContain('ID 7')
  expect(me.querySelector('svg, img')).not.toBe(null)
  const shown = () => document.body.textContent
  await waitFor(() => expect(shown()).toMatch(/Total assets\s*1,234\.50/))
  expect(shown()).toMatch(/Profit today\s*\+12\.34/)
  expect(shown()).toMatch(/Profit yesterday\s*−56\.78/)
  await expectLinks([
    ['Withdraw', '/withdraw?group_id=1'],
    ['Account info', '/setting?type=2'],
    ['Bet history', '/BetRecord'],
    ['Fund details', '/CapitalDetail'],
    [/^Notices/, '/Notice'],
    ['About', '/about'],
  ])
  screen.getByRole('button', { name: 'Support' })
  await person.click(screen.getByRole('button', { name: 'Deposit' }))
  const sheet = await screen.findByRole('dialog')
  expect(sheet.textContent).toContain('Through support')
})

it.each([
  [
    ...['the app', '1'],
    [
      [/^Line/, '/changeline'],
      [/^Language/, '/language'],
      ['System settings', '/system'],
      ['About', '/about'],
    ],
  ],
  [
    ...['the account', '2'],
    [
      ['Bank card', '/bankCardManage?type=0'],
      ['Virtual wallet', '/bankCardManage?type=1'],
      ['Login password', '/changePassword'],
    ],
  ],
] as const)('the settings of %s lead to each of its screens', async (_, type, links) => {
  await showApp(href('settings', { type }))
  await expectLinks(links)
  if (type === '1') screen.getByRole('button', { name: 'Log out' })
})

it('line 2 is marked best, and a choice is kept for the session', async () => {
  server().answer(config, { ...CONFIG, lines: ['', ''] })
  const { person } = await showApp(href('settings', { type: '1' }))
  await leaveFor(href('lines'))
  const lines = await screen.findAllByRole('button', { name: /^Line \d/ })
  expect(lines.map((line) => line.textContent?.includes('Best'))).toEqual([false, true])
  await person.click(lines[1] as HTMLElement)
  await screen.findByText('Switched to line 2')
  expect(sessionStorage.getItem('activeList')).toBe('1')
  await waitFor(() => expect(location.pathname).toBe(href('settings', { type: '1' }).split('?')[0]))
  await person.click(await screen.findByRole('link', { name: /^Line/ }))
  await person.click((await screen.findAllByRole('button', { name: /^Line \d/ }))[0] as HTMLElement)
})

it('the profile is the server’s, whatever its address says, and leads to eight avatars', async () => {
  const query = { name: 'Somebody_else', id: '1', email: 'a@b.cc', avatar: 'preset:4' }
  const { person } = await showApp(href('profile', query))
  await screen.findByText(PROFILE.email)
  screen.getByText('ann')
  screen.getByText('7')
  expect(screen.queryByText('Somebody_else')).toBe(null)
  await person.click(screen.getByRole('button', { name: 'Change avatar' }))
  await screen.findByRole('button', { name: /Upload from album/ })
  await person.click(screen.getByRole('button', { name: /Default avatars/ }))
  expect(await screen.findAllByRole('radio', { name: /^Avatar \d$/ })).toHaveLength(8)
  server().refuse(saveProfile, { reason: 'fault', msg: 'Not today' })
  await person.click(screen.getByRole('radio', { name: 'Avatar 2' }))
  await person.click(screen.getByRole('button', { name: 'Use this avatar' }))
  await screen.findByText('Not today')
  expect(location.pathname).toBe(href('avatar'))
  expect(server().requestsOf(saveProfile)[0]?.input).toEqual({ avatar: 'preset:2' })
})

const NONE = { money: '0.00', held: '0.00', version: '1', transfers: [] }
const USDT = { usdt: 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH' }
const BANK = { bankname: 'First Bank', banknum: '00 11 22', bankxm: 'Operator', reference: 'RF1' }

it.each([
  ['USDT', USDT, [USDT.usdt, 'TRC20'], 'Bank transfer'],
  ['a bank', BANK, ['Bank transfer', ...Object.values(BANK)], 'TRC20'],
])('the deposit page shows only the way that there is: %s', async (_, way, shown, hidden) => {
  server().answer(recharge, { ...NONE, ...way })
  server().answer(userInfo, { ...PROFILE, money: '0.00' })
  await showApp(href('deposit', { group_id: '1' }))
  const text = () => document.querySelector('main')?.textContent?.replaceAll('\u200b', '')
  for (const words of shown) await waitFor(() => expect(text()).toContain(words))
  expect(text()).not.toContain(hidden)
  expect(text()).toMatch(/Total assets\s*0\.00\s*u/)
})

it.each([
  ['statement', quantityLogList, 'No transactions on these days', 'Withdrawal', { type: 1 }],
  ['betHistory', orderList, 'No bets on these days', 'Refunded', { status: 2 }],
] as const)('%s is asked for by days and kind', async (route, call, none, kind, asked) => {
  const { person } = await showApp(href(route))
  const last = () => server().requestsOf(call).at(-1)?.input
  await screen.findByText(none)
  expect(last()).toMatchObject({ begin_date: '2026-11-20', end_date: '2026-11-20' })
  await person.click(screen.getByRole('radio', { name: kind }))
  await waitFor(() => expect(last()).toMatchObject(asked))

  await person.click(screen.getByRole('button', { name: /^Days shown/ }))
  const from = await screen.findByLabelText<HTMLInputElement>('From')
  expect(from.min).toBe('2018-01-01')
  fireEvent.change(from, { target: { value: '2026-01-02' } })
  fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-01-03' } })
  await person.click(screen.getByRole('button', { name: 'Show these days' }))
  await waitFor(() =>
    expect(last()).toMatchObject({ begin_date: '2026-01-02', end_date: '2026-01-03', ...asked }),
  )

  // Choosing the present choice again also closes the drawer.
  for (let press = 0; press < 2; press += 1) {
    await person.click(screen.getByRole('button', { name: /^Days shown/ }))
    await person.click(await screen.findByText('7 days', { selector: 'label, label *' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBe(null))
  }
  await screen.findByRole('button', { name: 'Days shown: 7 days' })
})

it('invited people who came in the same second are each in the list, by the day alone', async () => {
  const guest = { createtime: 1_795_000_000 }
  const list = [guest, guest]
  server().answer(invitees, { link: 'https://sum28.example/?i=7', list, total: 2, page: 1 })
  await showApp(href('invite'))
  await screen.findByText('2 people')
  expect(screen.getAllByText('Nov 18, 2026')).toHaveLength(2)
})

it.each([
  ['just now is revealed', 1, true],
  ['long ago is shown at once, as when the page was away', 120, false],
])('the draw of a bet that was settled %s', async (_, secondsAgo, isRevealed) => {
  const pending = {
    ...(sampleOf(orderInfo.reply) as ReplyOf<typeof orderInfo>),
    orderNo: 'B1',
    issue: '20261122100',
  }
  server().answer(orderInfo, pending)
  await showApp(href('bet', { item: '{"orderNo":"B1"}' }))
  await screen.findByRole('img', { name: 'No draw yet' })
  const settled_at = wireTime(serverNow()) - secondsAgo
  const settled = { ...pending, status: 1, lottery_code: '4 5 6 15', settled_at }
  server().answer(orderInfo, settled)
  await act(() => queryClient.refetchQueries({ queryKey: ['bet'] }))
  const { className } = await screen.findByRole('img', { name: '4, 5, 6: sum 15' })
  expect(className.includes('reveal')).toBe(isRevealed)
})
