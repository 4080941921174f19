/** The user's own account. */
import {
  ownSession,
  removeStaffPasskey,
  renewRecoveryCodes,
  staffPasskeys,
} from '@sum28/contract/staff-own-routes.ts'
import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { OWNER, openDialog, showConsole } from '#src/testing/show-console.tsx'
// Loaded before the tests, none of which then waits for it.
import '#src/areas/staff/own-page.tsx'

it('new recovery codes are shown once, after password and code', async () => {
  const { mock, user } = await showConsole('/own', (mock) => {
    mock.answer(ownSession, { ...OWNER, has_password: true })
    mock.answer(renewRecoveryCodes, { recovery_codes: ['abcd-efgh'] })
  })
  await user.click(await screen.findByRole('button', { name: 'New recovery codes' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New recovery codes' }))
  await user.type(dialog.getByLabelText(/^Password/), 'a password')
  await user.type(dialog.getByLabelText(/code/i), '123456')
  await user.click(dialog.getByRole('button', { name: 'New recovery codes' }))
  const codes = await screen.findByRole('list', { name: 'Recovery codes' })
  expect(within(codes).getByText('abcd-efgh')).toBeTruthy()
  expect(document.activeElement?.textContent).toBe('Save as a file')
  expect(mock.requestsOf(renewRecoveryCodes)[0]?.input).toEqual({
    password: 'a password',
    totp: '123456',
  })
})

it('two presses remove a passkey once', async () => {
  const { mock, user } = await showConsole('/own', (mock) => {
    const passkey = { id: 5, name: 'laptop', created_at: 1, used_at: null, cloned: false }
    mock.answer(staffPasskeys, { list: [passkey], required: false })
  })
  const dialog = await openDialog(user, 'Remove')
  await user.dblClick(dialog.getByRole('button', { name: 'Remove' }))
  await screen.findByText('The passkey is removed.')
  expect(mock.requestsOf(removeStaffPasskey)).toHaveLength(1)
})
