/** The public screens, the games and support show what the server says. */
import * as index from '@sum28/contract/index-routes.ts'
import { issueList, lobby } from '@sum28/contract/lottery-routes.ts'
import type { GameOnWire } from '@sum28/contract/replies.ts'
import { gamesStream } from '@sum28/contract/stream.ts'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { queryClient } from '#src/data/query-client.ts'
import { href } from '#src/navigation/routes.ts'
import { wireResult } from '#src/testing/drawn-rounds.ts'
import { leaveFor, showApp, useMockServer } from '#src/testing/show-app.tsx'
import { CONFIG, GAME, HOUSE_RULES, ODDS } from '#src/testing/usual-replies.ts'

const server = useMockServer()

const TITLES = ['Basic', 'Senior', 'Master', 'Expert']
const LIMITS = [
  ['None', '100.00', '100.00'],
  ['3', '200.00', '1000.00'],
  ['6', '500.00', '5000.00'],
  ['9', '1000.00', '20000.00'],
] as const

/** Four games of four rooms each, whose last draws differ. */
const GAMES: GameOnWire[] = ['DOT', 'BCH', 'ETH', 'BTC'].map((name, at) => ({
  ...GAME,
  id: at + 1,
  name,
  issue: { ...GAME.issue, last_code: `${at} 2 3 ${at + 5}` },
  planList: LIMITS.map(([robots, min_limit, join_limit], room) => ({
    id: 10 * (at + 1) + room,
    game_id: at + 1,
    title: TITLES[room] ?? '',
    type: room as 0,
    robot_num: Number(robots) || 0,
    min_limit,
    join_limit,
    status: 1,
  })),
}))

function answerGames(): void {
  server().answer(lobby, { gameList: GAMES })
  server().onOpen(gamesStream, ({ send }) => send('begin', GAMES))
}

const HOME = {
  banner: [],
  version_notice: { label: '21.04.02', content: '' },
  winners: [
    { game_name: 'BTC', profit: '92.50', createtime: 1_767_312_000, nickname: 'an***ee' },
    { game_name: 'BTC', profit: '777.00', createtime: 1_767_312_000, nickname: '王***ee' },
  ],
}

it('home has a version notice, four games with their last draw, winners, five tabs and the line', async () => {
  answerGames()
  server().answer(index.home, HOME)
  server().answer(index.config, { ...CONFIG, lines: ['', ''] })
  const { person } = await showApp(href('home'), { stranger: true })
  await screen.findByText('Version 21.04.02')
  const games = within(await screen.findByRole('region', { name: 'Games' })).getAllByRole('link')
  expect(games).toHaveLength(4)
  for (const [at, { name }] of GAMES.entries()) {
    expect(games[at]?.textContent).toContain(name)
    within(games[at] as HTMLElement).getByRole('img', { name: `${at}, 2, 3: sum ${at + 5}` })
  }
  const winners = within(await screen.findByRole('region', { name: 'Winners, last 24 hours' }))
  const [winner, ...others] = winners.getAllByRole('listitem')
  for (const words of ['an***ee', 'BTC', '+92.50', 'Jan'])
    expect(winner?.textContent).toContain(words)
  expect(others).toEqual([])
  const tabs = within(screen.getByRole('navigation', { name: 'Main screens' })).getAllByRole('link')
  const paths = tabs.map((link) => link.getAttribute('href'))
  // The last link is only on a wide screen.
  expect(paths).toEqual(['/', '/moreNews', '/lottery', '/find', '/personal', '/system'])
  expect(tabs[0]?.getAttribute('aria-current')).toBe('page')
  expect(screen.getByRole('link', { name: /^Language/ }).getAttribute('href')).toBe('/language')
  for (const [from, to] of [
    [1, 2],
    [2, 1],
  ]) {
    await person.click(screen.getByRole('button', { name: new RegExp(`^Line ${from}`) }))
    const sheet = within(await screen.findByRole('dialog'))
    await person.click(sheet.getByRole('button', { name: new RegExp(`^Line ${to}`) }))
    await screen.findByRole('button', { name: new RegExp(`^Line ${to} \\d+ ms`) })
  }
})

it.each([
  ['home', 'Nobody has won in the last 24 hours yet.', index.home],
  ['news', 'No articles yet', index.articleList],
  ['notices', 'No announcements', index.noticeList],
  ['promotions', 'No promotions at the moment', index.promos],
  ['about', 'Nothing has been written here yet', index.aboutUs],
  ['hall', 'Nothing here yet', lobby],
] as const)('%s without content says so, and can be loaded again', async (route, says, call) => {
  server().answer(index.home, { ...HOME, winners: [] })
  server().answer(index.articleList, { tops: [], articleTabs: [] })
  server().answer(index.noticeList, { zhannei: [], pingtai: [] })
  server().answer(index.promos, [])
  server().answer(index.aboutUs, { about: { content: '' } })
  server().answer(lobby, { gameList: [] })
  server().onOpen(gamesStream, ({ send }) => send('begin', []))
  const { person } = await showApp(href(route))
  await screen.findByText(says)
  const asked = server().requestsOf(call).length
  await person.click(screen.getByRole('button', { name: 'Load again' }))
  await waitFor(() => expect(server().requestsOf(call).length).toBeGreaterThan(asked))
})

it('a text of the operator that is not in the reader’s language says in which it is', async () => {
  const article = { id: 1, title: 'How a draw is made', content: '<p>Words</p>', lang: 'en' }
  const listed = { ...article, createtime: 1, image: '' }
  server().answer(index.articleList, {
    tops: [{ ...listed, title: 'Hot' }],
    articleTabs: [{ id: 1, name: 'Guide', articles: [listed] }],
  })
  server().answer(index.article, listed)
  server().answer(index.aboutUs, { about: { content: '<p>Sum28 is ours</p>', lang: 'en' } })
  server().answer(index.promos, [
    { id: 1, image: '/promos/check.svg', title: 'Exact odds', lang: 'en' },
  ])
  server().answer(index.noticeList, {
    zhannei: [],
    pingtai: [{ ...article, title: 'Maintenance', createtime: 1, read: true }],
  })
  await showApp(href('news'), { locale: 'ja' })
  const heading = () => screen.getByRole('heading', { level: 1 })
  const inEnglish = async (...texts: string[]) => {
    for (const text of texts) {
      const shown = await screen.findByText(text)
      expect(shown.closest('[lang]')?.getAttribute('lang'), text).toBe('en')
    }
  }
  await inEnglish('Hot', 'How a draw is made', 'Words')
  const ofNews = heading().textContent
  await leaveFor(href('article', { news: '{"id":1}' }))
  await waitFor(() => expect(screen.queryByText('Hot')).toBe(null))
  await inEnglish('How a draw is made', 'Words')
  expect(heading().textContent).not.toBe(ofNews)
  expect(document.activeElement).toBe(heading())
  await leaveFor(href('about'))
  await inEnglish('Sum28 is ours')
  await leaveFor(href('promotions'))
  await inEnglish('Exact odds')
  await leaveFor(href('notices'))
  await inEnglish('Maintenance', 'Words')
})

it('an article is the server’s, whatever its address says, or cannot be found', async () => {
  server().answer(index.article, {
    id: 1,
    title: 'How a draw is made',
    content: '<p>Words</p>',
    createtime: 1,
    image: '',
  })
  const forged = { id: 1, title: 'Forged title', content: '<b>Forged text</b>' }
  await showApp(href('article', { news: JSON.stringify(forged) }))
  await screen.findByRole('heading', { name: 'How a draw is made' })
  expect(screen.queryByText(/Forged/)).toBe(null)
  await leaveFor(href('article', { news: 'nonsense' }))
  await screen.findByText('This article cannot be found')
})

it('a game has four rooms, each with its robots and its two limits', async () => {
  answerGames()
  await showApp(href('hall'))
  const games = await screen.findAllByRole('tab')
  expect(games.map(({ textContent }) => textContent)).toEqual(['DOT', 'BCH', 'ETH', 'BTC'])
  for (const [at, [robots, least, entry]] of LIMITS.entries()) {
    const card = await screen.findByRole('button', { name: new RegExp(`^${TITLES[at]}`) })
    const text = card.textContent?.replaceAll(',', '')
    expect(text).toMatch(new RegExp(`Robots\\s*${robots}(?!\\d)`))
    expect(text).toMatch(new RegExp(`Minimum investment\\s*${least}`))
    expect(text).toMatch(new RegExp(`Minimum entry\\s*${entry}`))
  }
})

it('a room that cannot be entered says so in one sentence, or leads to the login', async () => {
  server().refuse(userInfo, { reason: 'fault', msg: 'Closed for cleaning' })
  const { person } = await showApp(href('hall', { game: '2' }))
  const room = await screen.findByRole('button', { name: /^Basic/ })
  await person.click(room)
  await screen.findByText('Something went wrong. Please try again.')
  expect(location.pathname).toBe(href('hall'))
  server().refuse(userInfo, { reason: 'fault', msg: '您好,请先登录' })
  await person.click(room)
  await screen.findByText('Please log in')
  await waitFor(() => expect(location.pathname).toBe(href('login')))
})

it('the trend table has eight columns and a choice of game, and loads the chosen day', async () => {
  answerGames()
  server().answer(issueList, [wireResult({ roundId: '20260102300', digits: [7, 8, 0] })])
  const { person } = await showApp(href('trend', { game_id: '2', name: 'BCH', date: '2026-01-02' }))
  const columns = (await screen.findAllByRole('columnheader')).map(({ textContent }) => textContent)
  expect(columns).toEqual([
    ...['Round', 'Sum'],
    ...['Long odd', 'Short odd', 'Long even', 'Short even', 'Long', 'Short', 'Odd', 'Even'],
  ])
  screen.getByRole('tab', { name: 'BCH', selected: true })
  const days = () =>
    server()
      .inputsOf(issueList)
      .flatMap((input) => (input.date ? [[input.date, Number(input.game_id)]] : []))
  expect(days()).toEqual([['2026-01-02', 2]])
  await person.click(screen.getByRole('button', { name: /^Day shown/ }))
  fireEvent.change(await screen.findByLabelText('Day'), { target: { value: '2026-01-01' } })
  await person.click(screen.getByRole('button', { name: 'Show this day' }))
  await waitFor(() => expect(days().at(-1)).toEqual(['2026-01-01', 2]))
})

it('past rounds are those of the game in the address, by its true name', async () => {
  answerGames()
  const list = [wireResult({ roundId: '20261122001', digits: [7, 3, 3] })]
  server().answer(issueList, ({ input }) => (input.page ? { list, total: 1, page: 1 } : list))
  await showApp(href('pastRounds', { game_id: '3', name: 'Forged' }))
  await screen.findAllByRole('img', { name: '7, 3, 3: sum 13' })
  expect(server().requestsOf(issueList)[0]?.input.game_id).toBe(3)
  expect(screen.getByRole('banner').textContent).toContain('ETH')
  expect(screen.queryByText(/Forged/)).toBe(null)
})

it('the rules are the same for members and for everybody', async () => {
  const room = { ...GAME.planList[0], game_name: 'BCH', max: '100000.00', rules_version: 1 }
  const { rule_base, rule_num } = ODDS
  server().answer(index.rules, {
    ...HOUSE_RULES,
    rooms: [{ ...room, rule_base, rule_num }] as (typeof HOUSE_RULES)['rooms'],
  })
  await showApp(href('rules'))
  const text = async () => {
    await screen.findByRole('heading', { name: 'Odds, chance and return' })
    return document.querySelector('main')?.textContent
  }
  const open = await text()
  expect(open).toMatch(/voided/i)
  await leaveFor(href('memberRules'))
  await waitFor(() => expect(location.pathname).toBe(href('memberRules')))
  expect(await text()).toBe(open)
})

/** Changes what the operator has configured for support. */
function configure(support_url: string | null, support_email: string | null = null): void {
  const features = { ...CONFIG.features, support_email }
  server().answer(index.config, { ...CONFIG, support_url, features })
}

it('support leads a stranger to the login', async () => {
  const { person } = await showApp(href('home'), { stranger: true })
  await person.click(await screen.findByRole('button', { name: 'Support' }))
  await waitFor(() => expect(location.pathname).toBe(href('login')))
})

it('support leads to the login when the server does not identify the player, and closes the tab for the chat', async () => {
  configure('https://chat.example/room')
  const close = vi.fn()
  vi.spyOn(window, 'open').mockReturnValue({ close } as unknown as Window)
  const { person } = await showApp(href('home'))
  await waitFor(() => expect(queryClient.getQueryData(['config'])).toBeTruthy())
  server().cutOff(userInfo)
  await person.click(await screen.findByRole('button', { name: 'Support' }))
  await waitFor(() => expect(location.pathname).toBe(href('login')))
  expect(close).toHaveBeenCalledOnce()
})

it.each(['home', 'me'] as const)(
  'without a chat, support leads from %s to the common answers',
  async (from) => {
    configure(null)
    const { person } = await showApp(href(from))
    await person.click(await screen.findByRole('button', { name: 'Support' }))
    await screen.findByText(/has not named a chat or an email address/)
    screen.getByText(/^From a secret that is fixed in advance/)
    expect(screen.getByRole('link', { name: 'Read all the rules' }).getAttribute('href')).toBe(
      href('rules'),
    )
  },
)

it('the page of support has the operator’s address and the player’s number, or the chat', async () => {
  configure(null, 'help@play.example')
  await showApp(href('support'))
  const mail = await screen.findByRole('link', { name: 'Write an email' })
  expect(mail.getAttribute('href')).toBe('mailto:help@play.example')
  screen.getByText('help@play.example')
  expect(document.querySelector('main')?.textContent).toMatch(/Your user ID\s*7/)
  screen.getByRole('button', { name: 'Copy the email address' })
  expect(screen.queryByRole('link', { name: 'Open the chat' })).toBe(null)
})

it('where the beacon is the operator’s own, the page of support does not say that nobody knows its number', async () => {
  const features = { ...CONFIG.features, beacon: 'local' as const }
  server().answer(index.config, { ...CONFIG, features })
  await showApp(href('support'))
  await screen.findByText(/Here the beacon belongs to the operator/)
  expect(screen.queryByText(/nobody knows before the seal/)).toBeNull()
})

it('the page of support opens the chat without a way back to the app', async () => {
  configure('https://chat.example/room')
  await showApp(href('support'))
  const chat = await screen.findByRole('link', { name: 'Open the chat' })
  expect(chat.getAttribute('href')).toBe('https://chat.example/room')
  expect(chat.getAttribute('rel')).toBe('noopener noreferrer')
})

it('the page of support says that the contacts cannot be loaded, and has the answers', async () => {
  server().cutOff(index.config)
  const { person } = await showApp(href('support'))
  expect((await screen.findByRole('alert')).textContent).toContain('Try again')
  screen.getByText('Common answers')
  configure(null)
  await person.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(screen.queryByRole('alert')).toBe(null))
})

it('the page of support is not for strangers', async () => {
  await showApp(href('support'), { stranger: true })
  await waitFor(() => expect(location.pathname).toBe(href('login')))
})

it('closing the login ends the session and leads home', async () => {
  const { person } = await showApp(href('home'))
  await act(async () => {})
  await leaveFor(href('login'))
  await person.click(await screen.findByRole('button', { name: 'Close and go to home' }))
  await waitFor(() => expect(location.pathname).toBe(href('home')))
  expect(sessionStorage.getItem('token')).toBe(null)
})

it('an address that no screen has says so, and leads home', async () => {
  const { person } = await showApp('/nowhere', { stranger: true })
  await screen.findByRole('heading', { name: 'There is no such page', level: 1 })
  await person.click(screen.getByRole('link', { name: 'Go to home' }))
  await screen.findByRole('navigation', { name: 'Main screens' })
})
