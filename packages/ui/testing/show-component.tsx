/** Renders one component with the components' own texts in English. */
import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { activateMessages, loadUiTexts } from '#src/text.ts'

/** Returns the user that presses and types. */
export async function showComponent(
  component: ReactNode,
): Promise<ReturnType<typeof userEvent.setup>> {
  await loadUiTexts('en')
  activateMessages('en')
  render(component)
  return userEvent.setup()
}
