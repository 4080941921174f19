import fc from 'fast-check'
import { expect, it, vi } from 'vitest'

// What calls the server reads its own host while it is loaded.
vi.hoisted(() => Object.assign(globalThis, { location: { host: 'play.example', origin: '' } }))

import { eventStreamParser } from '#src/data/live/read-stream.ts'

const TEXT =
  ': open\n\nevent: round\ndata: {"issue":"1"}\n\n: ping\n\nevent: feed\r\ndata: [1,\r\ndata: 2]\r\n\r\nid: 7\ndata:bare\n\n'

const EVENTS = [
  { name: 'round', data: '{"issue":"1"}' },
  { name: 'feed', data: '[1,\n2]' },
  { name: 'message', data: 'bare' },
]

it('returns the events of a stream, and ignores comments and other fields', () => {
  expect(eventStreamParser()(TEXT)).toEqual(EVENTS)
})

it('returns the same events wherever the text was cut', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(TEXT.length), { maxLength: 12 }), (cuts) => {
      const read = eventStreamParser()
      const at = [0, ...cuts.sort((a, b) => a - b), TEXT.length]
      const events = at.slice(1).flatMap((end, piece) => read(TEXT.slice(at[piece], end)))
      expect(events).toEqual(EVENTS)
    }),
  )
})

it('returns no event before its end', () => {
  const read = eventStreamParser()
  expect(read('event: feed\ndata: [1]\n')).toEqual([])
  expect(read('\n')).toEqual([{ name: 'feed', data: '[1]' }])
})

it('returns no event without data', () => {
  expect(eventStreamParser()('event: end\n\ndata: 1\n\n')).toEqual([{ name: 'message', data: '1' }])
})
