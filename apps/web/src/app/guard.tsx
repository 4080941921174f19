import { type ReactNode, useEffect, useState } from 'react'
import { lineBase } from '#src/data/lines.ts'
import { canRestore, restoreSession } from '#src/data/session.ts'
import { placeBefore, useSignedIn } from '#src/data/session-watch.ts'
import { ErrorState } from '#src/features/loaded.tsx'
import { Page } from '#src/features/page.tsx'
import { text } from '#src/i18n/text.ts'
import { isLeft, useLocation, useNavigate } from '#src/navigation/navigation.tsx'
import { type Access, href } from '#src/navigation/routes.ts'
import { Skeleton, SkeletonRows } from '#src/parts/skeleton.tsx'
import { showToast } from '#src/parts/toast-store.ts'

const GUARD_TOAST_MS = 500

type GuardProps = { access: Access; children: ReactNode }

/** Wraps every screen: one that needs a session is not mounted without it. */
export function Guard({ access, children }: GuardProps) {
  const signedIn = useSignedIn()
  const [unreachable, setUnreachable] = useState(false)
  // Counts attempts: a refused one changes only a cookie, which React does not see.
  const [attempts, setAttempts] = useState(0)
  const navigate = useNavigate()
  const location = useLocation()
  // Over another line he may log in, while the page's own address is silent.
  const mayLogIn = unreachable && lineBase() !== ''
  const decision = decideGuard({ access, signedIn, canRestore: canRestore() && !mayLogIn })
  useEffect(() => {
    if (decision !== 'restore') return
    let left = false
    restoreSession().then((restored) => {
      if (left) return
      if (restored === 'unreachable') setUnreachable(true)
      else setAttempts((count) => count + 1)
    })
    return () => {
      left = true
    }
  }, [decision, attempts])

  useEffect(() => {
    // A player who signs out leaves first, and this screen stays until the next is loaded.
    if (decision !== 'login' || isLeft(location)) return
    showToast(text('toast.loading'), { forMs: GUARD_TOAST_MS, busy: true })
    const timer = setTimeout(() => {
      if (isLeft(location)) return
      navigate(href('login'), { replace: true, state: placeBefore(location) })
    }, GUARD_TOAST_MS)
    return () => clearTimeout(timer)
  }, [decision, navigate, location])

  if (decision === 'pass') return children
  if (decision === 'restore' && unreachable) {
    const retry = () => {
      setUnreachable(false)
      setAttempts((count) => count + 1)
    }
    return (
      <Page>
        <ErrorState onRetry={retry} />
      </Page>
    )
  }
  return <PageFallback />
}

/** The placeholder of a page while its code or its session is loading. */
export function PageFallback() {
  return (
    <Page>
      <Skeleton height={28} width="40%" />
      <Skeleton height={132} />
      <SkeletonRows count={4} />
    </Page>
  )
}

/**
 * `pass`: show the screen. `restore`: first get a session for the remembered device. `login`: show
 * the loading toast for 500 ms, then the login screen.
 */
type GuardDecision = 'pass' | 'restore' | 'login'

/** Decides who may see a screen. `canRestore`: remember-me was ticked and has not been refused since. */
export function decideGuard(visit: {
  access: Access
  signedIn: boolean
  canRestore: boolean
}): GuardDecision {
  if (visit.access === 'open' || visit.signedIn) return 'pass'
  return visit.canRestore ? 'restore' : 'login'
}
