/** The menu of the console. */
import type { Need } from '@sum28/contract/staff-start-routes.ts'
import { startNeeds } from '@sum28/contract/staff-start-routes.ts'
import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { showConsole } from '#src/testing/show-console.tsx'
// Loaded before the tests, none of which then waits for it.
import '#src/areas/money/bank-account-page.tsx'

it('an entry with a count leads to what is counted, the oldest first', async () => {
  const need = (need: Need, count: number, yours = true) => ({
    ...{ need, count, yours, since: 1, hour: 0, day: 0 },
  })
  const { user } = await showConsole('/bank-account', (mock) =>
    mock.answer(startNeeds, {
      needs: [
        ...[need('identities_waiting', 2), need('transfers_unmatched', 3, false)],
        ...[need('withdrawals_waiting', 4), need('payouts_due', 5)],
      ],
    }),
  )
  await user.click(await screen.findByRole('button', { name: 'Open menu' }))
  const linkOf = (list: string) => {
    const link = document.querySelector(`[role=menuitem][href^="${list}"]`)
    const [path, query] = (link?.getAttribute('href') ?? '').split('?')
    const { filter, ...sorting } = Object.fromEntries(new URLSearchParams(query))
    return [path, filter && JSON.parse(filter), sorting]
  }
  await waitFor(() => expect(linkOf('/identities')[1]).toBeDefined())
  expect(linkOf('/identities')).toEqual([
    ...['/identities', { state: 'waiting' }, { sort: 'sent_at', order: 'ASC' }],
  ])
  expect(linkOf('/withdrawals')).toEqual([
    ...['/withdrawals', { turn: 'you' }, { sort: 'queue', order: 'ASC' }],
  ])
  expect(linkOf('/unmatched-transfers')).toEqual(['/unmatched-transfers', undefined, {}])
})
