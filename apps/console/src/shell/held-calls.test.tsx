/** Rejections that are held and undone. */
import { rejectWithdrawal } from '@sum28/contract/staff-routes.ts'
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { hold, sendAllHeld } from '#src/data/held-calls.ts'
import { showConsole } from '#src/testing/show-console.tsx'
// Loaded before the tests, none of which then waits for it.
import '#src/areas/money/bank-account-page.tsx'

it('Ctrl+Z undoes the last of the held rejections, and names it', async () => {
  const { mock } = await showConsole('/bank-account', () => {})
  await screen.findByRole('button', { name: /^Search/ })
  const reject = (id: number, of: string) =>
    hold({
      ...{ route: rejectWithdrawal, request: { id, reason: 'no' } },
      shown: {
        action: { label: 'areas.money.reject', done: 'areas.money.rejected', children: of },
        values: {},
      },
    })
  act(() => reject(1, 'of ann'))
  act(() => reject(2, 'of bob'))
  const held = await screen.findByRole('region', { name: 'What can still be undone' })
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  expect(held.textContent).toContain('of ann')
  expect(held.textContent).not.toContain('of bob')
  expect((await screen.findByText(/^Undone/)).textContent).toContain('of bob')
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  expect(screen.queryByRole('region', { name: 'What can still be undone' })).toBeNull()
  await sendAllHeld()
  expect(mock.requestsOf(rejectWithdrawal)).toEqual([])
})
