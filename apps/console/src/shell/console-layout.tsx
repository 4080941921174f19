import type { ReactNode } from 'react'
import { Layout } from 'react-admin'
import { AreaMenu } from '#src/shell/area-menu.tsx'
import { ConsoleBar } from '#src/shell/console-bar.tsx'
import { IdleWarning } from '#src/shell/idle-warning.tsx'
import { OfflineNotice } from '#src/shell/offline-notice.tsx'

/** The shell around every page. */
export function ConsoleLayout({ children }: { children: ReactNode }) {
  return (
    <Layout appBar={ConsoleBar} menu={AreaMenu}>
      <OfflineNotice />
      {children}
      <IdleWarning />
    </Layout>
  )
}
