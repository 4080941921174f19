/** Renders one component with the app's texts in English. */
import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { activateLanguage, loadAllTexts } from '#src/i18n/load.tsx'

/** Returns the user that presses and types. */
export async function showComponent(
  component: ReactNode,
): Promise<ReturnType<typeof userEvent.setup>> {
  await activateLanguage('en')
  await loadAllTexts('en')
  render(component)
  return userEvent.setup()
}
