import { LinkContext } from '@sum28/ui/link.tsx'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { GameZoneContext, useWatchedGameZone } from '#src/data/game-zone.ts'
import { queryClient } from '#src/data/query-client.ts'
import { Link, NavigationProvider } from '#src/navigation/navigation.tsx'

/** The contexts that every component needs: data, the day of the games, and routes. */
export function Providers({ children }: { children: ReactNode }) {
  return (
    <QueryClientProvider client={queryClient}>
      <GameZoneProvider>
        <NavigationProvider>
          <LinkContext value={Link}>{children}</LinkContext>
        </NavigationProvider>
      </GameZoneProvider>
    </QueryClientProvider>
  )
}

function GameZoneProvider({ children }: { children: ReactNode }) {
  return <GameZoneContext value={useWatchedGameZone()}>{children}</GameZoneContext>
}
