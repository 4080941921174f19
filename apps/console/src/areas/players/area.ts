import People from '@mui/icons-material/PeopleOutlined'
import { listAddressConflicts, listFrozenAccounts } from '@sum28/contract/staff-house-routes.ts'
import type { Area } from '#src/areas/area.ts'
import { AddressConflictList } from '#src/areas/players/address-conflict-list.tsx'
import { FrozenAccountList } from '#src/areas/players/frozen-account-list.tsx'
import { pagedList } from '#src/data/lists.ts'
import texts from './en.json'

const idOf = ({ user_id }: { user_id: number }) => user_id

/** Players: search, one player’s page, and what staff do about him. */
export const players: Area = {
  name: 'players',
  label: 'areas.players.title',
  icon: People,
  texts,
  menu: [
    { to: '/frozen-accounts', label: 'areas.players.frozen', action: 'players.read' },
    { to: '/address-conflicts', label: 'areas.players.addresses', action: 'players.read' },
  ],
  resources: [
    {
      name: 'frozen-accounts',
      action: 'players.read',
      ask: pagedList(listFrozenAccounts, { idOf }),
      list: FrozenAccountList,
    },
    {
      name: 'address-conflicts',
      action: 'players.read',
      ask: pagedList(listAddressConflicts, { idOf }),
      list: AddressConflictList,
    },
  ],
  pages: [],
  searches: [],
}
