import AcUnit from '@mui/icons-material/AcUnit'
import Badge from '@mui/icons-material/BadgeOutlined'
import Drafts from '@mui/icons-material/DraftsOutlined'
import FileCopy from '@mui/icons-material/FileCopyOutlined'
import Shield from '@mui/icons-material/HealthAndSafetyOutlined'
import People from '@mui/icons-material/PeopleOutlined'
import TrendingUp from '@mui/icons-material/TrendingUp'
import { listFrozenAccounts } from '@sum28/contract/staff-house-routes.ts'
import {
  type ListedPlayer,
  listPlayers,
  listTemplates,
} from '@sum28/contract/staff-players-routes.ts'
import {
  listIdentities,
  listLikenesses,
  listProtection,
  listSigns,
} from '@sum28/contract/staff-protection-routes.ts'
import { type Area, details, later } from '#src/areas/area.ts'
import texts from '#src/areas/players/en.json'

/** A game day and the bet's number. */
const ORDER = /^20\d{14,24}$/

const idOf = ({ user_id }: { user_id: number }) => user_id

/** Players: search, the page of a player, and the actions of staff on him. */
export const players: Area = {
  name: 'players',
  label: 'areas.players.title',
  texts,
  places: [
    {
      name: 'players',
      icon: People,
      route: listPlayers,
      search: {
        wholeFirst: true,
        // An order number opens the player's bet.
        show: ({ id, username, email }: ListedPlayer, text) => ({
          to: `/players/${id}/show${ORDER.test(text) ? `?tab=bets&q=${text}` : ''}`,
          title: username,
          details: details(id, email),
        }),
      },
      list: later(() => import('#src/areas/players/player-list.tsx'), 'PlayerList'),
      show: later(() => import('#src/areas/players/player-show.tsx'), 'PlayerShow'),
    },
    {
      name: 'signs',
      icon: TrendingUp,
      route: listSigns,
      list: later(() => import('#src/areas/players/signs.tsx'), 'SignList'),
    },
    {
      name: 'protection',
      icon: Shield,
      route: listProtection,
      list: later(() => import('#src/areas/players/protection-list.tsx'), 'ProtectionList'),
    },
    {
      name: 'likenesses',
      icon: FileCopy,
      route: listLikenesses,
      list: later(() => import('#src/areas/players/likeness-list.tsx'), 'LikenessList'),
    },
    {
      name: 'identities',
      icon: Badge,
      label: 'areas.players.identities',
      route: listIdentities,
      idOf,
      list: later(() => import('#src/areas/players/identity-pages.tsx'), 'IdentityList'),
    },
    {
      name: 'frozen-accounts',
      icon: AcUnit,
      route: listFrozenAccounts,
      idOf,
      list: later(() => import('#src/areas/players/frozen-account-list.tsx'), 'FrozenAccountList'),
    },
    {
      name: 'templates',
      icon: Drafts,
      route: listTemplates,
      list: later(() => import('#src/areas/players/templates.tsx'), 'TemplateList'),
    },
  ],
}
