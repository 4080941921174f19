/** The pictures that players see in an order. */
import {
  addBanner,
  listBanners,
  raiseBanner,
  saveBanner,
  uploadPicture,
} from '@sum28/contract/staff-content-routes.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { showConsole } from '#src/testing/show-console.tsx'
// Loaded before the tests, none of which then waits for it.
import '#src/areas/content/picture-lists.tsx'

it('an uploaded picture is in the form of the next banner; each but the first is moved up, and all are hidden', async () => {
  const banner = (id: number) => ({
    ...{ id, version: 1, image: '/old.webp', link: '', shown: true },
    changed_by: null,
    changed_at: null,
  })
  const { mock, user } = await showConsole('/banners', (mock) => {
    mock.answer(listBanners, [banner(1), banner(2)])
    mock.answer(uploadPicture, { image: '/uploads/new.webp' })
  })
  const inDialog = async (button: HTMLElement | undefined) => {
    await user.click(button as HTMLElement)
    const dialog = within(await screen.findByRole('dialog'))
    return {
      dialog,
      send: () => user.click(dialog.getByRole('button', { name: button?.textContent ?? '' })),
    }
  }
  await screen.findAllByRole('button', { name: 'Change' })
  const file = new File(['a'], 'a.png', { type: 'image/png' })
  await user.upload(document.querySelector('input[type=file]') as HTMLInputElement, file)
  await screen.findByText(/uploads\/new\.webp/)
  const adding = await inDialog(screen.getByRole('button', { name: 'Add a banner' }))
  await user.type(adding.dialog.getByLabelText(/^Leads to/), '/hall')
  await adding.send()
  const added = { image: '/uploads/new.webp', link: '/hall', shown: true }
  await waitFor(() => expect(mock.requestsOf(addBanner)).toMatchObject([{ input: added }]))

  const [up, ...others] = screen.getAllByRole('button', { name: 'Move up' })
  expect(others).toEqual([])
  await (await inDialog(up)).send()
  await waitFor(() => expect(mock.requestsOf(raiseBanner)).toMatchObject([{ input: { id: 2 } }]))

  const changing = await inDialog(screen.getAllByRole('button', { name: 'Change' })[0])
  await user.click(changing.dialog.getByLabelText(/^Shown/))
  await user.click(await screen.findByRole('option', { name: 'hidden' }))
  await changing.send()
  const hidden = { id: 1, version: 1, shown: false }
  await waitFor(() => expect(mock.requestsOf(saveBanner)).toMatchObject([{ input: hidden }]))
})
