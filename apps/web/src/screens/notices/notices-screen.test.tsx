import { noticeList } from '@sum28/contract/index-routes.ts'
import { gamesStream } from '@sum28/contract/stream.ts'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { profileQuery } from '#src/data/profile.ts'
import { queryClient } from '#src/data/query-client.ts'
import { href } from '#src/navigation/routes.ts'
import { knownMessages, noticesFromWire } from '#src/screens/notices/notices-screen.tsx'
import { leaveFor, showApp, useMockServer } from '#src/testing/show-app.tsx'
import { PROFILE } from '#src/testing/usual-replies.ts'

const server = useMockServer()

const NOTICE = {
  id: 1,
  title: 'Maintenance',
  content: '<p>We are closed on <b>Monday</b>.</p>',
  createtime: 1_795_000_000,
  read: true,
}

// That HTML does no harm depends on a real browser's parser: e2e/mock/content.spec.ts tests it there.
it('announcements are shown first, with their emphasis', async () => {
  server().answer(noticeList, { zhannei: [], pingtai: [NOTICE] })
  await showApp(href('notices'))
  await screen.findByText('Maintenance')
  expect((await screen.findByText('Monday')).tagName).toBe('B')
})

it('who cannot pull the screen fetches it again by a button', async () => {
  server().answer(noticeList, { zhannei: [], pingtai: [] })
  const { person } = await showApp(href('notices'))
  const button = await screen.findByRole('button', { name: 'Refresh' })
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  server().answer(noticeList, { zhannei: [], pingtai: [NOTICE] })
  await person.click(button)
  await screen.findByText('Maintenance')
})

it('unread messages are counted until the player opens them', async () => {
  const messages = [
    { ...NOTICE, id: 2, title: 'Deposit arrived', read: false },
    { ...NOTICE, id: 3, title: 'Welcome' },
  ]
  server().answer(noticeList, { zhannei: messages, pingtai: [] })
  // An event would fetch them again, and here they would be unread again.
  server().onOpen(gamesStream, () => {})
  const { person } = await showApp(href('notices'))
  await screen.findByText('1 unread message')
  await person.click(screen.getByRole('tab', { name: /^Messages/ }))
  await screen.findByText('Deposit arrived')
  expect(screen.getAllByText('New')).toHaveLength(1)
  // The messages are marked as seen once they are shown.
  await waitFor(() => expect(screen.queryByText('1 unread message')).toBe(null))
})

it('a lost reply is not followed by another call, which would show new messages as read', async () => {
  server().cutOff(noticeList)
  server().onOpen(gamesStream, () => {})
  await showApp(href('notices'))
  await screen.findByRole('button', { name: 'Try again' })
  expect(server().requestsOf(noticeList)).toHaveLength(1)
})

it('older messages follow the first hundred, and count as read only once they have come', async () => {
  let isInView = () => {}
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(onChange: (entries: { isIntersecting: boolean }[]) => void) {
        isInView = () => onChange([{ isIntersecting: true }])
      }
      observe() {}
      disconnect() {}
    },
  )
  const news = new Set([130, 129, 7])
  server().answer(userInfo, () => ({ ...PROFILE, unread: news.size }))
  server().answer(noticeList, ({ input: { before_id: before = 131 } }) => ({
    zhannei: Array.from({ length: Math.min(100, before - 1) }, (_, at) => {
      const id = before - 1 - at
      return message(id, !news.delete(id))
    }),
    pingtai: [],
  }))
  server().onOpen(gamesStream, () => {})
  const unread = () => queryClient.getQueryData(profileQuery.queryKey)?.unread
  await showApp(href('me'))
  await waitFor(() => expect(unread()).toBe(3))
  await leaveFor(href('notices', { tab: 'messages' }))
  await screen.findByText('Message 31')
  expect(unread()).toBe(1)
  isInView()
  await screen.findByText('Message 1')
  expect(unread()).toBe(0)
  await screen.findByText('130 entries')
  vi.unstubAllGlobals()
})

it('an error shows its reason and a button to try again', async () => {
  server().refuse(noticeList, { reason: 'unavailable', msg: 'Please try later', code: 503 })
  const { person } = await showApp(href('notices'))
  await screen.findByText('Please try later')
  server().answer(noticeList, { zhannei: [], pingtai: [NOTICE] })
  await person.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText('Maintenance')
})

it('a long notice is folded until the player unfolds it', async () => {
  const content = `<p>${'Many words. '.repeat(60)}</p>`
  server().answer(noticeList, { zhannei: [], pingtai: [{ ...NOTICE, content }] })
  const { person } = await showApp(href('notices'))
  const button = await screen.findByRole('button', { name: 'Read in full' })
  expect(button.getAttribute('aria-expanded')).toBe('false')
  await person.click(button)
  await screen.findByRole('button', { name: 'Show less', expanded: true })
})

const message = (id: number, read: boolean) => ({
  id,
  title: `Message ${id}`,
  content: '<p>Text</p>',
  createtime: 1_795_209_540,
  read,
})

it('keeps a message unread until the player has seen it, whatever the server says since', () => {
  const first = noticesFromWire({ zhannei: [message(1, false)], pingtai: [] }, knownMessages())
  const unread = (before: typeof first, isRead: boolean) => {
    const reply = { zhannei: [message(2, false), message(1, isRead)], pingtai: [] }
    return noticesFromWire(reply, knownMessages([before]))
      .messages.filter((each) => !each.read)
      .map(({ id }) => id)
  }
  expect(unread(first, true)).toEqual([2, 1])
  expect(unread({ ...first, seen: true }, false)).toEqual([2])
})
