import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useZoneOfGames, ZoneContext } from '#src/data/game-zone.ts'
import { queryClient } from '#src/data/query-client.ts'
import { NavigationProvider } from '#src/navigation/navigation.tsx'

/** The contexts that every component needs: data, the day of the games, and routes. */
export function Providers({ children }: { children: ReactNode }) {
  return (
    <QueryClientProvider client={queryClient}>
      <ZoneProvider>
        <NavigationProvider>{children}</NavigationProvider>
      </ZoneProvider>
    </QueryClientProvider>
  )
}

function ZoneProvider({ children }: { children: ReactNode }) {
  return <ZoneContext value={useZoneOfGames()}>{children}</ZoneContext>
}
