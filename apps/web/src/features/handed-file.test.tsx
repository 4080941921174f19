import { render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { HandedFile } from '#src/features/handed-file.tsx'
import { activateLanguage, loadAllTexts } from '#src/i18n/load.tsx'
import { showComponent } from '#src/testing/show-component.tsx'

const FILE = { name: 'bets.csv', blob: new Blob(['a;b'], { type: 'text/csv' }) }

beforeAll(async () => {
  await activateLanguage('en')
  await loadAllTexts('en')
})

afterEach(() => vi.unstubAllGlobals())

const show = (file: typeof FILE) => showComponent(<HandedFile file={file} />)

it('nothing is said before a file was handed to the browser, and then not that it is saved', async () => {
  const { rerender } = render(<HandedFile file={null} />)
  // A region that came with its text would not be read.
  const note = screen.getByRole('status')
  expect(document.body.textContent).toBe('')
  rerender(<HandedFile file={FILE} />)
  expect(note.textContent).toContain('bets.csv was handed to the browser to save')
  expect(note.textContent).not.toMatch(/was saved|is saved/)
})

it('where the browser can share files, the file can be shared instead', async () => {
  const share = vi.fn()
  vi.stubGlobal('navigator', { ...navigator, canShare: () => true, share })
  const person = await show(FILE)
  await person.click(screen.getByRole('button', { name: 'Share file' }))
  expect(share.mock.calls[0]?.[0].files[0].name).toBe('bets.csv')
})

it('a text can be copied instead, another file not', async () => {
  const person = await show(FILE)
  const writeText = vi.fn()
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } })
  await person.click(screen.getByRole('button', { name: 'Copy contents' }))
  await waitFor(() => expect(writeText).toHaveBeenCalledWith('a;b'))
  document.body.innerHTML = ''
  await show({ name: 'data.zip', blob: new Blob([], { type: 'application/zip' }) })
  expect(screen.queryByRole('button')).toBeNull()
})
