import { LinkContext } from '@sum28/ui/link.tsx'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryClient } from '#src/data/query-client.ts'
import { Link, NavigationProvider } from '#src/navigation/navigation.tsx'

/** The contexts that every component needs: data and routes. */
export function Providers({ children }: { children: ReactNode }) {
  return (
    <QueryClientProvider client={queryClient}>
      <NavigationProvider>
        <LinkContext value={Link}>{children}</LinkContext>
      </NavigationProvider>
    </QueryClientProvider>
  )
}
