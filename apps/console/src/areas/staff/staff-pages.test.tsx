/** What owners set for others, and members for themselves. */
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import {
  endMemberSession,
  listMembers,
  memberSessions,
  type WireMember,
} from '@sum28/contract/staff-house-routes.ts'
import { passkeyRoles, requirePasskey } from '@sum28/contract/staff-own-routes.ts'
import {
  addWebhook,
  chooseAlerts,
  listWebhooks,
  ownAlerts,
  removeWebhook,
} from '@sum28/contract/staff-start-routes.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openDialog, sampleRow, showConsole } from '#src/testing/show-console.tsx'
// Loaded before the tests, none of which then waits for it.
import '#src/areas/staff/alerts-page.tsx'
import '#src/areas/staff/audit-list.tsx'
import '#src/areas/staff/member-list.tsx'
import '#src/areas/staff/roles-page.tsx'

const BOB: WireMember = {
  id: 2,
  name: 'bob',
  role: 'support',
  email: null,
  active: true,
  createtime: 1,
  last_sign_in: 1,
  sessions: 1,
  codes_guessed: false,
}

it('an owner requires a passkey at the sign-in of a role', async () => {
  const { mock, user } = await showConsole('/roles', (mock) =>
    mock.answer(passkeyRoles, { roles: ['editor'] }),
  )
  const [auditors] = await screen.findAllByRole('row', { name: /^auditor/ })
  const name = 'Require a passkey'
  await user.click(within(auditors as HTMLElement).getByRole('button', { name }))
  mock.answer(passkeyRoles, { roles: ['editor', 'auditor'] })
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name }))
  await waitFor(() => expect(screen.getAllByText('with a passkey alone')).toHaveLength(2))
  const input = { role: 'auditor', required: true }
  expect(mock.requestsOf(requirePasskey)).toMatchObject([{ input }])
})

it('an owner sees and ends a colleague’s sessions', async () => {
  const { mock, user } = await showConsole('/members', (mock) => {
    mock.answer(listMembers, [BOB])
    const session = { id: 5, begun_at: 1, seen_at: 1, address: '192.0.2.0', current: false }
    mock.answer(memberSessions, [session])
  })
  await user.click(await screen.findByRole('button', { name: '1' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Sessions of bob' }))
  const name = 'End session'
  await user.click(await dialog.findByRole('button', { name }))
  await user.click(within(screen.getByRole('dialog', { name })).getByRole('button', { name }))
  await waitFor(() =>
    expect(mock.requestsOf(endMemberSession)).toMatchObject([{ input: { id: 5 } }]),
  )
})

it('an owner sees whose password is known to somebody who gives wrong codes', async () => {
  await showConsole('/members', (mock) =>
    mock.answer(listMembers, [
      { ...BOB, codes_guessed: true },
      { ...BOB, id: 3, name: 'cleo' },
    ]),
  )
  const bob = await screen.findByRole('row', { name: /bob/ })
  within(bob).getByText('wrong codes with the right password')
  expect(screen.getAllByText('wrong codes with the right password')).toHaveLength(1)
})

it('a member chooses his alerts; an owner adds a webhook, whose secret is shown once, and removes one', async () => {
  const { mock, user } = await showConsole('/alerts', (mock) => {
    const kinds = ['betting_stopped', 'check_failed'] as const
    mock.answer(ownAlerts, { list: kinds.map((kind) => ({ kind, chosen: true })) })
    const taken = { failed_since: null, failure: null, waiting: 0 }
    const made = { id: 1, url: 'https://alerts.example.org', made_by: 'ann', made_at: 1 }
    mock.answer(listWebhooks, [{ ...made, kinds: [...kinds], ...taken }])
    mock.answer(addWebhook, { id: 2, secret: 'whsec_2' })
  })
  await user.click(await screen.findByLabelText('A check failed'))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('Your choice is saved.')
  expect(mock.requestsOf(chooseAlerts)).toMatchObject([{ input: { kinds: ['betting_stopped'] } }])
  const dialog = await openDialog(user, 'Add an address')
  await user.type(dialog.getByLabelText(/^Address/), 'https://alerts.example.org/in')
  await user.click(dialog.getByRole('button', { name: 'Add an address' }))
  await dialog.findByText(/It is not shown again/)
  dialog.getByText('whsec_2')
  await user.click(dialog.getByRole('button', { name: 'I have kept it' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const removing = await openDialog(user, 'Remove')
  await user.click(removing.getByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(mock.inputsOf(removeWebhook)).toEqual([{ id: 1 }]))
})

it('a room in the log of actions has its name, and what has none its number', async () => {
  await showConsole('/audit', (mock) => {
    const row = sampleRow(listAuditRows)
    const list = [
      { ...row, id: 2, subject: 'room:11', subject_name: 'DOT · Basic' },
      { ...row, id: 1, subject: 'player:7', subject_name: null },
    ]
    mock.answer(listAuditRows, { list, next: null })
  })
  const room = await screen.findByRole('link', { name: 'room DOT · Basic' })
  expect(room.getAttribute('href')).toMatch(/\/rooms\/11\/show$/)
  screen.getByRole('link', { name: 'player 7' })
})
