/** Where a screen begins: at its top, whichever entry of the history it takes the place of. */
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
