/** A piece of content: what its buttons do after a question. */
import {
  publishPiece,
  removePieceText,
  savePieceText,
  showPiece,
  withdrawPiece,
} from '@sum28/contract/staff-content-routes.ts'
import { ownSession } from '@sum28/contract/staff-own-routes.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { OWNER, openDialog, sample, showConsole } from '#src/testing/show-console.tsx'
// Loaded before the tests, none of which then waits for it.
import '#src/areas/content/piece-page.tsx'

const PIECE = {
  ...sample(showPiece),
  kind: 'announcement' as const,
  id: 5,
  version: 2,
  state: 'published' as const,
  published_at: 60,
  published_until: null,
  texts: [
    { lang: 'en' as const, title: 'News', html: '<p>It opens.</p>' },
    { lang: 'ja' as const, title: '新着', html: '<p>開きます。</p>' },
  ],
}

it.each([
  ['Withdraw', withdrawPiece, { ...PIECE, version: 3, state: 'withdrawn' as const }, 'withdrawn'],
  ['Take this language away', removePieceText, { ...PIECE, version: 3 }, /version 3/i],
])('%s acts on the version that is shown, and shows the next', async (name, route, after, text) => {
  const { mock, user } = await showConsole('/announcements/5/show', (mock) => {
    mock.answer(showPiece, PIECE)
    mock.answer(route, after)
  })
  await user.click(await screen.findByRole('tab', { name: '日本語' }))
  const panel = within(screen.getByRole('tabpanel', { name: '日本語' }))
  expect(panel.getByLabelText('Title').lang).toBe('ja')
  expect(screen.getByText('日本語').lang).toBe('ja')
  await user.click(await screen.findByRole('button', { name }))
  mock.answer(showPiece, after)
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await screen.findByText(text)
  expect(mock.requestsOf(route)).toHaveLength(1)
  expect(mock.requestsOf(route)[0]?.input).toMatchObject({
    kind: 'announcement',
    id: 5,
    version: 2,
  })
})

it('a failure that only a notification tells is not hidden by time, as what was done is', async () => {
  const { mock, user } = await showConsole('/announcements/5/show', (mock) => {
    mock.answer(showPiece, PIECE)
    mock.answer(savePieceText, PIECE)
  })
  const timers = vi.spyOn(globalThis, 'setTimeout')
  /** Whether a wait began that is as long as a notification is shown. */
  const hides = () => timers.mock.calls.some(([, ms]) => ms === 4_000)
  const save = async () => {
    await user.type(await screen.findByLabelText('Title'), '!')
    await user.click(screen.getByRole('button', { name: 'Save this language' }))
  }
  await save()
  await waitFor(() => expect(hides()).toBe(true))
  timers.mockClear()
  mock.refuse(savePieceText, { reason: 'fault', msg: 'The server is broken' })
  await save()
  await screen.findByText('The server is broken')
  expect(hides()).toBe(false)
})

it('published again, a time that was not changed stays the same instant', async () => {
  // Half past two comes twice in this night; this is the second one.
  const until = Date.parse('2026-10-25T01:30:05Z') / 1_000
  const { mock, user } = await showConsole('/announcements/5/show', (mock) => {
    mock.answer(ownSession, { ...OWNER, zone: 'Europe/Berlin' })
    mock.answer(showPiece, { ...PIECE, published_until: until })
    mock.answer(publishPiece, PIECE)
  })
  const dialog = await openDialog(user, 'Change the times')
  await user.click(dialog.getByRole('button', { name: 'Change the times' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(mock.requestsOf(publishPiece)[0]?.input).toMatchObject({ from: 60, until })
})

const AT_FAULT = {
  reason: 'invalid_input' as const,
  msg: 'Please check it',
  data: { fields: { until: 'too early', html: 'nothing is left of it' } },
}

it('what is refused because of a field is said, also when that field is out of sight', async () => {
  const { mock, user } = await showConsole('/announcements/5/show', (mock) => {
    mock.answer(showPiece, PIECE)
    mock.refuse(publishPiece, AT_FAULT)
  })
  const dialog = await openDialog(user, 'Change the times')
  await user.click(dialog.getByRole('button', { name: 'Change the times' }))
  await screen.findByText('Please check it')
  expect(screen.getByLabelText(/^Shown until/).getAttribute('aria-invalid')).toBe('true')
  expect(mock.requestsOf(publishPiece)).toHaveLength(1)
})

it('of a text that is refused the editor says so', async () => {
  const { user } = await showConsole('/announcements/5/show', (mock) => {
    mock.answer(showPiece, PIECE)
    mock.refuse(savePieceText, AT_FAULT)
  })
  const editor = await screen.findByRole('textbox', { name: 'Text' })
  expect(editor.hasAttribute('aria-invalid')).toBe(false)
  await user.type(await screen.findByLabelText('Title'), '!')
  await user.click(screen.getByRole('button', { name: 'Save this language' }))
  await screen.findByText('Please check it')
  expect(editor.getAttribute('aria-invalid')).toBe('true')
  const id = editor.getAttribute('aria-describedby') ?? ''
  expect(document.getElementById(id)?.textContent).toBe('nothing is left of it')
})

it('a link within the app leads nowhere in the preview, for the console’s host has no app', async () => {
  const html = '<p>See</p><a href="/fairness">Draws</a><a href="https://drand.example">Beacon</a>'
  const piece = { ...PIECE, texts: [{ lang: 'en' as const, title: 'News', html }] }
  await showConsole('/announcements/5/show', (mock) => mock.answer(showPiece, piece))
  const preview = within(await screen.findByRole('region', { name: 'Preview' }))
  const ofApp = preview.getByRole('link', { name: 'Draws' })
  expect(ofApp.getAttribute('aria-disabled')).toBe('true')
  expect(ofApp.hasAttribute('href')).toBe(false)
  const elsewhere = preview.getByRole('link', { name: 'Beacon' })
  expect(elsewhere.getAttribute('href')).toBe('https://drand.example')
  expect(elsewhere.getAttribute('target')).toBe('_blank')
})

it('Alt and an arrow open a calendar where the focus is in a time', async () => {
  await showConsole('/announcements/5/show', (mock) => mock.answer(showPiece, PIECE))
  const isLeft = (field: Element) => fireEvent.keyDown(field, { key: 'ArrowDown', altKey: true })
  expect(isLeft(await screen.findByLabelText(/^Shown until/))).toBe(true)
  expect(isLeft(screen.getByLabelText('Title'))).toBe(false)
})
