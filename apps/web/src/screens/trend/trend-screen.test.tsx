import { issueList } from '@sum28/contract/lottery-routes.ts'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { href } from '#src/navigation/routes.ts'
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
