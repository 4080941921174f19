import { keepRest, type PlayerPage } from '@sum28/contract/staff-players-routes.ts'
import { requestRest } from '@sum28/contract/staff-routes.ts'
import { useTranslate } from 'react-admin'
import { ActionButton, type ActionField } from '#src/parts/action-button.tsx'
import { MoneyText } from '#src/parts/values.tsx'

const REASON: ActionField = {
  name: 'reason',
  label: 'areas.players.reason',
  hint: 'areas.players.restReason',
  long: true,
}

const KINDS = (['bank', 'wallet'] as const).map((value) => ({
  value,
  label: `areas.players.payeeKind.${value}`,
}))

const PAYEE: readonly ActionField[] = [
  { name: 'kind', label: 'areas.players.payeeKindLabel', choices: KINDS, initial: 'bank' },
  { name: 'number', label: 'areas.players.payeeNumber' },
  { name: 'label', label: 'areas.players.payeeLabel' },
  { name: 'bank_name', label: 'areas.players.payeeBank', optional: true },
]

/** The balance left in a closed account: paid to a payee of the player, or kept booked with a reason. */
export function RestOfAccount({ player }: { player: PlayerPage }) {
  const translate = useTranslate()
  const request = { user_id: player.id }
  // Amounts below a cent are not paid.
  if (Number(player.figures.cash) < 0.01) return null
  const what = (
    <>
      {player.username}: <MoneyText value={player.figures.cash} />
      <p>{translate('areas.players.restSays')}</p>
    </>
  )
  const saved: ActionField = {
    name: 'pay_id',
    label: 'areas.players.payee',
    choices: player.pay_methods.map(({ id, number }) => ({ value: String(id), label: number })),
    initial: String(player.pay_methods[0]?.id ?? ''),
  }
  return (
    <>
      {player.pay_methods.length > 0 && (
        <ActionButton
          route={requestRest}
          request={request}
          label="areas.players.payRest"
          done="areas.players.restRequested"
          fields={[saved, REASON]}
        >
          {what}
        </ActionButton>
      )}
      <ActionButton
        route={requestRest}
        request={request}
        label="areas.players.payRestElsewhere"
        done="areas.players.restRequested"
        fields={[...PAYEE, REASON]}
      >
        {what}
      </ActionButton>
      <ActionButton
        route={keepRest}
        request={request}
        label="areas.players.keepRest"
        done="areas.players.restKept"
        fields={[{ name: 'reason', label: 'areas.players.reason', long: true }]}
      >
        {player.username}: <MoneyText value={player.figures.cash} />
      </ActionButton>
    </>
  )
}
