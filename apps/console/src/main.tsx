import '@sum28/ui/styles/tokens.css'
import './app/console.css'
import './app/blocked-storage.ts'
import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { Console } from '#src/app/console.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('the page has no root element')

/** The server gives each page a nonce; inserted style sheets must have it. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
const styles = createCache({ key: 'css', nonce, prepend: true })

/** A router that can ask for confirmation before the user leaves a page. */
const router = createBrowserRouter([{ path: '*', element: <Console /> }], {
  basename: '/console',
})

createRoot(root).render(
  <CacheProvider value={styles}>
    {/*
      As a transition, a change of page waits for ever where the page it leaves keeps rendering: to send a user to
      the sign-in page, react-admin moves there and clears the session again and again until the page has changed.
    */}
    <RouterProvider router={router} useTransitions={false} />
  </CacheProvider>,
)
