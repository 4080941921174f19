import Person from '@mui/icons-material/Person'
import Search from '@mui/icons-material/Search'
import { Box, Button, ListItemIcon, ListItemText, MenuItem, Typography } from '@mui/material'
import { serverNow } from '@sum28/ui/server-clock.ts'
import { useEffect, useState } from 'react'
import {
  AppBar,
  LoadingIndicator,
  Logout,
  TitlePortal,
  ToggleThemeButton,
  UserMenu,
  useTranslate,
  useUserMenu,
} from 'react-admin'
import { Link } from 'react-router'
import { useSession, useZone } from '#src/data/session.ts'
import { TAG } from '#src/parts/values.tsx'
import { SearchDialog } from '#src/shell/search-dialog.tsx'

/** The bar above every page: its title, the search, the time, the theme switch, and the user. */
export function ConsoleBar() {
  const session = useSession()
  const translate = useTranslate()
  // The accessible name must contain the text that react-admin writes on the button.
  const who = session ? `${session.name} · ${session.role}` : ''
  return (
    <AppBar
      alwaysOn
      color="default"
      toolbar={
        <>
          <ToggleThemeButton />
          <LoadingIndicator aria-label={translate('ra.page.loading')} />
        </>
      }
      userMenu={
        <UserMenu label={who}>
          <OwnAccountEntry />
          <Logout />
        </UserMenu>
      }
    >
      <TitlePortal
        component="h1"
        variant="h6"
        // Dots for the rest of a long title, which react-admin's inner box cuts off without them.
        sx={{ '& .RaConfigurable-root': { display: 'inline' } }}
      />
      <SearchButton />
      <ZoneClock />
    </AppBar>
  )
}

/** Opens the search, as does Ctrl+K or ⌘K from anywhere. */
function SearchButton() {
  const translate = useTranslate()
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setOpen(true)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <Button
        color="inherit"
        startIcon={<Search />}
        onClick={() => setOpen(true)}
        aria-label={translate('console.search.open')}
        aria-keyshortcuts="Control+K"
        sx={{
          marginInline: { xs: 0, sm: 1 },
          whiteSpace: 'nowrap',
          minWidth: 0,
          '& .MuiButton-startIcon': { marginInline: { xs: 0, sm: '-2px 8px' } },
        }}
      >
        <Box component="span" sx={{ display: { xs: 'none', sm: 'inline' } }}>
          {translate('console.search.open')}
        </Box>
      </Button>
      {open && <SearchDialog close={() => setOpen(false)} />}
    </>
  )
}

/** A link to the user's own sessions and recovery codes. */
function OwnAccountEntry() {
  const translate = useTranslate()
  const menu = useUserMenu()
  return (
    <MenuItem component={Link} to="/own" onClick={() => menu?.onClose()}>
      <ListItemIcon>
        <Person fontSize="small" />
      </ListItemIcon>
      <ListItemText>{translate('console.own.title')}</ListItemText>
    </MenuItem>
  )
}

/** The time and name of the operator's zone, in which the console shows all times. */
function ZoneClock() {
  const zone = useZone()
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const time = new Intl.DateTimeFormat(TAG, {
    timeZone: zone,
    ...({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' } as const),
  }).format(now)
  return (
    <Typography
      variant="body2"
      color="textSecondary"
      className="num"
      title={zone}
      // On a phone the title of the page takes its place.
      sx={{ paddingInline: 1, display: { xs: 'none', sm: 'block' } }}
    >
      {time}
    </Typography>
  )
}
