import { retryFailedChunks } from '@sum28/ui/chunk.ts'
import { Component, type ErrorInfo, type ReactNode } from 'react'
import { EmptyState } from '#src/features/loaded.tsx'
import { Page, PageHeader } from '#src/features/page.tsx'
import { useText } from '#src/i18n/text.ts'
import { useLocation } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { Button } from '#src/parts/button.tsx'

type CrashBoundaryProps = {
  /** When it changes, such as the address, the screens are rendered again. */
  resetKey: string
  children: ReactNode
}

type CrashBoundaryState = { crashed: boolean }

/** How often a screen that a translator has torn begins anew before the message is shown. */
const BEGINNINGS_MAX = 5

/**
 * Whether React could not remove a text or put something before it. A browser that translates the page puts other elements
 * in the place of its texts, and only a fresh beginning of the screen helps.
 */
function isTornByTranslator(error: unknown): boolean {
  return error instanceof DOMException
}

/**
 * Catches errors of screens, and code that cannot be loaded (offline, or replaced by a new build):
 * shows a message and a button that reloads the page.
 */
export class CrashBoundary extends Component<CrashBoundaryProps, CrashBoundaryState> {
  override state: CrashBoundaryState = { crashed: false }
  #beginnings = 0

  override componentDidMount(): void {
    window.addEventListener('online', this.#tryAgain)
  }

  override componentWillUnmount(): void {
    window.removeEventListener('online', this.#tryAgain)
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    console.error(error, info.componentStack)
    if (!isTornByTranslator(error) || this.#beginnings >= BEGINNINGS_MAX) return
    this.#beginnings += 1
    this.setState({ crashed: false })
  }

  static getDerivedStateFromError(): CrashBoundaryState {
    return { crashed: true }
  }

  override componentDidUpdate(before: CrashBoundaryProps): void {
    if (before.resetKey === this.props.resetKey) return
    this.#beginnings = 0
    this.#tryAgain()
  }

  #tryAgain = (): void => {
    if (!this.state.crashed) return
    retryFailedChunks()
    this.setState({ crashed: false })
  }

  override render(): ReactNode {
    if (!this.state.crashed) return this.props.children
    return <Crashed />
  }
}

function Crashed() {
  const t = useText()
  // From home one might come back to home alone, which would change nothing.
  const back = useLocation().pathname !== href('home')
  return (
    <Page header={<PageHeader title={t('crash.title')} back={back} />}>
      <EmptyState failed title={t('crash.title')} hint={t('crash.hint')}>
        <Button onClick={() => location.reload()}>{t('action.reloadPage')}</Button>
      </EmptyState>
    </Page>
  )
}
