import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { CrashBoundary } from '#src/app/crash-boundary.tsx'
import { activateLanguage } from '#src/i18n/load.tsx'
import { NavigationProvider } from '#src/navigation/navigation.tsx'
import { showComponent } from '#src/testing/show-component.tsx'

/** Two texts in one element, one of which comes and goes. */
function Screen() {
  const [more, setMore] = useState(true)
  return (
    <p>
      {more && 'One. '}
      <button type="button" onClick={() => setMore(!more)}>
        Press
      </button>
    </p>
  )
}

/** As the translator of a browser does. */
function translate(text: ChildNode | null | undefined): void {
  const translated = document.createElement('font')
  translated.textContent = 'Eins. '
  text?.replaceWith(translated)
}

it('a screen whose texts a translator has replaced begins anew, and is not replaced by a message', async () => {
  await activateLanguage('en')
  const told = vi.spyOn(console, 'error').mockImplementation(() => {})
  const person = await showComponent(
    <NavigationProvider>
      <CrashBoundary resetKey="/">
        <Screen />
      </CrashBoundary>
    </NavigationProvider>,
  )
  translate(screen.getByRole('button').parentElement?.firstChild)
  await person.click(screen.getByRole('button'))
  expect(told).toHaveBeenCalled()
  expect(screen.getByText('One.')).toBeTruthy()
  expect(document.querySelector('font')).toBeNull()
  told.mockRestore()
})

it('an error of the screen itself shows the message, as the title too, and says it aloud', async () => {
  await activateLanguage('en')
  const told = vi.spyOn(console, 'error').mockImplementation(() => {})
  await showComponent(
    <NavigationProvider>
      <CrashBoundary resetKey="/">
        <Broken />
      </CrashBoundary>
    </NavigationProvider>,
  )
  const words = 'This page could not be shown'
  expect(screen.getByRole('alert').textContent).toContain(words)
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(words)
  expect(screen.queryByRole('button', { name: 'Back' })).toBeNull()
  expect(document.title).toBe(`${words} · Sum28`)
  told.mockRestore()
})

function Broken(): never {
  throw new Error('broken')
}
