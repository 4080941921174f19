import { expect, it } from 'vitest'
import { chatAddress } from '#src/features/use-support.ts'

it('opens a chat only at a web address', () => {
  expect(chatAddress('https://chat.example/room?a=1')).toBe('https://chat.example/room?a=1')
  expect(chatAddress('http://127.0.0.1:8080/')).toBe('http://127.0.0.1:8080/')
  for (const other of [null, undefined, '', 'javascript:alert(1)', 'data:text/html,x', '/chat']) {
    expect(chatAddress(other)).toBeNull()
  }
})
