/** What the app says of newer builds while it stays open. */
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { UpdateBar } from '#src/app/after-start.tsx'
import { showComponent } from '#src/testing/show-component.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

it('each new build is announced once, and the worker tries to store it at each check', async () => {
  vi.useFakeTimers()
  const update = vi.fn(async () => {})
  const serviceWorker = { getRegistration: async () => ({ update }) }
  Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true })
  let build = 'second'
  vi.stubGlobal('fetch', async () => new Response(`<script src="/assets/index-${build}.js">`))
  const nextCheck = () => act(() => vi.advanceTimersByTimeAsync(15 * 60_000))

  await showComponent(<UpdateBar shown />)
  await nextCheck()
  fireEvent.click(screen.getByRole('button', { name: 'Later' }))
  const before = update.mock.calls.length
  await nextCheck()
  expect(screen.queryByText('A new version of the app is ready')).toBeNull()
  expect(update.mock.calls.length).toBe(before + 1)
  build = 'third'
  await nextCheck()
  screen.getByText('A new version of the app is ready')
})
