import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { LinkContext } from '@sum28/ui/link.tsx'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryClient } from '#src/data/query-client.ts'
import { Link, NavigationProvider } from '#src/navigation/navigation.tsx'

/** The contexts that every component needs: texts, data, routes. */
export function Providers({ children }: { children: ReactNode }) {
  return (
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <NavigationProvider>
          <LinkContext value={Link}>{children}</LinkContext>
        </NavigationProvider>
      </QueryClientProvider>
    </I18nProvider>
  )
}
