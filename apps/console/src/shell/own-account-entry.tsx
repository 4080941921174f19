import Person from '@mui/icons-material/Person'
import { ListItemIcon, ListItemText, MenuItem } from '@mui/material'
import { useTranslate, useUserMenu } from 'react-admin'
import { Link } from 'react-router'

/** A link to the user's own sessions and recovery codes. */
export function OwnAccountEntry() {
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
