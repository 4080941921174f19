import type { ReactNode } from 'react'
import { Layout } from 'react-admin'
import { AreaMenu } from '#src/shell/area-menu.tsx'
import { ConsoleBar } from '#src/shell/console-bar.tsx'
import { IdleWarning } from '#src/shell/idle-warning.tsx'
import { OfflineNotice } from '#src/shell/offline-notice.tsx'
import { QueueSteps } from '#src/shell/queue-steps.tsx'
import { UnsavedGuard } from '#src/shell/unsaved-guard.tsx'

/** The shell around every page. */
export function ConsoleLayout({ children }: { children: ReactNode }) {
  return (
    <Layout appBar={ConsoleBar} menu={AreaMenu}>
      <OfflineNotice />
      <QueueSteps />
      {children}
      <IdleWarning />
      <UnsavedGuard />
    </Layout>
  )
}
