import ExpandLess from '@mui/icons-material/ExpandLess'
import ExpandMore from '@mui/icons-material/ExpandMore'
import {
  Alert,
  Badge,
  Button,
  Chip,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  ListItemButton,
  Portal,
  Snackbar,
  Stack,
  type Theme,
  Typography,
  useMediaQuery,
} from '@mui/material'
import { type StopState, stops } from '@sum28/contract/staff-house-routes.ts'
import { startNeeds } from '@sum28/contract/staff-start-routes.ts'
import { retryFailedChunks } from '@sum28/ui/chunk.ts'
import { keepFocus } from '@sum28/ui/keep-focus.ts'
import { watchForNewBuild } from '@sum28/ui/new-build.ts'
import { useOnline } from '@sum28/ui/use-window-value.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import {
  Layout,
  Loading,
  Menu,
  Sidebar,
  type SidebarProps,
  useLogout,
  useNotify,
  useSidebarState,
  useStore,
  useTranslate,
} from 'react-admin'
import { Link, matchPath, parsePath, useBlocker, useLocation } from 'react-router'
import { AREAS } from '#src/areas/all.ts'
import { waitingLists } from '#src/areas/start/start-page.tsx'
import { isSessionEnd } from '#src/data/call.ts'
import { loadSession, sessionOrNull, useMay, useSession } from '#src/data/session.ts'
import { unsavedForms } from '#src/data/unsaved.ts'
import { useReply } from '#src/data/use-reply.ts'
import { OpenActionDialog } from '#src/parts/action-button.tsx'
import { NotRefreshed } from '#src/parts/loaded.tsx'
import { MomentText } from '#src/parts/values.tsx'
import { ConsoleBar } from '#src/shell/console-bar.tsx'
import { HeldCalls } from '#src/shell/held-calls.tsx'
import { useMenuEntries } from '#src/shell/menu-entries.ts'
import { focusNextPage, useNextPageFocus } from '#src/shell/page-focus.ts'
import { QueueSteps } from '#src/shell/queue-steps.tsx'

/**
 * The shell around every page. Until the server has ended the session of a member who signs out, nothing of it is
 * there: it would ask for more without a session.
 */
export function ConsoleLayout({ children }: { children: ReactNode }) {
  const isSignedIn = useSession() !== null
  useFailedFilesAgain()
  useEffect(() => keepFocus(document, { home: '#main-content', alsoNewPages: true }), [])
  if (!isSignedIn) return <Loading sx={{ height: '100vh' }} />
  return (
    <Layout appBar={ConsoleBar} menu={AreaMenu} sidebar={MenuFrame}>
      <TabTitle />
      <OfflineNotice />
      <NewBuildNotice />
      <StopNotice />
      <MenuNotice />
      <QueueSteps />
      {children}
      <OpenActionDialog />
      <HeldCalls />
      <IdleWarning />
      <UnsavedGuard />
    </Layout>
  )
}

/** The width of a tablet, all of which its lists need: the menu is icons alone until it is opened. */
const TABLET = '(min-width: 600px) and (max-width: 1100px)'

/**
 * The library's frame of the menu, which begins anew when the window becomes as narrow as a phone, or wide. The same
 * frame would open the menu as a dialog and close it before it is in the document: then the library never ends that
 * dialog, and hides the page from readers. From an entry the focus goes to its page.
 */
function MenuFrame(props: SidebarProps) {
  const isPhone = useMediaQuery<Theme>((theme) => theme.breakpoints.down('sm'))
  const isTablet = useMediaQuery(TABLET)
  const [, setOpen] = useSidebarState()
  const translate = useTranslate()
  useNextPageFocus()
  useEffect(() => {
    if (!isTablet) return
    setOpen(false)
    return () => {
      if (innerWidth > 1100) setOpen(true)
    }
  }, [isTablet, setOpen])
  return (
    <Sidebar
      key={String(isPhone)}
      {...props}
      {...(isPhone && { slotProps: { paper: { 'aria-label': translate('console.menu') } } })}
      onClick={({ target, defaultPrevented }) => {
        // Those that the router follows; others open a tab of their own.
        if (defaultPrevented && target instanceof Element && target.closest('a')) focusNextPage()
      }}
    />
  )
}

/** A notice's distance from what stands above it. */
const BELOW = { marginTop: 2 }

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

/** Whether the last fetch failed. While nothing has ever come, the library forgets that at each new fetch. */
function isOld({ data, error, errorUpdateCount }: UseQueryResult): boolean {
  return error !== null || (data === undefined && errorUpdateCount > 0)
}

const STOPS_MS = 15_000

/** On every page: that all betting is stopped. */
function StopNotice() {
  const may = useMay()
  return may(stops.action) ? <StopAlert /> : null
}

function StopAlert() {
  const answer = useReply(stops, {}, { everyMs: STOPS_MS })
  const { data } = answer
  return (
    <>
      {isOld(answer) && <NotRefreshed {...answer} text="console.stopsNotRefreshed" sx={BELOW} />}
      {data && (data.stopped || data.clocks_apart_since !== null) && <StopText state={data} />}
    </>
  )
}

function StopText({ state: { stopped, stop } }: { state: StopState }) {
  const translate = useTranslate()
  return (
    <Alert severity="error" sx={BELOW}>
      {translate(stopped ? 'console.stopped' : 'console.clocksApart')}{' '}
      {stop && <MomentText at={stop.stopped_at} />} {stop?.note}{' '}
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
    <Alert severity="warning" sx={BELOW}>
      {translate('console.failure.offline')}
    </Alert>
  )
}

/** That this page is of an earlier build than the server's: what the newer one knows is not on it. */
function NewBuildNotice() {
  const translate = useTranslate()
  const [ready, setReady] = useState(false)
  useEffect(() => watchForNewBuild('/console/', () => setReady(true)), [])
  if (!ready) return null
  const reload = (
    <Button color="inherit" onClick={() => location.reload()}>
      {translate('console.reload')}
    </Button>
  )
  return (
    <Alert severity="info" role="alert" sx={BELOW} action={reload}>
      {translate('console.newBuild')}
    </Alert>
  )
}

/** A file that could not be loaded is asked for again with the next page, and once the network is back. */
function useFailedFilesAgain() {
  const { pathname } = useLocation()
  // With each page.
  useEffect(retryFailedChunks, [pathname])
  useEffect(() => {
    window.addEventListener('online', retryFailedChunks)
    return () => window.removeEventListener('online', retryFailedChunks)
  }, [])
}

const NEEDS_MS = 30_000

/** What waits, as the menu counts it. */
function useNeeds() {
  return useReply(startNeeds, {}, { everyMs: NEEDS_MS })
}

/** On every page: that the numbers in the menu may be old. */
function MenuNotice() {
  const answer = useNeeds()
  if (!isOld(answer)) return null
  return <NotRefreshed {...answer} text="console.menuNotRefreshed" sx={BELOW} />
}

/**
 * The menu: each area with the entries that the user may see, and how many tasks wait there; then an entry leads to
 * these, the oldest first. An area can be folded.
 */
function AreaMenu() {
  const entriesOf = useMenuEntries()
  const translate = useTranslate()
  const [open] = useSidebarState()
  const [folded, setFolded] = useStore<string[]>('console.folded', [])
  const { data } = useNeeds()
  const waiting = waitingLists(data?.needs ?? [])
  const waitsOn = (to: string) => waiting.get(to)?.count ?? 0
  const { pathname } = useLocation()
  return (
    <Menu component="nav" role="navigation" aria-label={translate('console.menu')}>
      {AREAS.map(({ name, label, places }) => {
        const entries = entriesOf(places)
        if (entries.length === 0) return null
        const isFolded = open && label !== null && folded.includes(name)
        const sum = entries.reduce((all, { to }) => all + waitsOn(to), 0)
        return [
          open && label !== null && (
            <ListItemButton
              key={name}
              component="button"
              aria-expanded={!isFolded}
              onClick={() =>
                setFolded(isFolded ? folded.filter((each) => each !== name) : [...folded, name])
              }
              sx={{
                width: '100%',
                justifyContent: 'space-between',
                color: 'text.secondary',
                typography: 'body2',
              }}
            >
              <span>{translate(label)}</span>
              <Stack direction="row" sx={{ gap: 1, alignItems: 'center' }}>
                {isFolded && <Count of={sum} />}
                {isFolded ? <ExpandMore fontSize="small" /> : <ExpandLess fontSize="small" />}
              </Stack>
            </ListItemButton>
          ),
          ...(isFolded ? [] : entries).map(({ to, icon: Icon, text }) => (
            <Menu.Item
              key={to}
              role="link"
              aria-current={matchPath({ path: to, end: to === '/' }, pathname) ? 'page' : undefined}
              // The part before the query marks the present page.
              to={parsePath(waiting.get(to)?.address ?? to)}
              {...(waitsOn(to) > 0 && {
                'aria-description': translate('console.waiting', { smart_count: waitsOn(to) }),
              })}
              primaryText={
                <Stack
                  direction="row"
                  sx={{
                    justifyContent: 'space-between',
                    alignItems: 'center',
                    gap: 1,
                    flexGrow: 1,
                    minWidth: 0,
                    // A long name has a second line, so that the count is not cut off.
                    ...(open && { whiteSpace: 'normal' }),
                  }}
                >
                  <span>{text}</span>
                  <Count of={waitsOn(to)} />
                </Stack>
              }
              leftIcon={
                <Badge variant="dot" color="warning" invisible={open || waitsOn(to) === 0}>
                  <Icon />
                </Badge>
              }
            />
          )),
        ]
      })}
    </Menu>
  )
}

/** How many tasks wait, for the eye; nothing for none. */
function Count({ of }: { of: number }) {
  return of === 0 ? null : <Chip color="warning" label={of} aria-hidden="true" />
}

/** The seconds before the end of the session at which the warning appears. */
const WARN_SECONDS = 120
/** How often the remaining time is fetched: another window may keep the session alive. */
const POLL_MS = 20_000

/** Warns before the session ends, and signs out when it has ended. */
function IdleWarning() {
  const translate = useTranslate()
  const logout = useLogout()
  const notify = useNotify()
  const [endsAt, setEndsAt] = useState<number | null>(null)
  const [isLast, setIsLast] = useState(false)
  const [now, setNow] = useState(() => Date.now())

  /** Fetches when the session ends; after a press of a button this also keeps it alive. */
  const poll = useCallback(async () => {
    try {
      const session = await loadSession()
      const seconds = Math.min(session.idle_seconds_left, session.seconds_left)
      setEndsAt(Date.now() + seconds * 1000)
      setIsLast(session.seconds_left <= session.idle_seconds_left)
    } catch (error) {
      // Without a network the last answer is used.
      if (!isSessionEnd(error) || !sessionOrNull()) return
      notify('console.session.ended', { type: 'warning' })
      await logout()
    }
  }, [logout, notify])

  useEffect(() => {
    void poll()
    const timer = setInterval(poll, POLL_MS)
    const ticking = setInterval(() => setNow(Date.now()), 1_000)
    return () => {
      clearInterval(timer)
      clearInterval(ticking)
    }
  }, [poll])

  const seconds = endsAt === null ? Infinity : Math.max(0, Math.ceil((endsAt - now) / 1000))
  if (seconds > WARN_SECONDS) return null
  // Nothing keeps it alive: what is typed beneath can still be saved.
  if (isLast) {
    return (
      // Beside a dialog that is open, which hides from readers what was there before it.
      <Portal>
        <Snackbar open anchorOrigin={{ vertical: 'top', horizontal: 'center' }}>
          <Alert severity="warning" variant="filled">
            {translate('console.session.last')}{' '}
            <span aria-live="off">{translate('console.session.endsIn', { seconds })}</span>
          </Alert>
        </Snackbar>
      </Portal>
    )
  }
  return (
    <Dialog open>
      <DialogTitle>{translate('console.session.ending')}</DialogTitle>
      <DialogContent>
        <Typography>{translate('console.session.endsIn', { seconds })}</Typography>
      </DialogContent>
      <DialogActions>
        <Button variant="text" onClick={() => void logout()}>
          {translate('ra.auth.logout')}
        </Button>
        <Button variant="contained" autoFocus onClick={() => void poll()}>
          {translate('console.session.stay')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** Asks for confirmation before the user leaves a page with unsaved input, except when the session has ended. */
function UnsavedGuard() {
  const translate = useTranslate()
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      unsavedForms() > 0 &&
      sessionOrNull() !== null &&
      currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    // The browser shows its own question.
    const onLeave = (event: BeforeUnloadEvent) => {
      if (unsavedForms() > 0) event.preventDefault()
    }
    window.addEventListener('beforeunload', onLeave)
    return () => window.removeEventListener('beforeunload', onLeave)
  }, [])
  if (blocker.state !== 'blocked') return null
  return (
    <Dialog open onClose={() => blocker.reset()}>
      <DialogTitle>{translate('console.unsaved.title')}</DialogTitle>
      <DialogContent>{translate('console.unsaved.text')}</DialogContent>
      <DialogActions>
        <Button color="error" onClick={() => blocker.proceed()}>
          {translate('console.unsaved.leave')}
        </Button>
        <Button variant="contained" autoFocus onClick={() => blocker.reset()}>
          {translate('console.unsaved.stay')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
