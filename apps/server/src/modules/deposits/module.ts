/** Deposits: addresses for USDT, bank transfers, and unmatched transfers. */
import { recharge } from '@sum28/contract/money-routes.ts'
import * as staff from '@sum28/contract/staff-routes.ts'
import * as transfers from '@sum28/contract/staff-transfer-routes.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import type { AccountKey } from '#src/adapters/chain/derive-deposit-address.ts'
import { wirePage } from '#src/db/list.ts'
import { bind, bindList, type CallFor, type RouteBinding } from '#src/http/call.ts'
import type { OwnersProof } from '#src/modules/staff/proposal.ts'
import type { ReadBalance } from '#src/modules/wallet/wallet-store.ts'
import { isRefusal, refuse } from '#src/refusal/refusal.ts'
import type { Resources } from '#src/resources.ts'
import { unixSeconds, wireAssets, wireOf } from '#src/wire-form.ts'
import {
  type BankAccount,
  bankAccountOf,
  bankReference,
  proposeBankAccount,
  recordBankDeposit,
} from './bank-deposit.ts'
import { differencePage, explainDifference } from './compare-with-chain.ts'
import { depositAddress } from './deposit-address.ts'
import { type ShownTransfer, seenTo, transfersOf } from './deposit-store.ts'
import {
  assignTransfer,
  dismissTransfer,
  reopenTransfer,
  unmatchedPage,
  unmatchedTransfer,
  unmatchedWire,
} from './unmatched-transfer.ts'

type DepositsDeps = Pick<Resources, 'db' | 'timeZone' | 'now'> & {
  balance: ReadBalance
  accountKey: AccountKey
  ownersProof: OwnersProof
  chain: string
}

export function depositsModule(deps: DepositsDeps) {
  return { routes: [...playerRoutes(deps), ...staffRoutes(deps)] }
}

const TRANSFERS_SHOWN = 20

function playerRoutes({ db, balance, accountKey, chain }: DepositsDeps): RouteBinding[] {
  return [
    bind(recharge, async ({ caller: { playerId } }) => {
      const [money, usdt, bank] = await Promise.all([
        balance(playerId),
        depositAddress(db, { key: accountKey, chain, playerId }),
        bankAccountOf(db),
      ])
      // Read before the credited ones: a transfer that is credited in between is then in both lists.
      const coming = usdt === null ? [] : await seenTo(db, { chain, address: usdt })
      const arrived = await transfersOf(db, playerId, TRANSFERS_SHOWN)
      const arrivedKeys = new Set(arrived.map(transferKey))
      return {
        ...wireAssets(money),
        ...(usdt === null ? {} : { usdt }),
        ...(bank ? { ...accountWire(bank), reference: bankReference(playerId) } : {}),
        transfers: [
          ...coming.filter((transfer) => !arrivedKeys.has(transferKey(transfer))).toReversed(),
          ...arrived,
        ].map(transferWire),
      }
    }),
  ]
}

function staffRoutes(deps: DepositsDeps): RouteBinding[] {
  const { db, chain, ownersProof } = deps

  async function setAccount(call: CallFor<typeof staff.setBankAccount>) {
    const owner = await ownersProof(call)
    if (isRefusal(owner)) return owner
    const { bankname, banknum, bankxm, reason, ...rest } = call.input
    const {
      seen_bankname: bankName = '',
      seen_banknum: number = '',
      seen_bankxm: holder = '',
    } = rest
    const seen = { bankName, holder, number }
    return proposeBankAccount(db, { bankname, banknum, bankxm }, seen, { ...owner, reason })
  }

  return [
    bind(staff.recordBankDeposit, ({ input, caller: { token: session, role } }) => {
      const { user_id: playerId, money: amount, reference, other_than: otherThan } = input
      return recordBankDeposit(db, { playerId, amount, reference, otherThan, session, role })
    }),
    bind(staff.bankAccount, async () => {
      const account = await bankAccountOf(db)
      return account && accountWire(account)
    }),
    bind(staff.setBankAccount, setAccount),
    bindList(db, transfers.listUnmatchedTransfers, async (db, input, { staffId }) =>
      wirePage(await unmatchedPage(db, { ...input, staffId }), (transfer) =>
        unmatchedWire(transfer, chain),
      ),
    ),
    bind(transfers.oneUnmatchedTransfer, async ({ input }) => {
      const transfer = await unmatchedTransfer(db, keyOf(input))
      return transfer ? unmatchedWire(transfer, chain) : refuse('not_found', { field: 'tx_id' })
    }),
    bind(transfers.assignTransfer, ({ input, caller: { token: session, role } }) => {
      const { user_id: playerId, note } = input
      return assignTransfer(db, { ...keyOf(input), playerId, note, session, role })
    }),
    bind(transfers.dismissTransfer, ({ input, caller }) =>
      dismissTransfer(db, {
        ...keyOf(input),
        reason: input.reason,
        session: caller.token,
      }),
    ),
    bind(transfers.reopenTransfer, ({ input, caller }) =>
      reopenTransfer(db, {
        ...keyOf(input),
        reason: input.reason,
        session: caller.token,
      }),
    ),
    bindList(db, staff.listChainDifferences, async (db, input) =>
      wirePage(await differencePage(db, input), ({ details, ...row }) => ({
        ...wireOf(row),
        details: detailsWire(details),
      })),
    ),
    bind(staff.explainDifference, ({ input, caller: { token: session } }) =>
      explainDifference(db, { ...input, session }),
    ),
  ]
}

function keyOf(named: { tx_id: string; log_index: number }) {
  return { txId: named.tx_id, logIndex: named.log_index }
}

function transferKey({ txId, logIndex }: { txId: string; logIndex: number }): string {
  return `${txId}:${logIndex}`
}

function transferWire({ txId, amount, at, status, ...block }: ShownTransfer) {
  return {
    tx_id: txId,
    quantity: formatAmount(amount),
    status,
    createtime: at === null ? 0 : unixSeconds(at),
    confirmations: block.confirmations ?? undefined,
    confirmations_needed: block.confirmationsNeeded ?? undefined,
  }
}

/** The texts among the details of a difference are its amounts, in micro-units. */
function detailsWire(details: Record<string, unknown>) {
  return Object.fromEntries(
    Object.entries(details).map(([name, detail]) => [
      name,
      typeof detail === 'string' ? formatAmount(BigInt(detail)) : detail,
    ]),
  )
}

function accountWire({ bankName, holder, number }: BankAccount) {
  return { bankname: bankName, banknum: number, bankxm: holder }
}
