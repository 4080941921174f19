/** The user's own account. */
import {
  ownSession,
  removeStaffPasskey,
  renewRecoveryCodes,
  staffPasskeys,
} from '@sum28/contract/staff-own-routes.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { queryClient } from '#src/app/console.tsx'
import { OWNER, openDialog, showConsole } from '#src/testing/show-console.tsx'
// Loaded before the tests, none of which then waits for it.
import '#src/areas/staff/own-page.tsx'
import '#src/areas/staff/roles-page.tsx'

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

const USED = { created_at: 1, used_at: null, cloned: false }
const [LAPTOP, PHONE] = [
  { ...USED, id: 5, name: 'laptop' },
  { ...USED, id: 6, name: 'phone' },
]
const CLONE = { ...USED, id: 7, name: 'clone', cloned: true }

it.each([
  ['the last one of a role that needs one', [LAPTOP], true, true, []],
  ['one of two', [LAPTOP, PHONE], true, true, ['laptop', 'phone']],
  ['the last one beside a copied one', [LAPTOP, CLONE], true, true, ['clone']],
  ['the last one of a member without a password', [LAPTOP], false, false, []],
  ['the last one of a member with a password', [LAPTOP], false, true, ['laptop']],
])(
  'a passkey is removed where he can still sign in: %s',
  async (_, list, required, has_password, removable) => {
    await showConsole('/own', (mock) => {
      mock.answer(ownSession, { ...OWNER, has_password })
      mock.answer(staffPasskeys, { list, required })
    })
    const table = within(await screen.findByRole('table', { name: 'Passkeys' }))
    const rows = table.getAllByRole('row').slice(1)
    const withButton = rows.filter((row) => within(row).queryByRole('button', { name: 'Remove' }))
    expect(withButton.map((row) => row.firstElementChild?.textContent)).toEqual(removable)
  },
)

it.each([
  ['one', [LAPTOP], 1],
  ['none that signs in', [CLONE], 0],
])('an owner who has %s requires a passkey of owners, or cannot', async (_, list, count) => {
  await showConsole('/roles', (mock) => mock.answer(staffPasskeys, { list, required: false }))
  const row = await screen.findByRole('row', { name: /^owner/i })
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  expect(within(row).queryAllByRole('button', { name: 'Require a passkey' })).toHaveLength(count)
})

it('two presses remove a passkey once', async () => {
  const { mock, user } = await showConsole('/own', (mock) => {
    mock.answer(ownSession, { ...OWNER, has_password: true })
    mock.answer(staffPasskeys, { list: [LAPTOP], required: false })
  })
  const dialog = await openDialog(user, 'Remove')
  await user.dblClick(dialog.getByRole('button', { name: 'Remove' }))
  await screen.findByText('The passkey is removed.')
  expect(mock.requestsOf(removeStaffPasskey)).toHaveLength(1)
})
