import { rules } from '@sum28/contract/index-routes.ts'
import { LANGUAGES } from '@sum28/ui/languages.ts'
import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { href } from '#src/navigation/routes.ts'
import { HELP_LINES, helpLinesFor } from '#src/screens/safer-play/help-lines.ts'
import { showApp, useMockServer } from '#src/testing/show-app.tsx'

const server = useMockServer()

it('the page is public, with phone numbers and the year of the data', async () => {
  await showApp(href('saferPlay'), { stranger: true })
  const number = await screen.findByRole<HTMLAnchorElement>('link', { name: '0808 8020 133' })
  expect(number.href).toBe('tel:08088020133')
  expect(screen.getByText(/as known in 2025; not checked again since/)).toBeTruthy()
})

it.each(LANGUAGES.map(({ locale }) => locale))(
  'the page names somebody who helps in %s',
  async (locale) => {
    await showApp(href('saferPlay'), { stranger: true, locale })
    expect(await screen.findByText('Gambling Therapy')).toBeTruthy()
  },
)

it.each(['home', 'login', 'register', 'rules'] as const)('%s leads to it', async (from) => {
  // The link stands there also where the rules’ numbers cannot be loaded.
  server().refuse(rules, { reason: 'unavailable', msg: 'Please try later', code: 503 })
  await showApp(href(from), { stranger: true })
  const links = await screen.findAllByRole<HTMLAnchorElement>('link', {
    name: /Safer play|Help and advice/,
  })
  expect(links[0]?.pathname).toBe(href('saferPlay'))
})

it.each(['me', 'limits', 'takeBreak'] as const)('%s leads a player to it', async (from) => {
  await showApp(href(from))
  const links = await screen.findAllByRole<HTMLAnchorElement>('link', { name: /Safer play/ })
  expect(links[0]?.pathname).toBe(href('saferPlay'))
})

describe('the help lines', () => {
  it.each(LANGUAGES.map(({ locale }) => locale))('have one that answers in %s', (locale) => {
    const { own, elsewhere } = helpLinesFor(locale)
    expect(own.length).toBeGreaterThan(0)
    expect([...own, ...elsewhere].length).toBe(HELP_LINES.length)
  })

  it('name a safe address, and a number that a phone can dial', () => {
    for (const { organisation, web, phone } of HELP_LINES) {
      expect(new URL(web).protocol, organisation).toBe('https:')
      if (phone) expect(phone, organisation).toMatch(/^[\d -]+( ext\. \d+)?$/)
    }
  })
})
