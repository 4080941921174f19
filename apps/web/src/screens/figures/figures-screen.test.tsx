import { figures } from '@sum28/contract/own-routes.ts'
import { protectionChanges } from '@sum28/contract/protection-routes.ts'
import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { href } from '#src/navigation/routes.ts'
import { showApp, useMockServer } from '#src/testing/show-app.tsx'

const server = useMockServer()

const NOTHING = {
  deposited: '0.00',
  withdrawn: '0.00',
  net_deposited: '0.00',
  staked: '0.00',
  won: '0.00',
  net: '0.00',
}
const YEAR = {
  deposited: '900.00',
  withdrawn: '100.00',
  net_deposited: '800.00',
  staked: '250.00',
  won: '200.00',
  net: '-50.00',
}
const LIFETIME = { ...YEAR, deposited: '5900.00', net_deposited: '5800.00' }

function answer() {
  const months = Array.from({ length: 12 }, (_, at) => ({
    month: `2026-${String(at + 1).padStart(2, '0')}`,
    ...(at === 11 ? YEAR : NOTHING),
  }))
  server().answer(figures, {
    since: 1_700_000_000,
    lifetime: LIFETIME,
    year: YEAR,
    months,
  })
}

it('the figures of twelve months and of all time are shown, and each month', async () => {
  answer()
  const { person } = await showApp(href('settings', { type: '2' }))
  await person.click(await screen.findByRole('link', { name: 'My figures' }))
  const year = await screen.findByRole('tabpanel', { name: 'Last 12 months' })
  within(year).getByText(/900\.00/)
  within(year).getByText(/800\.00/)
  within(year).getByText(/-50\.00|−50\.00/)
  await person.click(screen.getByRole('tab', { name: 'All time' }))
  within(await screen.findByRole('tabpanel', { name: 'All time' })).getByText(/5,900\.00/)
  // The chart says in words what it shows.
  expect(screen.getByRole('img', { name: /Dec 2026 .50\.00/ })).toBeTruthy()
  expect(screen.getAllByText(/2026$/)).toHaveLength(12)
})

it('the log of changes has each limit with its value before and after', async () => {
  server().answer(protectionChanges, {
    total: 2,
    page: 1,
    list: [
      {
        id: 2,
        what: 'limit_raise_asked',
        createtime: 1_795_000_000,
        kind: 'loss',
        period: 'week',
        before: '100.00',
        after: null,
        until: null,
        name: null,
      },
      {
        id: 1,
        what: 'check_set',
        createtime: 1_795_000_000,
        kind: null,
        period: null,
        before: null,
        after: '30',
        until: null,
        name: null,
      },
    ],
  })
  answer()
  const { person } = await showApp(href('figures'))
  await person.click(await screen.findByRole('link', { name: 'Log of changes' }))
  await screen.findByText('Higher limit asked for')
  screen.getByText('Weekly loss limit · 100.00 u → none')
  screen.getByText('usual → 30 minutes')
})

it('the log of changes says what support did to the account', async () => {
  const words = {
    factor_off: 'Two-step login switched off',
    code_reset: 'Security code deleted by support',
    password_required: 'New password required by support',
    signed_out: 'Logged out everywhere by support',
    password_changed: 'Password changed',
    security_code_changed: 'Security code saved',
  }
  const nothing = { kind: null, period: null, before: null, after: null, until: null, name: null }
  const list = Object.keys(words).map((what, id) => ({ ...nothing, id, what, createtime: 1 }))
  server().answer(protectionChanges, { total: list.length, page: 1, list })
  await showApp(href('changes'))
  for (const text of Object.values(words)) await screen.findByText(text)
})
