import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { home, promos } from '@sum28/contract/index-routes.ts'
import { lobby } from '@sum28/contract/lottery-routes.ts'
import { quantityLogList } from '@sum28/contract/money-routes.ts'
import { protectionState } from '@sum28/contract/protection-routes.ts'
import { gamesStream } from '@sum28/contract/stream.ts'
import { login, orderTotals, register, userInfo } from '@sum28/contract/user-routes.ts'
import { bringIntoView, renderedBy } from '@sum28/ui/testing/browser.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { gamesQuery } from '#src/data/games.ts'
import { profileQuery } from '#src/data/profile.ts'
import { queryClient } from '#src/data/query-client.ts'
import { href } from '#src/navigation/routes.ts'
import { bannerWords, linkOf, shownWinners } from '#src/screens/home/home-later.tsx'
import { createAccount, fillIn, leaveFor, showApp, useMockServer } from '#src/testing/show-app.tsx'
import { GAME, ISSUE, PROFILE, protectionReply, USERINFO } from '#src/testing/usual-replies.ts'

const server = useMockServer()

it('home shows a stranger no balance, and requests none', async () => {
  await showApp(href('home'), { stranger: true })
  await screen.findByRole('navigation', { name: 'Main screens' })
  expect(screen.queryByText('Balance')).toBe(null)
  expect(server().requestsOf(userInfo)).toEqual([])
})

it('home shows the balance of a player', async () => {
  await showApp(href('home'))
  const link = await screen.findByRole('link', { name: /^Balance/ })
  expect(link.textContent).toContain('100.00')
})

it('a second renders only the clocks of home, and a change of the balance only the balance', async () => {
  await showApp(href('home'))
  const balance = await screen.findByRole('link', { name: /^Balance/ })
  const clock = await screen.findByRole('timer')
  const nextSecond = () => {
    const shown = clock.textContent
    return waitFor(() => expect(clock.textContent).not.toBe(shown))
  }
  // By then all answers have come.
  await nextSecond()
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  await nextSecond()
  expect(await renderedBy(nextSecond)).toEqual(['RoundRing'])

  server().answer(userInfo, { ...PROFILE, money: '90.00', version: '2' })
  const byBalance = await renderedBy(async () => {
    await queryClient.refetchQueries(profileQuery)
    await waitFor(() => expect(balance.textContent).toContain('90.00'))
  })
  // A clock's second may have passed meanwhile.
  const others = byBalance.filter((name) => name !== 'RoundRing')
  expect(others).toEqual(['AmountText', 'Balance'])
})

it('the line is away as soon as the games cannot be fetched again, and there when they can', async () => {
  await showApp(href('home'))
  const line = await screen.findByRole('button', { name: /^Line 1 \d+ ms/ })
  server().cutOff(lobby)
  await act(() => queryClient.refetchQueries(gamesQuery))
  expect(line.textContent).toBe('Line 1 no answer')
  server().answer(lobby, { gameList: [GAME] })
  await act(() => queryClient.refetchQueries(gamesQuery))
  expect(line.textContent).toMatch(/^Line 1 \d+ ms$/)
})

it.each([
  ['a player', {}],
  ['a stranger', { stranger: true }],
])('home says to %s that the last round of a game was voided', async (_, who) => {
  server().answer(lobby, { gameList: [{ ...GAME, issue: { ...GAME.issue, last_code: '' } }] })
  await showApp(href('home'), who)
  const game = await screen.findByRole('link', { name: /^BCH/ })
  expect(game.textContent).toMatch(/Round 099.*Voided, stakes refunded/)
  expect(screen.getAllByRole('img', { name: 'Voided, stakes refunded' })).not.toEqual([])
  expect(screen.queryByRole('img', { name: 'No draw yet' })).toBe(null)
})

it('home says that the running round of a game was voided', async () => {
  const issue = { ...GAME.issue, last_code: '', last_issue: ISSUE, openTime1: 0 }
  server().answer(lobby, { gameList: [{ ...GAME, issue: { ...issue, whether_close: true } }] })
  await showApp(href('home'), { stranger: true })
  const clock = await screen.findByRole('timer')
  expect(clock.getAttribute('aria-label')).toBe('Voided')
  const game = await screen.findByRole('link', { name: /^BCH/ })
  expect(game.textContent).toMatch(/Round 100.*Voided.*Voided, stakes refunded/)
})

describe.each(['home', 'hall'] as const)('a draw that comes to %s', (place) => {
  it.each([
    ['as the next round opens is revealed', { issue: '20261122101', openTime1: 179 }, true],
    ['before that is revealed', { issue: '20261122101', openTime1: 0, whether_close: true }, true],
    ['of the day’s last round is revealed', { issue: '', openTime1: 0 }, true],
    ['after the phone has slept is shown at once', { issue: '20261122101', openTime1: 120 }, false],
    [
      'after the phone has slept for hours is shown at once',
      { issue: '', openTime1: 0, last_issue: '20261122274' },
      false,
    ],
  ])('%s', async (_, later, isRevealed) => {
    await showApp(href(place))
    await screen.findByRole('img', { name: '1, 2, 3: sum 6' })
    const drawn = { ...GAME.issue, last_issue: ISSUE, last_code: '4 5 6 15', version: '2' }
    server().answer(lobby, { gameList: [{ ...GAME, issue: { ...drawn, ...later } }] })
    await act(() => queryClient.refetchQueries(gamesQuery))
    const { className } = await screen.findByRole('img', { name: '4, 5, 6: sum 15' })
    expect(className.includes('reveal')).toBe(isRevealed)
  })
})

it('home at rest sends no request while its stream lives', async () => {
  const toFake = [
    'Date',
    'performance',
    'setTimeout',
    'clearTimeout',
    'setInterval',
    'clearInterval',
  ] as const
  vi.useFakeTimers({ now: Date.now(), toFake: [...toFake] })
  const sent: string[] = []
  vi.stubGlobal('fetch', (address: string, init?: RequestInit) => {
    sent.push(new URL(address, location.href).pathname)
    return server().fetch(address, init)
  })
  await showApp(href('home'))
  /** Lets time go by, in steps in which what the stream sends is read. */
  async function pass(seconds: number) {
    for (let tenths = 0; tenths < 10 * seconds; tenths += 1) {
      await act(() => vi.advanceTimersByTimeAsync(100))
      await act(() => new Promise(setImmediate))
    }
  }
  // The code that sends these comes after the first screen.
  while (!sent.includes(gamesStream.path) || !sent.includes('/')) await pass(0.1)
  await pass(8)
  expect(screen.getByRole('link', { name: /^Balance/ }).textContent).toContain('100.00')
  sent.length = 0
  await pass(8)
  expect(sent).toEqual([])
})

it('after registration limits are offered once, with two equal answers', async () => {
  server().answer(register, { userinfo: USERINFO })
  const { person } = await showApp(href('register'), { stranger: true })
  await createAccount(person)
  const offer = within(await screen.findByRole('region', { name: 'Would you like to set limits?' }))
  const [set, skip] = [
    offer.getByRole('link', { name: 'Set limits' }),
    offer.getByRole('button', { name: 'Not now' }),
  ]
  expect(skip.className).toContain(set.className)
  await person.click(skip)
  expect(screen.queryByRole('region', { name: 'Would you like to set limits?' })).toBe(null)
})

it.each([
  ['once, after the limits', true],
  ['in no browser that knows none', false],
])('after registration a passkey is offered %s', async (_, offered) => {
  if (offered) vi.stubGlobal('PublicKeyCredential', () => {})
  onTestFinished(() => void vi.unstubAllGlobals())
  server().answer(register, { userinfo: USERINFO })
  const { person } = await showApp(href('register'), { stranger: true })
  await createAccount(person)
  const answerAndReturn = async () => {
    await person.click(await screen.findByRole('button', { name: 'Not now' }))
    await leaveFor(href('language'))
    await leaveFor(href('home'))
    await screen.findByText('1. Set your limits')
  }
  await answerAndReturn()
  if (offered) {
    const name = 'Log in without a password next time?'
    const offer = within(await screen.findByRole('region', { name }))
    const add = offer.getByRole('link', { name: 'Add a passkey' })
    expect(add.getAttribute('href')).toBe(href('security'))
    await answerAndReturn()
  }
  expect(screen.queryByRole('button', { name: 'Not now' })).toBe(null)
})

it('home has no place for banners if the operator shows none', async () => {
  server().answer(home, { banner: [], winners: [], version_notice: { label: '9.9', content: '' } })
  await showApp(href('home'), { stranger: true })
  const version = await screen.findByText(/9\.9/)
  const parts = [...(version.closest('main')?.childNodes ?? [])]
  expect(parts.filter(({ nodeName }) => nodeName === '#text')).toEqual([])
})

it('home tells a stranger what it is, with the two ways in', async () => {
  await showApp(href('home'), { stranger: true })
  await screen.findByText(/^Three digits are drawn, and you bet on their sum/)
  expect(screen.getByRole('link', { name: 'Register' }).getAttribute('href')).toBe(href('register'))
  expect(screen.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe(href('login'))
})

it('a stranger who taps a game arrives at that game once he has logged in', async () => {
  server().answer(login, { userinfo: USERINFO })
  const { person } = await showApp(href('home'), { stranger: true })
  await person.click(await screen.findByRole('link', { name: /^BCH/ }))
  await screen.findByRole('button', { name: 'Log in' })
  await fillIn(person, { 'Username or email': 'ann', Password: 'a long password' })
  await person.click(screen.getByRole('button', { name: 'Log in' }))
  await expect
    .poll(() => `${location.pathname}${location.search}`)
    .toBe(href('hall', { game: '2' }))
  expect(sessionStorage.getItem('tapped-game')).toBe(null)
})

it('a player who taps a game comes back to home without being led on again, also from before he was known', async () => {
  sessionStorage.setItem('tapped-game', '3')
  const { person } = await showApp(href('home'))
  await person.click(await screen.findByRole('link', { name: /^BCH/ }))
  await expect.poll(() => location.pathname).toBe('/lottery')
  history.back()
  await screen.findByRole('link', { name: /^Balance/ })
  expect(location.pathname).toBe('/')
  expect(sessionStorage.getItem('tapped-game')).toBe('3')
})

it('after registration three first steps tick themselves, and can be put away', async () => {
  localStorage.setItem('limits-offer', JSON.stringify([['7:registration', 'answered']]))
  server().answer(orderTotals, { count: 1, ...NOTHING })
  server().answer(quantityLogList, { list: [], total: 0, page: 1 })
  server().answer(protectionState, protectionReply())
  const { person } = await showApp(href('home'))
  const steps = within(await screen.findByRole('region', { name: 'First steps' }))
  expect(steps.getByRole('link', { name: /^1. Set your limits/ })).toBeTruthy()
  expect(steps.getByRole('link', { name: /^2. Deposit/ })).toBeTruthy()
  expect(steps.getByText(/^3. Your first bet/).textContent).toContain('Done')
  // The watch of the focus comes with the two bars, whose regions are empty.
  await waitFor(() => expect(screen.getAllByRole('status')).toHaveLength(3))
  await person.click(steps.getByRole('button', { name: 'Hide the first steps' }))
  expect(screen.queryByRole('region', { name: 'First steps' })).toBe(null)
  // The button has gone by its own press.
  const title = screen.getByRole('heading', { level: 1 })
  await waitFor(() => expect(document.activeElement).toBe(title))
})

const NOTHING = {
  quantity: '0.00',
  payout: '0.00',
  profit: '0.00',
  pending: '0.00',
  refunded: '0.00',
}

it('hides winners whose nickname has Chinese characters', () => {
  const winners = ['ma**in', '李**7', 'ki明to', 'たろう', 'lu**07', '𠮷'].map((nickname) => ({
    nickname,
    game: 'ETH',
    profit: 10_000_000n,
    wonAt: 1_790_000_000_000,
  }))
  expect(shownWinners(winners).map(({ nickname }) => nickname)).toEqual([
    'ma**in',
    'たろう',
    'lu**07',
  ])
})

const BANNERS = ['/one', '/two'].map((link, at) => ({ id: at, image: '/uploads/a.webp', link }))

it('the banners are stopped and chosen before they are read, and wait while one has the focus', async () => {
  server().answer(home, {
    banner: BANNERS,
    winners: [],
    version_notice: { label: '9.9', content: '' },
  })
  const { person } = await showApp(href('home'), { stranger: true })
  const strip = within(await screen.findByRole('region', { name: 'What is special here' }))
  const links = () => strip.getAllByRole('link', { hidden: true })
  const shown = () => links().findIndex((link) => !link.closest('[inert]'))
  const controls = strip.getAllByRole('button')
  expect(controls.map((each) => each.getAttribute('aria-label'))).toEqual([
    ...['Banner 1', 'Banner 2', 'Stop the banners'],
  ])
  const later = links()[0]?.compareDocumentPosition(controls[2] as Node) ?? 0
  expect(later & Node.DOCUMENT_POSITION_PRECEDING).not.toBe(0)

  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    act(() => links()[0]?.focus())
    fireEvent.pointerEnter(strip.getByRole('list'))
    fireEvent.pointerLeave(strip.getByRole('list'))
    act(bringIntoView)
    act(() => vi.advanceTimersByTime(10_000))
    expect(shown()).toBe(0)
    act(() => links()[0]?.blur())
    act(bringIntoView)
    act(() => vi.advanceTimersByTime(3_000))
    expect(shown()).toBe(1)
  } finally {
    vi.useRealTimers()
  }
  await person.click(strip.getByRole('button', { name: 'Banner 1' }))
  expect(shown()).toBe(0)
  expect(strip.getByRole('button', { name: 'Let the banners move on' })).toBeTruthy()
})

describe('a banner', () => {
  it('has words laid over it when it is one of the app’s own', () => {
    for (const name of ['fairness', 'exact', 'rounds'] as const) {
      expect(bannerWords(`/banners/${name}.svg`)).toBe(name)
      const art = join(import.meta.dirname, `../../../public/banners/${name}.svg`)
      expect(existsSync(art)).toBe(true)
    }
  })

  it('has none when the operator made it', () => {
    expect(bannerWords('/uploads/fairness.svg')).toBeNull()
    expect(bannerWords('/banners/summer.svg')).toBeNull()
  })

  it('links only to a page of the app or a web page', () => {
    expect(linkOf('/lottery?game=2')).toEqual({ to: '/lottery?game=2', outside: false })
    expect(linkOf('https://example.org/x')).toEqual({ to: 'https://example.org/x', outside: true })
    for (const link of ['', '//evil.example', '/\\evil.example', 'javascript:alert(1)', 'x']) {
      expect(linkOf(link)).toBeNull()
    }
  })
})

it('during a break home and the action centre advertise nothing, and no first steps are asked for', async () => {
  localStorage.setItem('limits-offer', JSON.stringify([['7:registration', 'answered']]))
  server().answer(orderTotals, { count: 0, ...NOTHING })
  server().answer(quantityLogList, { list: [], total: 0, page: 1 })
  server().answer(protectionState, {
    ...protectionReply(),
    exclusion: { kind: 'time_out', until: 4_000_000_000, may_ask_from: null },
  })
  server().answer(home, {
    banner: [{ id: 1, image: '/uploads/offer.webp', link: '' }],
    winners: [],
    version_notice: { label: '9.9', content: '' },
  })
  server().answer(promos, [{ id: 1, image: '/uploads/promo.webp', title: 'Bonus' }])
  await showApp(href('home'))
  await screen.findByText('You are on a break')
  expect(screen.queryByRole('region', { name: 'First steps' })).toBe(null)
  expect(document.querySelector('img[src*="offer"]')).toBe(null)
  await leaveFor(href('promotions'))
  await waitFor(() => expect(screen.queryByRole('link', { name: /^Balance/ })).toBe(null))
  await screen.findByText('You are on a break')
  expect(screen.queryByText('Bonus')).toBe(null)
})
