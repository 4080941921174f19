import { Portal } from '@mui/material'
import type { StaffAction } from '@sum28/contract/staff-actions.ts'
import { QueryClient } from '@tanstack/react-query'
import polyglotI18nProvider from 'ra-i18n-polyglot'
import englishMessages from 'ra-language-english'
import type { ComponentType, ReactNode } from 'react'
import { AccessDenied, Admin, CustomRoutes, Notification, Resource } from 'react-admin'
import { Route, useParams } from 'react-router'
import { themeOf } from '#src/app/theme.ts'
import { AREAS, PAGES, RESOURCES } from '#src/areas/all.ts'
import type { Texts } from '#src/areas/area.ts'
import { authProvider } from '#src/data/auth-provider.ts'
import { dataProvider } from '#src/data/data-provider.ts'
import { useMay } from '#src/data/session.ts'
import shell from '#src/i18n/en.json'
import { ConsoleLayout } from '#src/shell/console-layout.tsx'
import { SignInPage } from '#src/sign-in/sign-in-page.tsx'

const LIGHT = themeOf('light')
const DARK = themeOf('dark')

// A refused call is not retried, and the client itself retries a lost reply.
export const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })

/** To add a language, add a file beside each `en.json`, and import it here. */
function messages(): Texts {
  const all = [shell as Texts, ...AREAS.map(({ texts }) => texts)]
  return all.reduce<Texts>(merged, englishMessages as unknown as Texts)
}

function merged(one: Texts, other: Texts): Texts {
  const both: Record<string, string | Texts> = { ...one }
  for (const [key, value] of Object.entries(other)) {
    const before = both[key]
    both[key] =
      typeof before === 'object' && typeof value === 'object' ? merged(before, value) : value
  }
  return both
}

const i18nProvider = polyglotI18nProvider(() => messages() as never, 'en', {
  // Sentences of the server pass through here too; they are not keys.
  allowMissing: true,
})

export function Console() {
  return (
    <Admin
      title="Sum28"
      dataProvider={dataProvider}
      authProvider={authProvider}
      i18nProvider={i18nProvider}
      queryClient={queryClient}
      layout={ConsoleLayout}
      loginPage={SignInPage}
      notification={Notice}
      theme={LIGHT}
      darkTheme={DARK}
      requireAuth
      disableTelemetry
    >
      {RESOURCES.map(({ name, list, show, route, always }) => (
        <Resource
          key={name}
          name={name}
          options={{ route, always }}
          list={list}
          {...(show && { show: <RecordPage page={show} /> })}
        />
      ))}
      <CustomRoutes>
        {PAGES.map(({ name, action, page: Page }) => (
          <Route
            key={name}
            path={`/${name}`}
            element={
              <Allowed action={action}>
                <Page />
              </Allowed>
            }
          />
        ))}
      </CustomRoutes>
    </Admin>
  )
}

/** A notification, beside a dialog that is open: what was there before a dialog is hidden from readers. */
function Notice() {
  return (
    <Portal>
      <Notification />
    </Portal>
  )
}

/**
 * The page of one record. A step to the next record keeps the route's element; the page begins anew, so that nothing
 * that was shown, typed or checked for one record stands on the page of another.
 */
function RecordPage({ page: Page }: { page: ComponentType }) {
  return <Page key={useParams().id} />
}

/** Shows a page to users who may do its action, and a note to others. */
function Allowed({ action, children }: { action: StaffAction; children: ReactNode }) {
  const may = useMay()
  return may(action) ? children : <AccessDenied />
}
