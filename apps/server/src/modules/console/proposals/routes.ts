import * as wire from '@sum28/contract/staff-proposal-routes.ts'
import { wirePage } from '#src/db/list.ts'
import { bind, type RouteBinding } from '#src/http/call.ts'
import { ROOM_CHANGE } from '#src/modules/console/games/room-change.ts'
import { BANK_BALANCE } from '#src/modules/console/money/bank-balance.ts'
import { CODE_RESET } from '#src/modules/console/players/reset-code.ts'
import type { Resources } from '#src/resources.ts'
import { wireOf } from '#src/wire-form.ts'
import { decide, type KindRules, proposalPage } from './proposal.ts'

const KINDS: Readonly<Record<wire.ProposalKind, KindRules>> = {
  room_change: ROOM_CHANGE,
  code_reset: CODE_RESET,
  bank_balance: BANK_BALANCE,
}

/** Serves the calls of `staff-proposal-routes.ts`. */
export function proposalRoutes({ db }: Resources): RouteBinding[] {
  return [
    bind(wire.listProposals, async ({ input }) =>
      wirePage(await proposalPage(db, input), (proposal): wire.Proposal => {
        const { content: _, ...facts } = proposal
        return { ...wireOf(facts), changes: KINDS[proposal.kind].changesOf(proposal) }
      }),
    ),
    bind(wire.confirmProposal, ({ input: { id }, caller: { token: session, role } }) =>
      decide(db, KINDS, { id, reason: null, session, role }),
    ),
    bind(wire.endProposal, ({ input: { id, reason }, caller: { token: session, role } }) =>
      decide(db, KINDS, { id, reason, session, role }),
    ),
  ]
}
