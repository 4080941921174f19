import { expect, it } from 'vitest'
import { isArrival } from '#src/navigation/arrival.ts'

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
