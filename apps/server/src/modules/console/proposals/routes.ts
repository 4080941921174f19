import * as wire from '@sum28/contract/staff-proposal-routes.ts'
import { wirePage } from '#src/db/list.ts'
import { bind, bindList, type RouteBinding } from '#src/http/call.ts'
import { ODDS_CHANGE, ROOM_CHANGE } from '#src/modules/console/games/room-change.ts'
import { VOID } from '#src/modules/console/games/void-round.ts'
import { ADJUSTMENT } from '#src/modules/console/money/adjust-balance.ts'
import { BANK_BALANCE } from '#src/modules/console/money/bank-balance.ts'
import { REFUND } from '#src/modules/console/money/refund-deposit.ts'
import { type AddressDeps, addressReset } from '#src/modules/console/players/reset-address.ts'
import { RESETS } from '#src/modules/console/players/reset-code.ts'
import { BANK_ACCOUNT, BANK_DEPOSIT } from '#src/modules/deposits/bank-deposit.ts'
import { ASSIGNMENT } from '#src/modules/deposits/unmatched-transfer.ts'
import { type MailsOfStaff, memberRules } from '#src/modules/staff/change-members.ts'
import { decide, type KindRules, proposalPage } from '#src/modules/staff/proposal.ts'
import { REVERSAL } from '#src/modules/withdrawals/review-withdrawal.ts'
import { isRefusal } from '#src/refusal/refusal.ts'
import type { Resources } from '#src/resources.ts'
import { wireOf } from '#src/wire-form.ts'

const KINDS: Readonly<Record<Exclude<wire.ProposalKind, 'member' | 'address_reset'>, KindRules>> = {
  room_change: ROOM_CHANGE,
  odds_change: ODDS_CHANGE,
  void: VOID,
  ...RESETS,
  bonus: ADJUSTMENT,
  credit: ADJUSTMENT,
  debit: ADJUSTMENT,
  bank_balance: BANK_BALANCE,
  bank_deposit: BANK_DEPOSIT,
  assignment: ASSIGNMENT,
  refund: REFUND,
  reversal: REVERSAL,
  bank_account: BANK_ACCOUNT,
}

export function proposalRoutes({
  db,
  roundChanged,
  mails,
  ...deps
}: Resources & AddressDeps & { mails: MailsOfStaff }): RouteBinding[] {
  const kinds = { ...KINDS, member: memberRules(mails), address_reset: addressReset(deps) }
  async function decided(decision: Parameters<typeof decide>[2]) {
    const proposal = await decide(db, kinds, decision)
    if (isRefusal(proposal)) return proposal
    if (proposal.kind === 'void') roundChanged(Number(proposal.subject.split(':')[1]))
    return { state: proposal.state }
  }
  return [
    bindList(db, wire.listProposals, async (db, input, { staffId, role }) => {
      const ask = { ...input, staffId, unseen: wire.unseenKinds(role) }
      return wirePage(await proposalPage(db, ask), (proposal): wire.Proposal => {
        const {
          content: _content,
          cash: _cash,
          email: _email,
          askedEmail: _asked,
          ...facts
        } = proposal
        return { ...wireOf(facts), changes: kinds[proposal.kind].changesOf(proposal) }
      })
    }),
    bind(wire.confirmProposal, ({ input: { id, ...added }, caller: { token: session, role } }) =>
      decided({ id, confirms: true, added, session, role }),
    ),
    bind(wire.endProposal, ({ input: { id, reason }, caller: { token: session, role } }) =>
      decided({ id, confirms: false, reason, session, role }),
    ),
  ]
}
