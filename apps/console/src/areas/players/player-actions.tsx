import { freezeAccount, unfreezeAccount } from '@sum28/contract/staff-house-routes.ts'
import {
  addNote,
  endSessions,
  type PlayerPage,
  requirePassword,
  sendMessage,
} from '@sum28/contract/staff-players-routes.ts'
import {
  listProposals,
  proposeCodeReset,
  proposeFactorReset,
} from '@sum28/contract/staff-proposal-routes.ts'
import { useTranslate } from 'react-admin'
import { ProposeAdjustment } from '#src/areas/money/propose-adjustment.tsx'
import { RestOfAccount } from '#src/areas/players/rest-of-account.tsx'
import { useReply } from '#src/data/use-reply.ts'
import { ActionButton, type ActionField } from '#src/parts/action-button.tsx'

const REASON: ActionField = { name: 'reason', label: 'areas.players.reason', long: true }

const NOTE: ActionField = { name: 'text', label: 'areas.players.note', long: true }
const MESSAGE: ActionField = {
  name: 'text',
  label: 'areas.players.message',
  hint: 'areas.players.messageHint',
  long: true,
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
      <ActionButton
        route={sendMessage}
        request={request}
        label="areas.players.sendMessage"
        done="areas.players.sent"
        fields={[MESSAGE]}
      />
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

/** Actions for a password or security code that is lost, or known to another person. */
function LostSecrets({ player }: { player: PlayerPage }) {
  const translate = useTranslate()
  const request = { user_id: player.id }
  const { data } = useReply(listProposals, { subject: `player:${player.id}`, state: 'proposed' })
  const proposed = data?.list.some(({ kind }) => kind === 'code_reset')
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
      {player.second_factor && (
        <ActionButton
          route={proposeFactorReset}
          request={request}
          label="areas.players.proposeFactorReset"
          done="areas.players.resetProposed"
          fields={[REASON]}
        >
          {translate('areas.players.proposeResetText', { username: player.username })}
        </ActionButton>
      )}
      {player.security_code.is_set && !proposed && (
        <ActionButton
          route={proposeCodeReset}
          request={request}
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
  if (player.state === 'closed') return null
  return player.state === 'frozen' ? (
    <ActionButton
      route={unfreezeAccount}
      request={request}
      label="areas.players.unfreeze"
      done="areas.players.isOpen"
      fields={[REASON]}
    >
      {player.username}
    </ActionButton>
  ) : (
    <ActionButton
      route={freezeAccount}
      request={request}
      label="areas.players.freeze"
      done="areas.players.isFrozen"
      tone="error"
      fields={[REASON]}
    >
      {player.username}
    </ActionButton>
  )
}
