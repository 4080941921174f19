import HowToReg from '@mui/icons-material/HowToRegOutlined'
import { listProposals, type Proposal } from '@sum28/contract/staff-proposal-routes.ts'
import { type Area, details, later } from '#src/areas/area.ts'
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
      route: listProposals,
      search: {
        show: ({ id, name, reason, proposed_by: by }: Proposal) => ({
          to: `/proposals?filter=${encodeURIComponent(JSON.stringify({ id }))}`,
          title: `${id} · ${name}`,
          // A bank deposit has no reason.
          details: details(by, reason),
        }),
      },
      list: later(() => import('#src/areas/proposals/proposal-list.tsx'), 'ProposalList'),
    },
  ],
}
