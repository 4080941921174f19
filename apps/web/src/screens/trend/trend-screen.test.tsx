import { issueList } from '@sum28/contract/lottery-routes.ts'
import { gamesStream } from '@sum28/contract/stream.ts'
import { act, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { href } from '#src/navigation/routes.ts'
import type { OpenStream } from '#src/testing/contract-mock.ts'
import { wireResult } from '#src/testing/drawn-rounds.ts'
import { showApp, useMockServer } from '#src/testing/show-app.tsx'
import { GAME } from '#src/testing/usual-replies.ts'

const server = useMockServer()

it('a day from 2018-01-01 to today can be chosen', async () => {
  const { person } = await showApp(href('trend', { game_id: '2', name: GAME.name }))
  await person.click(await screen.findByRole('button', { name: /^Day shown/ }))
  const field = await screen.findByLabelText<HTMLInputElement>('Day')
  expect([field.min, field.max]).toEqual(['2018-01-01', '2026-11-20'])
})

it('a day without rounds says none yet in a toast, and can be loaded again', async () => {
  const { person } = await showApp(href('trend', { game_id: '2', name: GAME.name }))
  expect(await screen.findByText('None yet')).toBeTruthy()
  server().answer(issueList, [wireResult({ roundId: '20261122001', digits: [7, 8, 0] })])
  await person.click(await screen.findByRole('button', { name: 'Load again' }))
  await screen.findByRole('table')
  expect(screen.queryByRole('button', { name: 'Load again' })).toBe(null)
})

it('the table marks a round that no witness saw, and says what the mark means', async () => {
  const roundOf = (roundId: string) => wireResult({ roundId, digits: [7, 8, 0] })
  const unseen = { ...roundOf('20261122002'), witnessed: false }
  server().answer(issueList, [unseen, roundOf('20261122001')])
  await showApp(href('trend', { game_id: '2', name: GAME.name }))
  await screen.findByRole('rowheader', { name: '002 Not witnessed' })
  screen.getByRole('rowheader', { name: '001' })
  screen.getByText('Not witnessed', { selector: 'p *' })
})

it('the table of a day with more than 480 rounds has the newest 480, says so, and stays so as rounds are drawn', async () => {
  const roundId = (at: number) => `20261122${String(at).padStart(3, '0')}`
  const rounds = Array.from({ length: 600 }, (_, at) =>
    wireResult({ roundId: roundId(600 - at), digits: [7, 8, 0] }),
  )
  server().answer(issueList, ({ input }) => rounds.slice(0, input.limit ?? 480))
  let tell: OpenStream<typeof gamesStream>['send'] = () => {}
  server().onOpen(gamesStream, ({ send }) => {
    tell = send
    send('begin', [GAME])
  })
  await showApp(href('trend', { game_id: '2', name: GAME.name }))
  await screen.findByText('Hits in 480 rounds')
  await screen.findByText(/newest 480 rounds/)
  // By role it takes seconds among so many cells.
  const numbers = () => [...document.querySelectorAll('tbody th')].map((cell) => cell.textContent)
  expect([numbers().at(0), numbers().at(-1)]).toEqual(['600', '121'])
  const next = wireResult({ roundId: roundId(601), digits: [7, 8, 0] })
  act(() => tell('draws', [{ ...next, game_id: GAME.id }]))
  await waitFor(() => expect(numbers().at(0)).toBe('601'))
  expect([numbers().at(-1), numbers().length]).toEqual(['122', 480])
})
