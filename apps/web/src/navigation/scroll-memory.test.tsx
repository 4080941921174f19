/** Where a screen begins: at its top, whichever entry of the history it takes the place of, unless it stays. */
import { act, cleanup, render } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { useScrollMemory } from '#src/navigation/arrival.ts'
import { type Navigate, NavigationProvider, useNavigate } from '#src/navigation/navigation.tsx'

let navigate: Navigate

function Scrolled() {
  navigate = useNavigate()
  useScrollMemory()
  return null
}

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

it('each screen begins at its top that takes the place of one which was opened from outside', async () => {
  history.replaceState(null, '', '/CapitalDetail')
  render(
    <NavigationProvider>
      <Scrolled />
    </NavigationProvider>,
  )
  const scroll = vi.spyOn(window, 'scrollTo')
  for (const path of ['/login', '/']) {
    scroll.mockClear()
    await act(async () => navigate(path, { replace: true }))
    expect(scroll).toHaveBeenCalledWith(0, 0)
  }
})

it('a screen whose choice is in the middle of it stays where it is with another choice, and after going back', async () => {
  history.replaceState({ key: 'one' }, '', '/fairness')
  render(
    <NavigationProvider>
      <Scrolled />
    </NavigationProvider>,
  )
  vi.spyOn(window, 'scrollY', 'get').mockReturnValue(700)
  window.dispatchEvent(new Event('scroll'))
  const scroll = vi.spyOn(window, 'scrollTo').mockReturnValue()
  await act(async () => navigate('/fairness?game_id=2', { replace: true, stays: true }))
  expect(scroll.mock.calls).toEqual([[0, 700]])
  expect(history.state.key).toBe('one')
  await act(async () => navigate('/fairness?game_id=3', { replace: true }))
  expect(scroll.mock.lastCall).toEqual([0, 0])
})
