import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { Providers } from '#src/app/providers.tsx'
import { Shell } from '#src/app/shell.tsx'
import { followScheme } from '#src/data/device-settings.ts'
import { gamesQuery } from '#src/data/games.ts'
import { profileQuery } from '#src/data/profile.ts'
import { queryClient } from '#src/data/query-client.ts'
import { keepRestoring, pushFollowsSession } from '#src/data/session.ts'
import { currentSession } from '#src/data/session-watch.ts'
import { activateStoredLanguage } from '#src/i18n/activate-language.ts'
import { type RouteName, routeEntry, routeOf } from '#src/navigation/routes.ts'
import { preloadScreen } from '#src/navigation/screens.ts'
import { homeQuery, loadLaterParts } from '#src/screens/home/home.ts'

// What the first screen needs is fetched side by side, not one after the other.
const first = routeOf(location.pathname)
if (first) {
  preloadScreen(first)
  preloadGames(first)
}
followScheme()
await pause()
keepRestoring()
if (currentSession()) pushFollowsSession()
await activateStoredLanguage()
// The replies are in the present language.
if (currentSession()) queryClient.prefetchQuery(profileQuery)
if (first === 'home') {
  queryClient.prefetchQuery(homeQuery)
  loadLaterParts().catch(() => {})
}
await pause()

// React itself says so where index.html has no such element.
const root = createRoot(document.getElementById('root') as HTMLElement)
startTransition(() =>
  root.render(
    <StrictMode>
      <Providers>
        <Shell />
      </Providers>
    </StrictMode>,
  ),
)

/** A phone answers a finger and paints between the parts of this file's work, and then between React's short steps. */
function pause(): Promise<void> {
  return new Promise((done) => setTimeout(done))
}

function preloadGames(name: RouteName): void {
  const { access, waitsForGames } = routeEntry(name)
  const allowed = access === 'open' || currentSession() !== null
  if (name === 'home' || (allowed && waitsForGames)) queryClient.prefetchQuery(gamesQuery)
}
