import { rules } from '@sum28/contract/index-routes.ts'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { href } from '#src/navigation/routes.ts'
import { showApp, useMockServer } from '#src/testing/show-app.tsx'
import { HOUSE_RULES } from '#src/testing/usual-replies.ts'

const server = useMockServer()

it('the rules say how much all bets of a round pay at most, as the server applies it', async () => {
  server().answer(rules, HOUSE_RULES)
  await showApp(href('rules'), { stranger: true })
  const text = await screen.findByText(/^All bets of one player in one round together pay/)
  expect(text.textContent).toContain('pay 250,000.00\u00a0u at most.')
})
