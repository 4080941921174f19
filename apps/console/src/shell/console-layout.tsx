import { Alert, ListSubheader } from '@mui/material'
import { useOnline } from '@sum28/ui/use-window-value.ts'
import type { ReactNode } from 'react'
import { Layout, Menu, useSidebarState, useTranslate } from 'react-admin'
import { AREAS } from '#src/areas/all.ts'
import { useMay } from '#src/data/session.ts'
import { ConsoleBar } from '#src/shell/console-bar.tsx'
import { IdleWarning } from '#src/shell/idle-warning.tsx'
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

/** Shows that the device is offline: data may be stale, and actions fail. */
function OfflineNotice() {
  const translate = useTranslate()
  const online = useOnline()
  if (online) return null
  return (
    <Alert severity="warning" role="status" sx={{ marginTop: 2 }}>
      {translate('console.failure.offline')}
    </Alert>
  )
}

/** The menu: each area with the entries that the user may see. */
function AreaMenu() {
  const may = useMay()
  const translate = useTranslate()
  const [open] = useSidebarState()
  return (
    <Menu>
      {AREAS.map((area) => {
        const entries = area.menu.filter(({ action }) => may(action))
        if (entries.length === 0) return null
        return [
          open && area.label !== null && (
            <ListSubheader
              key={area.name}
              component="div"
              sx={{ lineHeight: 2.4, backgroundColor: 'transparent', position: 'static' }}
            >
              {translate(area.label)}
            </ListSubheader>
          ),
          ...entries.map(({ to, icon: Icon, label }) => (
            <Menu.Item key={to} to={to} primaryText={translate(label)} leftIcon={<Icon />} />
          )),
        ]
      })}
    </Menu>
  )
}
