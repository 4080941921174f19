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
import { type Area, details, later, type SearchHit } from '#src/areas/area.ts'
import texts from '#src/areas/players/en.json'
import { keysetList, searchIn, wholeList } from '#src/data/lists.ts'

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
      label: 'areas.players.list',
      action: 'players.read',
      loadList: keysetList(listPlayers),
      list: later(() => import('#src/areas/players/player-list.tsx'), 'PlayerList'),
      show: later(() => import('#src/areas/players/player-show.tsx'), 'PlayerShow'),
    },
    {
      name: 'signs',
      icon: TrendingUp,
      label: 'areas.players.signs',
      action: 'players.read',
      loadList: keysetList(listSigns),
      list: later(() => import('#src/areas/players/signs.tsx'), 'SignList'),
    },
    {
      name: 'protection',
      icon: Shield,
      label: 'areas.players.protection',
      action: 'players.read',
      loadList: keysetList(listProtection),
      list: later(() => import('#src/areas/players/protection-list.tsx'), 'ProtectionList'),
    },
    {
      name: 'likenesses',
      icon: FileCopy,
      label: 'areas.players.likenesses',
      action: 'players.read',
      loadList: keysetList(listLikenesses),
      list: later(() => import('#src/areas/players/likeness-list.tsx'), 'LikenessList'),
    },
    {
      name: 'identities',
      icon: Badge,
      label: 'areas.players.identities',
      action: 'identity.read',
      loadList: keysetList(listIdentities, { idOf }),
      list: later(() => import('#src/areas/players/identity-pages.tsx'), 'IdentityList'),
    },
    {
      name: 'frozen-accounts',
      icon: AcUnit,
      label: 'areas.players.frozen',
      action: 'players.read',
      loadList: keysetList(listFrozenAccounts, { idOf }),
      list: later(() => import('#src/areas/players/frozen-account-list.tsx'), 'FrozenAccountList'),
    },
    {
      name: 'templates',
      icon: Drafts,
      label: 'areas.players.templates',
      action: 'templates.read',
      loadList: wholeList(listTemplates),
      list: later(() => import('#src/areas/players/templates.tsx'), 'TemplateList'),
    },
  ],
  searches: [{ label: 'areas.players.list', action: 'players.read', find: findPlayers }],
}

/** A game day and the bet's number. */
const ORDER = /^20\d{14,24}$/

/**
 * Players for the console's search: by all that finds a player; an order number opens his bet. Whoever has exactly this
 * number or name stands first, however new the others are.
 */
async function findPlayers(q: string, signal: AbortSignal): Promise<readonly SearchHit[]> {
  const [first, all] = await Promise.all([
    searchIn<ListedPlayer>(listPlayers, q, signal, { match: 'whole' }),
    searchIn<ListedPlayer>(listPlayers, q, signal),
  ])
  const others = all.filter(({ id }) => first.every((each) => each.id !== id))
  return [...first, ...others].map(({ id, username, email }) => ({
    to: ORDER.test(q) ? `/players/${id}/show?tab=bets&q=${q}` : `/players/${id}/show`,
    title: username,
    details: details(id, email),
  }))
}
