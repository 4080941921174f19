import { Alert, MenuItem, TextField } from '@mui/material'
import { freezeAccount, unfreezeAccount } from '@sum28/contract/staff-house-routes.ts'
import {
  addNote,
  endSessions,
  keepRest,
  listTemplates,
  type PlayerPage,
  requirePassword,
  sendMessage,
} from '@sum28/contract/staff-players-routes.ts'
import {
  listProposals,
  type ProposalKind,
  proposeAddressReset,
  proposeCodeReset,
  proposeFactorReset,
} from '@sum28/contract/staff-proposal-routes.ts'
import { requestRest } from '@sum28/contract/staff-routes.ts'
import { cardNumberFault } from '@sum28/domain/card-number.ts'
import { useTranslate } from 'react-admin'
import { ProposeAdjustment } from '#src/areas/money/propose-adjustment.tsx'
import { useReply } from '#src/data/use-reply.ts'
import { ActionButton, type ActionField, REASON } from '#src/parts/action-button.tsx'
import { languageName, MoneyText } from '#src/parts/values.tsx'

const NOTE: ActionField = { name: 'text', label: 'areas.players.note', long: true }
const MESSAGE: ActionField = {
  name: 'text',
  label: 'areas.players.message',
  hint: 'areas.players.messageHint',
  long: true,
}

/** Asked for while nothing that advertises may be sent to a player. */
const PURPOSE: ActionField = {
  name: 'purpose',
  label: 'areas.players.purpose.title',
  choices: ['answer', 'account'].map((value) => ({
    value,
    label: `areas.players.purpose.${value}`,
  })),
}

/** The actions of staff on a player; the server checks who may do them. */
export function PlayerActions({ player }: { player: PlayerPage }) {
  const request = { user_id: player.id }
  return (
    <>
      <ActionButton
        route={addNote}
        request={request}
        label="areas.players.addNote"
        done="areas.players.noted"
        fields={[NOTE]}
      />
      <SendMessage player={player} />
      <ActionButton
        route={endSessions}
        request={request}
        label="areas.players.endSessions"
        done="areas.players.sessionsEnded"
        fields={[REASON]}
      >
        {player.username}
      </ActionButton>
      {player.state !== 'closed' && <LostSecrets player={player} />}
      {player.state !== 'closed' && <ProposeAdjustment player={player} />}
      {player.state === 'closed' && <RestOfAccount player={player} />}
      <Freeze player={player} />
    </>
  )
}

/** A message as it is typed, or begun from a template in the player's language. */
function SendMessage({ player }: { player: PlayerPage }) {
  const translate = useTranslate()
  const { id, username, lang, no_advertising: noAdvertising } = player
  const above: ActionField['above'] = (field) => <ChooseTemplate lang={lang} {...field} />
  return (
    <ActionButton
      route={sendMessage}
      request={{ user_id: id }}
      label="areas.players.sendMessage"
      done="areas.players.sent"
      fields={[...(noAdvertising ? [PURPOSE] : []), { ...MESSAGE, above }]}
    >
      {noAdvertising && (
        <Alert severity="warning">{translate('areas.players.noAdvertising')}</Alert>
      )}
      {translate('areas.players.readsIn', { username, language: languageName(lang) })}
    </ActionButton>
  )
}

/** Begins a text from a template; what was typed is not replaced. Says in English what a text means. */
function ChooseTemplate({
  lang,
  text,
  onChoose,
}: {
  lang: string
  text: string
  onChoose: (text: string) => void
}) {
  const translate = useTranslate()
  const { data = [] } = useReply(listTemplates, {})
  const templates = data.map(({ id, name, texts }) => {
    const english = texts.find((each) => each.lang === 'en')?.text ?? ''
    const own = texts.find((each) => each.lang === lang)?.text
    return { id, name, english, own, text: own ?? english }
  })
  const chosen = templates.find((template) => template.text === text)
  const typed = text !== '' && !chosen
  const meaning = chosen?.own === undefined ? 'noTemplateIn' : 'templateMeans'
  if (templates.length === 0) return null
  return (
    <TextField
      select
      label={translate('areas.players.template')}
      value={chosen?.id ?? ''}
      disabled={typed}
      helperText={
        typed
          ? translate('areas.players.templateOverText')
          : chosen &&
            chosen.own !== chosen.english &&
            translate(`areas.players.${meaning}`, {
              language: languageName(lang),
              text: chosen.english,
            })
      }
      onChange={({ target: { value } }) =>
        onChoose(templates.find(({ id }) => id === Number(value))?.text ?? '')
      }
    >
      <MenuItem value="">{translate('areas.players.noTemplate')}</MenuItem>
      {templates.map(({ id, name }) => (
        <MenuItem key={id} value={id}>
          {name}
        </MenuItem>
      ))}
    </TextField>
  )
}

/** Actions for a password or security code that is lost, or known to another person. */
function LostSecrets({ player }: { player: PlayerPage }) {
  const translate = useTranslate()
  const request = { user_id: player.id }
  const { data } = useReply(listProposals, { subject: `player:${player.id}`, state: 'proposed' })
  const isProposed = (of: ProposalKind) => data?.list.some(({ kind }) => kind === of) ?? false
  // Until the proposals are known, no second one can be made; the buttons after it have their place already.
  const isUnknown = data === undefined
  return (
    <>
      {player.email !== null && (
        <ActionButton
          route={requirePassword}
          request={request}
          label="areas.players.requirePassword"
          done="areas.players.passwordRequired"
          fields={[REASON]}
        >
          {translate('areas.players.requirePasswordText', { username: player.username })}
        </ActionButton>
      )}
      {player.email !== null && !isProposed('address_reset') && (
        <ActionButton
          route={proposeAddressReset}
          request={request}
          disabled={isUnknown}
          label="areas.players.proposeAddressReset"
          done="areas.players.addressProposed"
          fields={[{ name: 'email', label: 'areas.players.newAddress' }, REASON]}
        >
          {translate('areas.players.proposeAddressText', { username: player.username })}
        </ActionButton>
      )}
      {player.second_factor && !isProposed('factor_reset') && (
        <ActionButton
          route={proposeFactorReset}
          request={request}
          disabled={isUnknown}
          label="areas.players.proposeFactorReset"
          done="areas.players.resetProposed"
          fields={[REASON]}
        >
          {translate('areas.players.proposeResetText', { username: player.username })}
        </ActionButton>
      )}
      {player.security_code.is_set && !isProposed('code_reset') && (
        <ActionButton
          route={proposeCodeReset}
          request={request}
          disabled={isUnknown}
          label="areas.players.proposeReset"
          done="areas.players.resetProposed"
          fields={[REASON]}
        >
          {translate('areas.players.proposeResetText', { username: player.username })}
        </ActionButton>
      )}
    </>
  )
}

/** Freezes or unfreezes the account; not offered for a closed one. */
function Freeze({ player }: { player: PlayerPage }) {
  const request = { user_id: player.id }
  const { freeze } = player
  if (player.state === 'closed') return null
  return freeze ? (
    <ActionButton
      route={unfreezeAccount}
      request={{ ...request, frozen_at: freeze.at }}
      label="areas.players.unfreeze"
      done="areas.players.isOpen"
      fields={[REASON]}
    >
      {player.username}: {freeze.reason} ({freeze.by})
    </ActionButton>
  ) : (
    <ActionButton
      route={freezeAccount}
      request={request}
      label="areas.players.freezeThis"
      done="areas.players.isFrozen"
      tone="error"
      fields={[REASON]}
    >
      {player.username}
    </ActionButton>
  )
}

const REST_REASON: ActionField = { ...REASON, hint: 'areas.players.restReason' }

const KINDS = (['bank', 'wallet'] as const).map((value) => ({
  value,
  label: `areas.players.payeeKind.${value}`,
}))

const PAYEE: readonly ActionField[] = [
  { name: 'kind', label: 'areas.players.payeeKindLabel', choices: KINDS, initial: 'bank' },
  { name: 'number', label: 'areas.players.payeeNumber', above: CardDoubt },
  { name: 'label', label: 'areas.players.payeeLabel' },
  { name: 'bank_name', label: 'areas.players.payeeBank', optional: true },
]

/** Warns of a mistyped card while it is typed; the number of an account may look so. */
function CardDoubt({ text }: { text: string }) {
  const translate = useTranslate()
  if (cardNumberFault(text) !== 'checksum') return null
  return <Alert severity="warning">{translate('areas.players.payeeDoubt')}</Alert>
}

/** The balance left in a closed account: paid to a payee of the player, or kept booked with a reason. */
function RestOfAccount({ player }: { player: PlayerPage }) {
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
    choices: player.pay_methods.map((method) => ({
      value: String(method.id),
      label: [
        ...[method.number, method.label, method.bank_name].filter(Boolean),
        ...(method.by_staff ? [translate('areas.players.savedByStaff')] : []),
      ].join(', '),
    })),
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
          fields={[saved, REST_REASON]}
        >
          {what}
        </ActionButton>
      )}
      <ActionButton
        route={requestRest}
        request={request}
        label="areas.players.payRestElsewhere"
        done="areas.players.restRequested"
        fields={[...PAYEE, REST_REASON]}
      >
        {what}
      </ActionButton>
      <ActionButton
        route={keepRest}
        request={request}
        label="areas.players.keepRest"
        done="areas.players.restKept"
        fields={[REASON]}
      >
        {player.username}: <MoneyText value={player.figures.cash} />
      </ActionButton>
    </>
  )
}
