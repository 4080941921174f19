/** What is typed when a session ends. */
import { CODES } from '@sum28/contract/envelope.ts'
import { showAbout } from '@sum28/contract/staff-content-routes.ts'
import { proposeMember } from '@sum28/contract/staff-house-routes.ts'
import { ownSession } from '@sum28/contract/staff-own-routes.ts'
import { staffLogin, staffLogout } from '@sum28/contract/staff-routes.ts'
import { fireEvent, screen, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { unsavedForms } from '#src/data/unsaved.ts'
import { OWNER, openDialog, sample, showConsole } from '#src/testing/show-console.tsx'
// Loaded before the tests, none of which then waits for it.
import '#src/areas/content/about-page.tsx'
import '#src/areas/games/stops-page.tsx'
import '#src/areas/money/bank-account-page.tsx'
import '#src/areas/staff/member-list.tsx'

const ALONE = { ...OWNER, decides_alone: true, has_password: true }
const ENDED = { reason: 'session_expired', msg: 'Ended', code: CODES.tokenExpired } as const

afterEach(() => sessionStorage.clear())

function fill(field: HTMLElement, value: string) {
  fireEvent.change(field, { target: { value } })
}

/** An owner who decides alone has typed a new member, with password and code. */
async function typeMember() {
  const shown = await showConsole('/members', (mock) => mock.answer(ownSession, ALONE))
  const { user } = shown
  const open = async () => {
    return openDialog(user, 'Add a member')
  }
  const dialog = await open()
  fill(dialog.getByLabelText(/Name/), 'bob')
  fill(dialog.getByLabelText(/mail/), 'bob@example.org')
  fill(dialog.getByLabelText(/Reason/), 'He is new')
  fill(dialog.getByLabelText(/Password/), 'geheim-1')
  fill(dialog.getByLabelText(/Code of/), '987654')
  return { ...shown, open, dialog }
}

async function signIn({
  user,
  mock,
}: Pick<Awaited<ReturnType<typeof typeMember>>, 'user' | 'mock'>) {
  mock.answer(staffLogin, sample(staffLogin))
  fill(await screen.findByLabelText(/Name/), 'ann')
  fill(screen.getByLabelText(/Password/), 'x')
  fill(screen.getByLabelText(/Code of/), '123456')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
}

it('is there again for the same member after he has signed in anew, except password and code', async () => {
  const { mock, user, open, dialog } = await typeMember()
  mock.refuse(proposeMember, ENDED)
  mock.refuse(staffLogout, ENDED)
  await user.click(dialog.getByRole('button', { name: 'Add a member' }))
  await screen.findByRole('button', { name: 'Sign in' })
  const kept = JSON.stringify({ ...sessionStorage })
  expect(kept).toContain('He is new')
  expect(kept).not.toMatch(/geheim-1|987654/)
  await signIn({ user, mock })
  const again = await open()
  const value = (label: RegExp) => again.getByLabelText<HTMLInputElement>(label).value
  expect([value(/Reason/), value(/Password/), value(/Code of/)]).toEqual(['He is new', '', ''])
  // Once.
  await user.click(again.getByRole('button', { name: 'Cancel' }))
  expect((await open()).getByLabelText<HTMLInputElement>(/Reason/).value).toBe('')
})

it('a page with unsaved text is left only after a confirmation', async () => {
  const { user } = await showConsole('/about', (mock) => {
    localStorage.setItem('sum28.console.html', 'yes')
    const text = { lang: 'en', version: 1, html: '', changed_by: null, changed_at: null } as const
    mock.answer(showAbout, [text])
  })
  const html = await screen.findByLabelText<HTMLTextAreaElement>('Text (HTML)')
  fill(html, '<p>Half a sentence</p>')
  const leave = async () => {
    await user.click(screen.getByRole('button', { name: /^Search/ }))
    await user.type(await screen.findByRole('combobox'), 'stops{Enter}')
    return within(await screen.findByRole('dialog', { name: 'Leave without saving?' }))
  }
  await user.click((await leave()).getByRole('button', { name: 'Stay' }))
  expect(html.value).toBe('<p>Half a sentence</p>')
  await user.click((await leave()).getByRole('button', { name: 'Leave' }))
  await screen.findByRole('heading', { name: 'Stops' })
  expect(unsavedForms()).toBe(0)
})

it('the last minutes of a session that nothing prolongs are told without closing the page', async () => {
  await showConsole('/bank-account', (mock) =>
    mock.answer(ownSession, { ...ALONE, idle_seconds_left: 900, seconds_left: 60 }),
  )
  await screen.findByText(/Save what you have typed/)
  expect(screen.queryByRole('dialog')).toBeNull()
})
