import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { preloadData } from '#src/app/preload-data.ts'
import { Providers } from '#src/app/providers.tsx'
import { routeOf } from '#src/app/routes.ts'
import { preloadScreen } from '#src/app/screens.ts'
import { Shell } from '#src/app/shell.tsx'
import { canRestore, restoreSession } from '#src/data/session.ts'
import { activateStoredLanguage } from '#src/i18n/activate-language.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element #root')

// What the first screen needs is fetched side by side, not one after the other.
const first = routeOf(location.pathname)
if (first) {
  preloadScreen(first)
  preloadData(first)
}
if (canRestore()) restoreSession()
await activateStoredLanguage()

createRoot(root).render(
  <StrictMode>
    <Providers>
      <Shell />
    </Providers>
  </StrictMode>,
)
