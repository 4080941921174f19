/**
 * An auditor sees all of the console, and has no button that changes anything. Method: each page is shown to an owner,
 * who has its buttons, and whose role then changes.
 */
import { mayDo } from '@sum28/contract/staff-actions.ts'
import {
  listBanners,
  listCategories,
  showAbout,
  showPiece,
  type WireAbout,
  type WireBanner,
} from '@sum28/contract/staff-content-routes.ts'
import { listFrozenAccounts } from '@sum28/contract/staff-house-routes.ts'
import { act, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { PLACES } from '#src/areas/all.ts'
import { actionOf } from '#src/areas/area.ts'
import { sessionOrNull, setSession } from '#src/data/session.ts'
import { sample, sampleRow, showConsole } from '#src/testing/show-console.tsx'
// Loaded before the tests, none of which then waits for it.
import '#src/areas/content/about-page.tsx'
import '#src/areas/content/picture-lists.tsx'
import '#src/areas/content/piece-lists.tsx'
import '#src/areas/content/piece-page.tsx'
import '#src/areas/games/stops-page.tsx'
import '#src/areas/money/bank-account-page.tsx'
import '#src/areas/players/frozen-account-list.tsx'
import '#src/areas/proposals/proposal-list.tsx'

it('he may see every menu entry, list, page and search', () => {
  expect(PLACES.filter((place) => !mayDo('auditor', actionOf(place)))).toEqual([])
})

const BANNER: WireBanner = {
  id: 1,
  version: 1,
  image: '/banners/exact.svg',
  link: '',
  shown: true,
  changed_by: null,
  changed_at: null,
}

const ABOUT: WireAbout = { lang: 'en', version: 1, html: '', changed_by: null, changed_at: null }

it.each([
  ['/stops', ['Stop', 'Plan']],
  ['/bank-account', ['Change']],
  ['/frozen-accounts', ['Freeze an account', 'End the freeze']],
  ['/proposals', ['Propose an adjustment', 'Record a bank deposit']],
  ['/banners', ['Add a banner', 'Upload a picture', 'Change']],
  ['/articles', ['New article']],
  ['/articles/1/show', ['Save', 'Save this language', 'Publish']],
  ['/about', ['Save this language']],
])('at %s he has none of an owner’s %j', async (address, names) => {
  await showConsole(address, (mock) => {
    mock.answer(listFrozenAccounts, { list: [sampleRow(listFrozenAccounts)], next: null })
    mock.answer(listBanners, [BANNER])
    mock.answer(showAbout, [ABOUT])
    mock.answer(listCategories, [{ id: 1, name: 'Money' }])
    mock.answer(showPiece, { ...sample(showPiece), id: 1, category_id: 1 })
  })
  for (const name of names) await screen.findByRole('button', { name })
  const session = sessionOrNull()
  act(() => setSession(session && { ...session, role: 'auditor' }))
  expect(screen.getByRole('heading', { level: 1 })).toBeTruthy()
  for (const name of names) expect(screen.queryAllByRole('button', { name })).toEqual([])
})
