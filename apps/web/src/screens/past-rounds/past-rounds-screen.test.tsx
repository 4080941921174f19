import { issueList } from '@sum28/contract/lottery-routes.ts'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { href } from '#src/navigation/routes.ts'
import { wireResult } from '#src/testing/drawn-rounds.ts'
import { showApp, useMockServer } from '#src/testing/show-app.tsx'
import { GAME } from '#src/testing/usual-replies.ts'

const server = useMockServer()

it('a game without past rounds says none yet in a toast, and can be loaded again', async () => {
  const { person } = await showApp(href('pastRounds', { game_id: '2', name: GAME.name }))
  expect(await screen.findByText('None yet')).toBeTruthy()
  const list = [wireResult({ issue: '20261122001', digits: [7, 8, 0] })]
  server().answer(issueList, ({ input }) => (input.page ? { list, total: 1, page: 1 } : list))
  await person.click(await screen.findByRole('button', { name: 'Load again' }))
  await screen.findByText('1 entry')
  expect(screen.queryByRole('button', { name: 'Load again' })).toBe(null)
})
