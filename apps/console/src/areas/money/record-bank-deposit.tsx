import { recordBankDeposit } from '@sum28/contract/staff-routes.ts'
import { ActionButton, type ActionField } from '#src/parts/action-button.tsx'

/** Which deposit has the same reference: typed by both persons, who have compared the two. */
export const OTHER_THAN: ActionField = {
  name: 'other_than',
  label: 'areas.money.otherThan',
  hint: 'areas.money.otherThanHint',
}

/** Whom something is done to. */
export const PLAYER: ActionField = {
  name: 'user_id',
  label: 'console.player.label',
  type: 'player',
}

/** Records a deposit that the bank's statement shows, for another person to confirm. */
export function RecordBankDeposit() {
  return (
    <ActionButton
      route={recordBankDeposit}
      request={{}}
      label="areas.money.record"
      done="areas.money.recorded"
      fields={[
        PLAYER,
        { name: 'money', label: 'areas.money.amount' },
        { name: 'reference', label: 'areas.money.bankReference' },
        { ...OTHER_THAN, optional: true },
      ]}
    />
  )
}
