import { config } from '@sum28/contract/index-routes.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { currentLanguageChoice } from '#src/i18n/activate-language.ts'
import { activateLanguage, loadAllTexts } from '#src/i18n/load.tsx'
import { href } from '#src/navigation/routes.ts'
import { leaveFor, showApp, useMockServer } from '#src/testing/show-app.tsx'

const server = useMockServer()

vi.mock('#src/locales/zh-TW/shell.json', () => {
  throw new TypeError('Failed to fetch dynamically imported module')
})

const rowOf = (name: string) => screen.getByRole('button', { name: new RegExp(name) })
const choose = (name: string) => fireEvent.click(rowOf(name))
const chosen = () => currentLanguageChoice().locale
/** Whether the app has gone back, and how often. */
const goes = () => vi.mocked(history.go).mock.calls

beforeEach(async () => {
  vi.spyOn(history, 'go').mockReturnValue()
  await showApp(href('settings', { type: '1' }))
  await leaveFor(href('language'))
  await screen.findByText('日本語')
})
afterEach(() => act(() => activateLanguage('en')))

it('a choice says that its texts are loading, takes effect once they have come, and goes back', async () => {
  choose('Tiếng Việt')
  within(rowOf('Tiếng Việt')).getByText('Loading')
  await waitFor(() => expect(goes()).toEqual([[-1]]))
  expect(chosen()).toBe('vi')
})

it('a player who has left meanwhile is not moved, also if he has come back', async () => {
  choose('日本語')
  await leaveFor(href('settings', { type: '1' }))
  await leaveFor(href('language'))
  await waitFor(() => expect(document.documentElement.lang).toBe('ja'))
  await waitFor(() => expect(chosen()).toBe('ja'))
  await act(() => new Promise((done) => setTimeout(done, 0)))
  expect(goes()).toEqual([])
})

it('of two choices the last one wins, also if its texts come first, and goes back once', async () => {
  await act(() => activateLanguage('ko'))
  await act(() => loadAllTexts('ko'))
  await act(() => activateLanguage('en'))
  choose('Bahasa Indonesia')
  choose('한국어')
  await waitFor(() => expect(goes()).toEqual([[-1]]))
  await act(() => loadAllTexts('id'))
  await act(() => new Promise((done) => setTimeout(done, 0)))
  expect(chosen()).toBe('ko')
  expect(document.documentElement.lang).toBe('ko')
  expect(goes()).toEqual([[-1]])
})

it('a language whose texts cannot be fetched changes nothing, and says that the server is away', async () => {
  choose('繁體中文')
  await screen.findByText(/^The server cannot be reached/)
  expect(chosen()).toBe('en')
  expect(goes()).toEqual([])
})

it('a choice in another tab is followed, and the data is fetched in its language', async () => {
  localStorage.setItem('localetype', '4')
  localStorage.setItem('locale', 'ja')
  // The app listens once it has loaded what its first screen does without.
  await waitFor(() => {
    window.dispatchEvent(new StorageEvent('storage', { key: 'locale' }))
    expect(document.documentElement.lang).toBe('ja')
  })
  await waitFor(() => expect(server().requestsOf(config).at(-1)?.lang).toBe('ja'))
})
