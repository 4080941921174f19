import {
  ADJUSTMENT_KINDS,
  adjustmentLimits,
  proposeAdjustment,
} from '@sum28/contract/staff-proposal-routes.ts'
import { amountFromWire, formatAmountShort } from '@sum28/domain/money.ts'
import { useTranslate } from 'react-admin'
import { PLAYER } from '#src/areas/money/record-bank-deposit.tsx'
import { useSession } from '#src/data/session.ts'
import { useReply } from '#src/data/use-reply.ts'
import { ActionButton, type ActionField, REASON } from '#src/parts/action-button.tsx'
import { MoneyText } from '#src/parts/values.tsx'

const FIELDS: readonly ActionField[] = [
  {
    name: 'kind',
    label: 'areas.money.adjustmentKindLabel',
    choices: ADJUSTMENT_KINDS.map((value) => ({
      value,
      label: `areas.proposals.kind.${value}`,
    })),
    initial: 'bonus',
  },
  { name: 'money', label: 'areas.money.amount' },
  { ...REASON, hint: 'areas.money.seen' },
  {
    name: 'deposit',
    label: 'areas.money.ofDeposit',
    hint: 'areas.money.ofDepositHint',
    optional: true,
  },
]

/** Proposes a bonus or a correction: for the given player, or for one that is looked up. */
export function ProposeAdjustment({ player }: { player?: { id: number; username: string } }) {
  return (
    <ActionButton
      route={proposeAdjustment}
      request={player ? { user_id: player.id } : {}}
      label="areas.money.proposeAdjustment"
      done="areas.money.adjustmentProposed"
      fields={player ? FIELDS : [PLAYER, ...FIELDS]}
    >
      {player?.username}
      <OwnLimit />
    </ActionButton>
  )
}

/** Proposes to take back a deposit that was booked by mistake, by the number of the proposal that booked it. */
export function TakeBack({
  deposit: { user_id, username, quantity },
  number: deposit,
}: {
  deposit: { user_id: number; username: string; quantity: string }
  number: number
}) {
  const translate = useTranslate()
  return (
    <ActionButton
      route={proposeAdjustment}
      request={{
        user_id,
        kind: 'debit',
        money: formatAmountShort(amountFromWire(quantity)),
        deposit,
      }}
      label="areas.money.takeBack"
      done="areas.money.adjustmentProposed"
      tone="error"
      fields={[{ ...REASON, hint: 'areas.money.seen' }]}
    >
      {username}: <MoneyText value={quantity} />
      <p>{translate('areas.money.takeBackSays')}</p>
    </ActionButton>
  )
}

/** The limits of the user's own role. */
function OwnLimit() {
  const translate = useTranslate()
  const role = useSession()?.role
  const { data } = useReply(adjustmentLimits, {})
  const own = data?.list.find((limit) => limit.role === role)
  return own ? (
    <div>
      {translate('areas.money.adjustmentLimit')} <MoneyText value={own.quantity} />
    </div>
  ) : null
}
