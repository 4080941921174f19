import { Alert, ListSubheader } from '@mui/material'
import { stops } from '@sum28/contract/staff-house-routes.ts'
import { useOnline } from '@sum28/ui/use-window-value.ts'
import { type ReactNode, useEffect } from 'react'
import { Layout, Menu, useSidebarState, useTranslate } from 'react-admin'
import { Link } from 'react-router'
import { AREAS } from '#src/areas/all.ts'
import { useMay } from '#src/data/session.ts'
import { useReply } from '#src/data/use-reply.ts'
import { OpenActionDialog } from '#src/parts/action-button.tsx'
import { MomentText } from '#src/parts/values.tsx'
import { ConsoleBar } from '#src/shell/console-bar.tsx'
import { IdleWarning } from '#src/shell/idle-warning.tsx'
import { QueueSteps } from '#src/shell/queue-steps.tsx'
import { UnsavedGuard } from '#src/shell/unsaved-guard.tsx'

/** The shell around every page. */
export function ConsoleLayout({ children }: { children: ReactNode }) {
  return (
    <Layout appBar={ConsoleBar} menu={AreaMenu}>
      <TabTitle />
      <OfflineNotice />
      <StopNotice />
      <QueueSteps />
      {children}
      <OpenActionDialog />
      <IdleWarning />
      <UnsavedGuard />
    </Layout>
  )
}

/** The title of the browser's tab is that of the page. */
function TabTitle() {
  useEffect(() => {
    const title = document.getElementById('react-admin-title')
    if (!title) return
    const copy = () => {
      const text = title.textContent?.trim()
      document.title = text ? `${text} · Sum28` : 'Sum28'
    }
    const observer = new MutationObserver(copy)
    observer.observe(title, { childList: true, characterData: true, subtree: true })
    copy()
    return () => observer.disconnect()
  }, [])
  return null
}

const STOPS_MS = 15_000

/** On every page: that all betting is stopped. */
function StopNotice() {
  const may = useMay()
  return may(stops.action) ? <StopAlert /> : null
}

function StopAlert() {
  const translate = useTranslate()
  const { data } = useReply(stops, {}, { everyMs: STOPS_MS })
  if (!data || !(data.stopped || data.clocks_apart_since !== null)) return null
  return (
    <Alert severity="error" sx={{ marginTop: 2 }}>
      {translate(data.stopped ? 'console.stopped' : 'console.clocksApart')}{' '}
      {data.stop && <MomentText at={data.stop.stopped_at} />} {data.stop?.note}{' '}
      <Link to="/stops">{translate('console.toStops')}</Link>
    </Alert>
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
