import { type HeldDeposit, proposeRefund } from '@sum28/contract/staff-money-routes.ts'
import { useTranslate } from 'react-admin'
import { ActionButton } from '#src/parts/action-button.tsx'
import { MoneyText } from '#src/parts/values.tsx'

/** Proposes to pay a held deposit back; another person pays it and confirms. */
export function ProposeRefund({ deposit }: { deposit: HeldDeposit }) {
  const translate = useTranslate()
  const { id, state, username, quantity, origin } = deposit
  if (state !== 'held') return null
  return (
    <ActionButton
      route={proposeRefund}
      request={{ id }}
      label="areas.money.proposeRefund"
      done="areas.money.refundProposed"
      fields={[{ name: 'reason', label: 'areas.money.reason', long: true }]}
    >
      {username}: <MoneyText value={quantity} />
      <br />
      {translate('areas.money.backTo')}: <span style={{ overflowWrap: 'anywhere' }}>{origin}</span>
    </ActionButton>
  )
}
