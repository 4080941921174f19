import HowToReg from '@mui/icons-material/HowToRegOutlined'
import { listProposals, type Proposal } from '@sum28/contract/staff-proposal-routes.ts'
import { type Area, details, later, type SearchHit } from '#src/areas/area.ts'
import { keysetList, searchIn } from '#src/data/lists.ts'
import texts from './en.json'

/** What one person proposes and another confirms. */
export const proposals: Area = {
  name: 'proposals',
  label: null,
  texts,
  places: [
    {
      name: 'proposals',
      icon: HowToReg,
      label: 'areas.proposals.title',
      action: 'proposals.read',
      loadList: keysetList(listProposals),
      list: later(() => import('#src/areas/proposals/proposal-list.tsx'), 'ProposalList'),
    },
  ],
  searches: [{ label: 'areas.proposals.title', action: 'proposals.read', find: findProposals }],
}

/** Proposals for the console's search: by number, player, who proposed them, or the bank's reference. */
async function findProposals(q: string, signal: AbortSignal): Promise<readonly SearchHit[]> {
  const found = await searchIn<Proposal>(listProposals, q, signal)
  return found.map(({ id, name, reason, proposed_by: by }) => ({
    to: `/proposals?filter=${encodeURIComponent(JSON.stringify({ id }))}`,
    title: `${id} · ${name}`,
    // A bank deposit has no reason.
    details: details(by, reason),
  }))
}
