import { identityInfo } from '@sum28/contract/money-routes.ts'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { href } from '#src/navigation/routes.ts'
import { showApp, useMockServer } from '#src/testing/show-app.tsx'

const server = useMockServer()

it('the address, which has one line, is filled in with one line', async () => {
  server().answer(identityInfo, { state: 'none', reason: null, pictures: 0, asked_from: null })
  await showApp(href('identity'))
  const address = await screen.findByLabelText<HTMLInputElement>('Address')
  // `street-address` has several lines, which browsers give to a text area alone.
  expect(address.autocomplete).toBe('address-line1')
})
