import Search from '@mui/icons-material/Search'
import { Box, Button } from '@mui/material'
import { useEffect, useState } from 'react'
import {
  AppBar,
  LoadingIndicator,
  Logout,
  TitlePortal,
  ToggleThemeButton,
  UserMenu,
  useTranslate,
} from 'react-admin'
import { useSession } from '#src/data/session.ts'
import { OwnAccountEntry } from '#src/shell/own-account-entry.tsx'
import { SearchDialog } from '#src/shell/search-dialog.tsx'
import { ZoneClock } from '#src/shell/zone-clock.tsx'

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
      <TitlePortal component="h1" variant="h6" />
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
          ...{ marginInline: { xs: 0, sm: 1 }, whiteSpace: 'nowrap', minWidth: 0 },
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
