import { expect, it } from 'vitest'
import { isArrival } from '#src/app/arrival.ts'

const settings = { pathname: '/setting', search: '?type=1', title: 'Settings' }

it('another screen is one at another path, or another name behind another query', () => {
  expect(isArrival(settings, { ...settings, pathname: '/about' })).toBe(true)
  expect(isArrival(settings, { ...settings, search: '?type=2', title: 'Account' })).toBe(true)
})

it('the same screen may speak another language, be filtered, or be spelt in another case', () => {
  expect(isArrival(settings, { ...settings, title: 'Einstellungen' })).toBe(false)
  expect(isArrival(settings, { ...settings, search: '?type=1&days=week' })).toBe(false)
  expect(isArrival(settings, { ...settings, pathname: '/Setting' })).toBe(false)
})
