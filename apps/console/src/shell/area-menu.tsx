import { ListSubheader } from '@mui/material'
import { Menu, useSidebarState, useTranslate } from 'react-admin'
import { AREAS } from '#src/areas/all.ts'
import { useMay } from '#src/data/session.ts'

/** The menu: each area with the entries that the user may see. */
export function AreaMenu() {
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
