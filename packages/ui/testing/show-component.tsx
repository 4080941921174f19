/** Renders one component with the components' own texts in English. */
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { loadUiTexts } from '#src/text.ts'

/** Returns the user that presses and types. */
export async function showComponent(
  component: ReactNode,
): Promise<ReturnType<typeof userEvent.setup>> {
  i18n.load('en', await loadUiTexts('en'))
  i18n.activate('en')
  render(<I18nProvider i18n={i18n}>{component}</I18nProvider>)
  return userEvent.setup()
}
