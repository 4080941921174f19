import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isArrival } from '#src/navigation/arrival.ts'
import {
  href,
  ROUTES,
  type RouteName,
  readQuery,
  routeEntry,
  routeOf,
  screenFileOf,
} from '#src/navigation/routes.ts'

const OPEN =
  '/ /login /register /forget /takeBack /language /setSecurityCode /rules /fairness /safer-play /watch'.split(
    ' ',
  )
const PROTECTED =
  '/personal /setting /changeline /about /system /baseinfo /defaultAvatar /bankCardManage /addBankCard /addVirtualWallet /changePassword /figures /changes /ownData /closeAccount /actionCenter /shareFriend /Notice /support /BetRecord /CapitalDetail /withdraw /recharge /find /lottery /betDetail /betRoom /lotteryDetail /lotteryExplain /trendChart /moreNews /aticleDetail /room /limits /break /security /identity'.split(
    ' ',
  )

describe('the routes', () => {
  it('are those of the product, with the pages that are open to all', () => {
    const paths = (access?: 'open') =>
      (Object.keys(ROUTES) as RouteName[])
        .map(routeEntry)
        .filter((route) => route.access === access)
        .map((route) => route.path)
        .sort()
    expect(paths('open')).toEqual([...OPEN].sort())
    expect(paths()).toEqual([...PROTECTED].sort())
  })

  it('have a file each that shows them', () => {
    for (const name of Object.keys(ROUTES) as RouteName[]) {
      const file = join(import.meta.dirname, screenFileOf(name))
      expect(existsSync(file), file).toBe(true)
    }
  })

  it('are found in any letter case and with a slash at the end', () => {
    for (const [name, { path }] of Object.entries(ROUTES)) {
      for (const written of [path, path.toLowerCase(), path.toUpperCase(), `${path}/`]) {
        expect(routeOf(written)).toBe(name as RouteName)
      }
    }
  })

  it('are not found by a part of a path or a longer one', () => {
    for (const path of ['/log', '/login/x', '/betroomx', 'login']) expect(routeOf(path)).toBeNull()
  })

  it('show the tab bar on the six screens that have it', () => {
    const tabs = Object.entries(ROUTES).flatMap(([name, route]) =>
      'tab' in route ? [[name, route.tab]] : [],
    )
    expect(Object.fromEntries(tabs)).toEqual({
      home: 'home',
      news: 'news',
      hall: 'hall',
      rooms: 'hall',
      charts: 'charts',
      me: 'me',
    })
  })
})

describe('an address', () => {
  it('carries its query, encoded', () => {
    const item = JSON.stringify({ orderNo: 'A&1', note: 'ü' })
    const address = href('bet', { item })
    expect(new URL(address, 'http://app').searchParams.get('item')).toBe(item)
  })

  it('omits absent values', () => {
    expect(href('register', {})).toBe('/register')
    expect(href('home')).toBe('/')
    expect(href('settings', { type: '2' })).toBe('/setting?type=2')
  })
})

it('what an address contains is read only where it is a value of that parameter', () => {
  expect(readQuery('settings', '?type=2&other=1')).toEqual({ type: '2' })
  for (const type of ['', '3', '1 ', '%31%00']) {
    expect(readQuery('settings', `?type=${type}`).type).toBeUndefined()
  }
  for (const game_id of ['', '-1', '1e3', '<b>', '1'.repeat(16)]) {
    expect(readQuery('charts', `?game_id=${encodeURIComponent(game_id)}`).game_id).toBeUndefined()
  }
  // A link cannot put a text of its own on the page of fairness.
  const written = `?issue=${encodeURIComponent('Call 555 0100 for your prize')}`
  expect(readQuery('fairness', written).issue).toBeUndefined()
  expect(readQuery('charts', '?game_id=2&game_id=3').game_id).toBe('2')
})

const settings = { pathname: '/setting', search: '?type=1', title: 'Settings' }

it('a screen is another one if its path differs, or both its query and its name differ', () => {
  expect(isArrival(settings, { ...settings, pathname: '/about' })).toBe(true)
  expect(isArrival(settings, { ...settings, search: '?type=2', title: 'Account' })).toBe(true)
})

it('a screen stays the same in another language, with another filter, or in another letter case', () => {
  expect(isArrival(settings, { ...settings, title: 'Einstellungen' })).toBe(false)
  expect(isArrival(settings, { ...settings, search: '?type=1&days=week' })).toBe(false)
  expect(isArrival(settings, { ...settings, pathname: '/Setting' })).toBe(false)
})
