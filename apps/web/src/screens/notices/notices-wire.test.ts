import { expect, it } from 'vitest'
import { noticesFromWire } from '#src/screens/notices/notices-wire.ts'

const message = (id: number, read: boolean) => ({
  id,
  title: `Message ${id}`,
  content: '<p>Text</p>',
  createtime: 1_795_209_540,
  read,
})

it('reads notices from the wire', () => {
  const notices = noticesFromWire({ zhannei: [message(2, false)], pingtai: [] }, undefined)
  expect(notices).toEqual({
    messages: [
      {
        id: 2,
        title: 'Message 2',
        html: '<p>Text</p>',
        sentAt: 1_795_209_540_000,
        unread: true,
      },
    ],
    announcements: [],
    seen: false,
  })
})

it('keeps a message unread until the player has seen it, although the server marks it as read', () => {
  const first = noticesFromWire({ zhannei: [message(1, false)], pingtai: [] }, undefined)
  const reply = { zhannei: [message(2, false), message(1, true)], pingtai: [] }
  const unread = (before: typeof first) =>
    noticesFromWire(reply, before)
      .messages.filter((each) => each.unread)
      .map(({ id }) => id)
  expect(unread(first)).toEqual([2, 1])
  expect(unread({ ...first, seen: true })).toEqual([2])
})
