import { Alert, Button, Card, Stack, Typography } from '@mui/material'
import type { ReplyOf } from '@sum28/contract/route.ts'
import * as wire from '@sum28/contract/staff-protection-routes.ts'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { Link } from 'react-router'
import { useMay, useSession } from '#src/data/session.ts'
import { useAction } from '#src/data/use-action.ts'
import { useReply } from '#src/data/use-reply.ts'
import { ActionButton } from '#src/parts/action-button.tsx'
import { Col, MomentCol, PlayerCol, StateCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { Facts } from '#src/parts/facts.tsx'
import { stateFilter } from '#src/parts/filters.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { MomentText, MoneyText } from '#src/parts/values.tsx'

const FILTERS = [stateFilter(wire.IDENTITY_STATES, 'areas.players.identityState')]
const TONES = { waiting: 'warning', accepted: 'success', rejected: 'error' } as const

type Seen = ReplyOf<typeof wire.seeIdentity>
type Listed = ReplyOf<typeof wire.listIdentities>['list'][number]

/** What players sent to prove their identity: what waits, and who checked the rest. */
export function IdentityList() {
  return (
    <DataList
      filters={FILTERS}
      sort={{ field: 'sent_at', order: 'DESC' }}
      actions={<Terms />}
      refreshMs={15_000}
    >
      <Rows>
        <PlayerCol />
        <StateCol source="state" texts="areas.players.identityState" tones={TONES} />
        <MomentCol source="sent_at" sorts />
        <Col source="decided_by" />
        <MomentCol source="decided_at" />
        <Col source="reject_reason" />
        <Col
          label="console.actions"
          render={({ user_id: id }: Listed) => <ToIdentity playerId={id} />}
        />
      </Rows>
    </DataList>
  )
}

function ToIdentity({ playerId }: { playerId: number }) {
  const translate = useTranslate()
  return (
    <Link to={`/players/${playerId}/show?tab=identity`} style={{ whiteSpace: 'nowrap' }}>
      {translate('areas.players.toIdentity')}
    </Link>
  )
}

/** From which sum identity is asked for; the owner can change it. */
function Terms() {
  const translate = useTranslate()
  const terms = useReply(wire.identityTerms, {})
  return (
    <Loaded answer={terms}>
      {({ asked_from: sum }) => (
        <Stack direction="row" sx={{ gap: 2, alignItems: 'center', flexShrink: 0, padding: 1 }}>
          <Typography variant="body2" color="textSecondary">
            {sum === null ? (
              translate('areas.players.notAskedFor')
            ) : (
              <>
                {translate('areas.players.askedFrom')} <MoneyText value={sum} />
              </>
            )}
          </Typography>
          <ActionButton
            route={wire.setIdentityTerms}
            request={{}}
            label="areas.players.setAskedFrom"
            done="areas.players.askedFromSet"
            fields={[
              {
                name: 'asked_from',
                label: 'areas.players.askedFromField',
                optional: true,
                hint: 'areas.players.askedFromHint',
                initial: sum ?? '',
              },
            ]}
          />
        </Stack>
      )}
    </Loaded>
  )
}

/** The player may send anew meanwhile. */
const LIVE = { everyMs: 15_000 }

/** A player's identity: its state, and, after a click that is written in the audit log, what he sent. */
export function PlayerIdentity({ playerId }: { playerId: number }) {
  const translate = useTranslate()
  const may = useMay()
  const [seen, setSeen] = useState<Seen | null>(null)
  const { act, pending } = useAction(wire.seeIdentity)
  const listed = useReply(wire.listIdentities, { user_id: playerId }, LIVE)

  /** By hand, because a list refreshes itself, and each look is written down. */
  async function look() {
    const looked = await act({ user_id: playerId })
    if (looked) setSeen(looked.reply)
  }

  return (
    <Stack sx={{ gap: 2, paddingTop: 2 }}>
      <Loaded answer={listed}>
        {({ list: [sent] }) =>
          sent ? (
            <>
              <State sent={sent} />
              {seen?.sent_at === sent.sent_at ? (
                <Sent seen={seen} listed={sent} />
              ) : (
                may(wire.seeIdentity.action) && (
                  <div>
                    {seen && (
                      <Alert severity="warning">{translate('areas.players.sentAnew')}</Alert>
                    )}
                    <Button variant="outlined" loading={pending} onClick={() => void look()}>
                      {translate('areas.players.seeIdentity')}
                    </Button>
                    <Typography variant="body2" color="textSecondary">
                      {translate('areas.players.lookIsNoted')}
                    </Typography>
                  </div>
                )
              )}
            </>
          ) : (
            <Typography color="textSecondary">{translate('areas.players.noIdentity')}</Typography>
          )
        }
      </Loaded>
    </Stack>
  )
}

function State({ sent }: { sent: Listed }) {
  const translate = useTranslate()
  return (
    <Facts
      texts="areas.players.fact"
      facts={[
        ['identityState', translate(`areas.players.identityState.${sent.state}`)],
        ['identitySent', <MomentText key="sent" at={sent.sent_at} />],
        ['identityBy', sent.decided_by],
        ['identityReason', sent.reject_reason],
      ]}
    />
  )
}

/** The accounts that may be the same person's and are not decided yet: to see before this identity is accepted. */
function Alike({ playerId }: { playerId: number }) {
  const translate = useTranslate()
  const answer = useReply(wire.listLikenesses, { user_id: playerId, state: 'open' })
  return (
    <Loaded answer={answer}>
      {({ list }) =>
        list.length > 0 && (
          <Alert severity="error">
            {translate('areas.players.alikeFirst')}
            <ul>
              {list.map(({ id, like_in: likeIn, ...pair }) => {
                const isOther = pair.user_id !== playerId
                return (
                  <li key={id}>
                    <Link to={`/players/${isOther ? pair.user_id : pair.like_user_id}/show`}>
                      {isOther ? pair.username : pair.like_username}
                    </Link>
                    {` · ${translate(`areas.players.likeIn.${likeIn}`)}`}
                  </li>
                )
              })}
            </ul>
          </Alert>
        )
      }
    </Loaded>
  )
}

/** What the player sent, and the decision about it; another person than the one who accepted it can take that back. */
function Sent({ seen, listed: { state, decided_by: decider } }: { seen: Seen; listed: Listed }) {
  const translate = useTranslate()
  const self = useSession()?.name
  const waits = state === 'waiting'
  const { user_id: playerId, version, pictures } = seen
  return (
    <Stack sx={{ gap: 2 }}>
      <Facts
        texts="areas.players.fact"
        facts={[
          ['identityName', <bdi key="name">{seen.name}</bdi>],
          ['identityBirth', seen.birth_date],
          ['identityAddress', <bdi key="address">{seen.address}</bdi>],
          ['identityDocument', seen.document],
        ]}
      />
      {seen.under_age_said_at !== null && (
        <Alert severity="warning">
          {translate('areas.players.saidUnderAge', { year: seen.under_age_born })}{' '}
          <MomentText at={seen.under_age_said_at} />
        </Alert>
      )}
      {pictures.length === 0 && (
        <Alert severity="info">
          {translate(`areas.players.${state === 'rejected' ? 'picturesGone' : 'noPicture'}`)}
        </Alert>
      )}
      <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap' }}>
        {pictures.map((picture, at) => (
          <Card key={picture.slice(-40)} variant="outlined">
            <img
              src={`data:image/webp;base64,${picture}`}
              alt={translate('areas.players.pictureOf', { number: at + 1 })}
              style={{ display: 'block', maxWidth: 'min(100%, 40rem)', maxHeight: '32rem' }}
            />
          </Card>
        ))}
      </Stack>
      {waits && <Alike playerId={playerId} />}
      {waits && (
        <Stack direction="row" sx={{ gap: 1 }}>
          {(seen.adult || pictures.length > 0) && (
            <ActionButton
              route={wire.decideIdentity}
              request={{ user_id: playerId, version, decision: 'accept' }}
              label="areas.players.acceptIdentity"
              done="areas.players.identityAccepted"
            >
              {translate('areas.players.acceptIdentityText')}
              {!seen.adult && ` ${translate('areas.players.acceptChildText')}`}
            </ActionButton>
          )}
          <ActionButton
            route={wire.decideIdentity}
            request={{ user_id: playerId, version, decision: 'reject' }}
            label="areas.players.rejectIdentity"
            tone="error"
            done="areas.players.identityRejected"
            fields={[{ name: 'reason', label: 'areas.players.reasonTold', long: true }]}
          />
        </Stack>
      )}
      {state === 'accepted' && decider !== self && (
        <div>
          <ActionButton
            route={wire.takeBackIdentity}
            request={{ user_id: playerId, version }}
            label="areas.players.takeBackIdentity"
            tone="error"
            done="areas.players.identityRejected"
            fields={[{ name: 'reason', label: 'areas.players.reasonTold', long: true }]}
          >
            {translate('areas.players.takeBackIdentityText')}
          </ActionButton>
        </div>
      )}
    </Stack>
  )
}
