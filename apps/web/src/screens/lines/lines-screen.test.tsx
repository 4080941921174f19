import { config } from '@sum28/contract/index-routes.ts'
import { act, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { setLineAddresses } from '#src/data/lines.ts'
import { currentSession } from '#src/data/session-watch.ts'
import { href } from '#src/navigation/routes.ts'
import { showApp, useMockServer } from '#src/testing/show-app.tsx'
import { CONFIG } from '#src/testing/usual-replies.ts'

const server = useMockServer()

it('a line’s round trip is measured by a call as any other', async () => {
  const line = 'https://line-2.example'
  const answer = server().fetch
  const requests: Request[] = []
  vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) => {
    requests.push(new Request(new URL(String(input), location.href), init))
    return answer(input, init)
  })
  server().answer(config, { ...CONFIG, lines: ['', line] })
  await showApp(href('lines'))
  await screen.findAllByText(/\d ms/)
  const calls = requests.filter(({ url }) => url.startsWith(line))
  expect(calls).not.toHaveLength(0)
  for (const { url, headers } of calls) {
    const query = new URL(url).searchParams
    expect([query.get('host'), query.get('lang')]).toEqual([location.host, 'en'])
    expect(headers.get('token')).toBe(currentSession()?.token)
  }
  act(() => setLineAddresses([]))
})
