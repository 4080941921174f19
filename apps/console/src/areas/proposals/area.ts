import HowToReg from '@mui/icons-material/HowToRegOutlined'
import { listProposals } from '@sum28/contract/staff-proposal-routes.ts'
import type { Area } from '#src/areas/area.ts'
import { ProposalList } from '#src/areas/proposals/proposal-list.tsx'
import { keysetList } from '#src/data/lists.ts'
import texts from './en.json'

/** What one person proposes and another confirms. */
export const proposals: Area = {
  name: 'proposals',
  label: null,
  texts,
  menu: [
    { to: '/proposals', icon: HowToReg, label: 'areas.proposals.title', action: 'proposals.read' },
  ],
  resources: [
    {
      name: 'proposals',
      action: 'proposals.read',
      loadList: keysetList(listProposals),
      list: ProposalList,
    },
  ],
  pages: [],
  searches: [],
}
