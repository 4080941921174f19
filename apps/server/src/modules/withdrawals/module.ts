/** Withdrawals: pay methods, requests, identity, and their review by staff. */
import * as wire from '@sum28/contract/money-routes.ts'
import type { PayItem } from '@sum28/contract/replies.ts'
import * as protection from '@sum28/contract/staff-protection-routes.ts'
import * as staffWire from '@sum28/contract/staff-routes.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import { addDays, dayOf, startOfDay } from '@sum28/domain/schedule.ts'
import { wirePage } from '#src/db/list.ts'
import { bind, bindList, type RouteBinding } from '#src/http/call.ts'
import type { NoteMark } from '#src/modules/accounts/note-mark.ts'
import { requireFactor } from '#src/modules/accounts/prove-password.ts'
import { appendAudit, asStaff } from '#src/modules/staff/audit.ts'
import type { ReadBalance } from '#src/modules/wallet/wallet-store.ts'
import { isRefusal, malformed, type Refusal, refuse } from '#src/refusal/refusal.ts'
import type { Resources } from '#src/resources.ts'
import { unixSeconds, wireBalance, wireOf } from '#src/wire-form.ts'
import * as identity from './identity.ts'
import {
  type PayMethod,
  type PayMethodKind,
  payeeNumber,
  payeeText,
  payMethodsOf,
  savePayMethod,
} from './pay-methods.ts'
import { type NewPayee, requestRest } from './request-rest.ts'
import { type PayTo, requestWithdrawal, WITHDRAWAL_MIN } from './request-withdrawal.ts'
import {
  approveWithdrawal,
  givePaymentBack,
  proposeReversal,
  recordPayout,
  refusalOf,
  rejectWithdrawal,
  takePayment,
} from './review-withdrawal.ts'
import { type Risks, riskHints, risksOf, sharersOf } from './risks.ts'
import {
  holdUntil,
  latestWithdrawals,
  payeeHidden,
  usualSeconds,
  versionOf,
  type Withdrawal,
  waitingWithdrawal,
  withdrawalById,
  withdrawalPage,
} from './withdrawal-store.ts'

type WithdrawalsDeps = Pick<Resources, 'db' | 'cipher' | 'timeZone' | 'now'> & {
  balance: ReadBalance
  noteMark: NoteMark
  usdtContract: string
}

export function withdrawalsModule(deps: WithdrawalsDeps) {
  return { routes: [...playerRoutes(deps), ...staffRoutes(deps), ...identityRoutes(deps)] }
}

/** A pay method's kind by the `type` of requests: 0 bank card, 1 virtual wallet. */
const KIND_OF_TYPE: Record<number, PayMethodKind> & Record<0 | 1, PayMethodKind> = {
  0: 'bank',
  1: 'wallet',
}

/** A pay method's kind by the `status` of pay items, which is the reverse of the above. */
const KIND_OF_STATUS: Record<number, PayMethodKind> = { 0: 'wallet', 1: 'bank' }

function playerRoutes(deps: WithdrawalsDeps): RouteBinding[] {
  const { db, balance } = deps
  return [
    bind(wire.payInfo, async ({ caller, input }) => {
      const methods = await payMethodsOf(db, caller.playerId)
      const method = methods.find(({ kind }) => kind === KIND_OF_TYPE[input.type])
      return method ? payItem(method) : null
    }),

    bind(wire.setPayInfo, async ({ caller, input, address, extras }) => {
      const { playerId, tokenHash: session } = caller
      const unproved = await requireFactor(db, { playerId, session })
      if (unproved) return unproved
      const kind = KIND_OF_TYPE[input.type]
      const saved = await savePayMethod(deps, {
        playerId,
        network: address,
        kind,
        number: kind === 'bank' ? input.acc_name : input.acc,
        label: kind === 'bank' ? input.acc : input.acc_name,
        bankName: input.acc_bank ?? '',
        branchCode: input.sub ?? '',
        branchName: input.sub_name ?? '',
        note: input.mark ?? '',
      })
      if (isRefusal(saved)) return saved
      extras.say('success.saved')
      return payItem(saved)
    }),

    bind(wire.withdrawInfo, async ({ caller: { playerId } }) => {
      const [money, methods, until, pending, latest, usual] = await Promise.all([
        balance(playerId),
        payMethodsOf(db, playerId),
        holdUntil(db, playerId),
        waitingWithdrawal(db, playerId),
        latestWithdrawals(db, playerId),
        usualSeconds(db),
      ])
      return {
        ...wireBalance(money),
        pay_list: methods.map(payItem),
        min: formatAmount(WITHDRAWAL_MIN),
        hold_until: until === null ? null : Math.ceil(until / 1000),
        pending: pending
          ? {
              id: Number(pending.id),
              quantity: formatAmount(pending.amount),
              createtime: unixSeconds(pending.requestedAt),
              waits_for_identity: pending.waitsForIdentity,
            }
          : null,
        latest: latest.map(
          ({ id, amount, paidPart, requestedAt, approvedAt, paidAt, ...shown }) => ({
            id: Number(id),
            quantity: formatAmount(amount),
            paid_part: formatAmount(paidPart),
            payee: payeeText(shown),
            status: shown.status,
            createtime: unixSeconds(requestedAt),
            approvedtime: approvedAt === null ? null : unixSeconds(approvedAt),
            senttime: paidAt === null ? null : unixSeconds(paidAt),
            reference: shown.reference,
            why: shown.why,
          }),
        ),
        usual_seconds: usual,
      }
    }),

    bind(
      wire.withdrawAction,
      async ({ caller, input, idempotencyKey, address: network, extras }) => {
        const payTo = payToOf(input)
        if (isRefusal(payTo)) return payTo
        const made = await requestWithdrawal(deps, {
          playerId: caller.playerId,
          payTo,
          amount: input.money,
          code: input.security_code ?? input.securityCode ?? input.safety,
          idempotencyKey,
          network,
        })
        if ('replayed' in made && made.replayed) extras.replayed()
        if (isRefusal(made)) return made
        extras.committed(null)
        extras.say('success.withdrawal')
        return {
          id: Number(made.id),
          quantity: formatAmount(made.amount),
          after_quantity: formatAmount(made.cashAfter),
          version: String(await versionOf(db, { playerId: caller.playerId, id: made.id })),
        }
      },
      'own_transaction',
    ),
  ]
}

/** Where a request sends the money; if it gives both id and kind, they must agree. */
function payToOf({
  pay_id: id,
  type,
  status,
}: {
  pay_id?: number | undefined
  type?: number | undefined
  status?: number | undefined
}): PayTo | null | Refusal {
  const ofType = type === undefined ? undefined : KIND_OF_TYPE[type]
  const ofStatus = status === undefined ? undefined : KIND_OF_STATUS[status]
  if (ofType && ofStatus && ofType !== ofStatus) {
    return malformed({ status: 'pay_method_differs' })
  }
  const kind = ofType ?? ofStatus
  if (id !== undefined) return kind ? { id, kind } : { id }
  return kind ? { kind } : null
}

function staffRoutes(deps: WithdrawalsDeps): RouteBinding[] {
  const { db } = deps
  return [
    bindList(db, staffWire.listWithdrawals, async (db, input, { staffId }) => {
      const { user_id: playerId, from_day: first, until_day: last, ...ask } = input
      const { timeZone: zone } = deps
      const page = await withdrawalPage(db, {
        ...ask,
        staffId,
        playerId,
        amountFrom: ask.amount_from,
        amountUntil: ask.amount_until,
        from: first ? new Date(startOfDay(zone, first)) : undefined,
        until: last ? new Date(startOfDay(zone, addDays(last, 1))) : undefined,
      })
      if (isRefusal(page)) return page
      // Computing this adds up the stakes of 90 days, so it is only done for pending withdrawals.
      const waiting = page.list.filter(({ state }) => state === 'waiting')
      const risks = await risksOf(
        db,
        waiting.map(({ id }) => id),
      )
      const list = page.list.map((row) => staffWithdrawal(row, risks.get(row.id)))
      return { list, next: page.next }
    }),

    bind(staffWire.oneWithdrawal, async ({ input: { id }, caller: { staffId } }) => {
      const row = await withdrawalById(db, id, staffId)
      if (!row) return refuse('not_found', { field: 'id' })
      const risks = (await risksOf(db, [row.id])).get(row.id)
      return staffWithdrawal(row, risks, await sharersOf(db, row.id))
    }),

    bind(staffWire.withdrawalPayee, ({ caller: { token: session, staffId }, input: { id } }) =>
      asStaff(db, async (tx) => {
        const withdrawal = await withdrawalById(tx, id, staffId)
        if (!withdrawal) return refuse('not_found')
        const hidden = payeeHidden(withdrawal)
        if (hidden) return refusalOf(tx, id, hidden)
        const { playerId, payMethodId } = withdrawal
        const number = await payeeNumber({ ...deps, db: tx }, payMethodId)
        const entry = { session, action: 'withdrawal_payee_read', subject: `withdrawal:${id}` }
        await appendAudit(tx, { ...entry, details: { player_id: playerId } })
        return { number }
      }),
    ),

    bind(staffWire.approveWithdrawal, async ({ caller, input: { id }, extras }) => {
      const state = await approveWithdrawal(db, { id, session: caller.token })
      if (isRefusal(state)) return state
      if (state === 'first_approval') extras.say('success.first_approval')
      return { state }
    }),

    bind(staffWire.rejectWithdrawal, ({ caller, input: { id, reason } }) =>
      rejectWithdrawal(db, { id, session: caller.token, why: reason }),
    ),

    bind(staffWire.takePayment, ({ caller, input: { id, taken_from: takenFrom } }) =>
      takePayment(db, { id, session: caller.token, takenFrom }),
    ),

    bind(staffWire.givePaymentBack, ({ caller, input: { id } }) =>
      givePaymentBack(db, { id, session: caller.token }),
    ),

    bind(staffWire.recordPayout, ({ caller, input: { id, reference, sent_at: sentAt } }) =>
      recordPayout(db, { id, session: caller.token, reference, sentAt }),
    ),

    bind(staffWire.proposeReversal, ({ caller: { token: session, role }, input }) =>
      proposeReversal(db, { ...input, session, role }),
    ),

    bind(staffWire.requestRest, async ({ caller, input }) => {
      const payTo = restTo(input)
      if (isRefusal(payTo)) return payTo
      const { user_id: playerId, reason } = input
      const made = await requestRest(deps, { playerId, payTo, reason, session: caller.token })
      if (isRefusal(made)) return made
      return { id: Number(made.id), quantity: formatAmount(made.amount) }
    }),
  ]
}

function identityRoutes(deps: WithdrawalsDeps): RouteBinding[] {
  const { db, timeZone, now } = deps
  return [
    bind(wire.identityInfo, async ({ caller: { playerId } }) => {
      const { askedFrom, ...shown } = await identity.identityOf(db, playerId)
      return { ...shown, asked_from: askedFrom === null ? null : formatAmount(askedFrom) }
    }),
    bind(wire.addIdentityPicture, async ({ caller: { playerId }, file, address: network }) => {
      if (!file) return malformed({ file: 'required' })
      const pictures = await identity.addPicture(deps, { playerId, bytes: file.bytes, network })
      return isRefusal(pictures) ? pictures : { pictures }
    }),
    bind(wire.clearIdentityPictures, ({ caller: { playerId } }) =>
      identity.clearPictures(db, playerId),
    ),
    bind(wire.sendIdentity, ({ caller: { playerId }, input, address: network }) => {
      const { birth_date: birthDate, ...facts } = input
      return identity.sendIdentity(deps, {
        ...facts,
        birthDate,
        playerId,
        network,
        today: dayOf(timeZone, now()),
      })
    }),

    bindList(db, protection.listIdentities, async (db, { user_id: playerId, ...ask }) =>
      wirePage(await identity.identityPage(db, { ...ask, playerId })),
    ),
    bind(protection.seeIdentity, async ({ caller, input: { user_id: playerId } }) => {
      const seen = await identity.seeIdentity(deps, {
        playerId,
        session: caller.token,
        today: dayOf(timeZone, now()),
      })
      if (isRefusal(seen)) return seen
      const { pictures, ...shown } = seen
      return { ...wireOf(shown), pictures: pictures.map((each) => each.toString('base64')) }
    }),
    bind(protection.decideIdentity, ({ caller, input }) => {
      const { user_id: playerId, version, decision, reason } = input
      const today = dayOf(timeZone, now())
      const decided = { playerId, version, session: caller.token, today }
      if (decision === 'accept') return identity.decideIdentity(deps, { ...decided, why: null })
      if (reason === undefined) return Promise.resolve(malformed({ reason: 'required' }))
      return identity.decideIdentity(deps, { ...decided, why: reason })
    }),
    bind(protection.takeBackIdentity, ({ caller, input }) => {
      const { user_id: playerId, version, reason } = input
      const session = caller.token
      return identity.takeBackIdentity(db, { playerId, version, why: reason, session })
    }),
    bind(protection.identityTerms, async () => {
      const { askedFrom } = await identity.identityTermsOf(db)
      return { asked_from: askedFrom === null ? null : formatAmount(askedFrom) }
    }),
    bind(protection.setIdentityTerms, ({ caller, input: { asked_from: askedFrom = null } }) =>
      identity.setIdentityTerms(db, { askedFrom, session: caller.token }),
    ),
  ]
}

/** A payee by its id, or as staff have typed it; or the missing fields. */
function restTo({
  pay_id: payId,
  kind,
  number,
  label,
  bank_name: bankName = '',
}: staffWire.RequestRest): number | NewPayee | Refusal {
  if (payId !== undefined) return payId
  if (!kind) return malformed({ [number ? 'kind' : 'pay_id']: 'required' })
  if (!number) return malformed({ number: 'required' })
  if (!label) return malformed({ label: 'required' })
  return { kind, number, label, bankName }
}

function payItem({ id, kind, shownNumber, label, bankName, ...method }: PayMethod): PayItem {
  return {
    id,
    acc: kind === 'bank' ? label : shownNumber,
    acc_name: kind === 'bank' ? shownNumber : label,
    acc_bank: bankName,
    sub: method.branchCode,
    sub_name: method.branchName,
    status: kind === 'bank' ? '1' : '0',
  }
}

function staffWithdrawal(
  row: Withdrawal,
  risks: Risks | undefined,
  sharers?: Awaited<ReturnType<typeof sharersOf>>,
): staffWire.StaffWithdrawal {
  const { payMethodId: _method, cashAfter: _cash, hasTaken: _taken, ...payment } = row
  const { kind, shownNumber: number, label, bankName, branchCode, branchName, ...facts } = payment
  const shown = payeeHidden(row) && kind === 'wallet' ? payeeText(row) : number
  return {
    // The payment itself is no earlier transaction, but leaves nothing to be paid.
    ...wireOf({ ...facts, rest: row.state === 'paid' ? 0n : row.rest }),
    payee: wireOf({ kind, number: shown, label, bankName, branchCode, branchName }),
    risks: risks ? riskHints(risks, sharers) : [],
  }
}
