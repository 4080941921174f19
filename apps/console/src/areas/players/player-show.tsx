import { Alert, Card, Chip, Stack, Tab, Tabs, Typography } from '@mui/material'
import type { PlayerPage } from '@sum28/contract/staff-players-routes.ts'
import * as wire from '@sum28/contract/staff-players-routes.ts'
import type { StaffRoute } from '@sum28/contract/staff-route.ts'
import type { ReactNode } from 'react'
import { Title, useTranslate } from 'react-admin'
import { Link, useParams, useSearchParams } from 'react-router'
import { PlayerIdentity } from '#src/areas/players/identity-pages.tsx'
import { PlayerActions } from '#src/areas/players/player-actions.tsx'
import * as columns from '#src/areas/players/player-columns.tsx'
import { STATE_TONES } from '#src/areas/players/player-list.tsx'
import { PlayerProtection } from '#src/areas/players/player-protection.tsx'
import {
  type Column,
  FactTable,
  PartHeading,
  PlayerTable,
} from '#src/areas/players/player-table.tsx'
import { ProposalsAbout } from '#src/areas/proposals/proposal-parts.tsx'
import { useMay } from '#src/data/session.ts'
import { useReply } from '#src/data/use-reply.ts'
import { type Fact, Facts } from '#src/parts/facts.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { languageName, MomentText, MoneyText, moment } from '#src/parts/values.tsx'

/** The page of one player. */
export function PlayerShow() {
  const id = Number(useParams().id)
  const answer = useReply(wire.onePlayer, { user_id: id })
  return (
    <Stack component="section" sx={{ gap: 2, paddingBlock: 2, minWidth: 0 }}>
      <Loaded answer={answer}>{(player) => <Player player={player} />}</Loaded>
    </Stack>
  )
}

function Player({ player }: { player: wire.PlayerPage }) {
  const translate = useTranslate()
  return (
    <>
      <Title title={player.username} />
      <Break player={player} />
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
        <Chip
          color={STATE_TONES[player.state]}
          label={translate(`areas.players.state.${player.state}`)}
        />
        <PlayerActions player={player} />
      </Stack>
      <ProposalsAbout request={{ subject: `player:${player.id}`, state: 'proposed' }} />
      <PlayerProfile player={player} />
      <PlayerFigures player={player} />
      <Belongings player={player} />
    </>
  )
}

/** That the player has excluded himself, or pauses, until when: before everything else. */
function Break({ player: { exclusion } }: { player: wire.PlayerPage }) {
  const translate = useTranslate()
  if (!exclusion) return null
  const at = exclusion.until ?? exclusion.may_ask_from
  return (
    <Alert severity="error" variant="filled">
      {translate(`areas.players.onBreak.${exclusion.kind}`)}{' '}
      {at === null ? (
        translate('areas.players.withoutEnd')
      ) : (
        <>
          {translate(`areas.players.${exclusion.until === null ? 'mayReturn' : 'untilWhen'}`)}{' '}
          <MomentText at={at} />
        </>
      )}
    </Alert>
  )
}

type Part = { name: string; show: ReactNode }

function Belongings({ player }: { player: wire.PlayerPage }) {
  const translate = useTranslate()
  const may = useMay()
  // The address names the tab and its search, so that it can be sent to a colleague.
  const [address, setAddress] = useSearchParams()
  const { id: playerId } = player
  const table = <Row extends { id: number | string }>(
    name: string,
    route: StaffRoute,
    listed: readonly Column<Row>[],
    search?: string,
  ): Part => ({
    name,
    show: (
      <PlayerTable
        key={name}
        part={name}
        playerId={playerId}
        route={route}
        columns={listed}
        keyOf={keyOf}
        search={search}
      />
    ),
  })
  const parts: Part[] = [
    table('statement', wire.playerStatement, columns.STATEMENT),
    table('bets', wire.playerBets, columns.BETS, 'areas.players.searchOrder'),
    table('deposits', wire.playerDeposits, columns.DEPOSITS),
    table('withdrawals', wire.playerWithdrawals, columns.WITHDRAWALS),
    { name: 'account', show: <Account player={player} /> },
    { name: 'identity', show: <PlayerIdentity playerId={playerId} /> },
    { name: 'links', show: <PlayerLinks playerId={playerId} /> },
    { name: 'protection', show: <PlayerProtection playerId={playerId} /> },
    table('invitees', wire.playerInvitees, columns.INVITEES),
    table('notes', wire.playerNotes, columns.NOTES),
    table('messages', wire.playerMessages, columns.MESSAGES),
  ]
  if (may(wire.playerActions.action)) {
    parts.push(table('actions', wire.playerActions, columns.ACTIONS))
  }
  const asked = address.get('tab')
  const chosen = parts.some(({ name }) => name === asked) ? asked : 'statement'
  return (
    <Card sx={{ padding: 2 }}>
      <Tabs
        value={chosen}
        onChange={(_event, name: string) => setAddress({ tab: name }, { replace: true })}
        variant="scrollable"
        aria-label={translate('areas.players.parts')}
        // Over the card's padding: an arrow needs its place also where it leads nowhere, or the row moves when it comes.
        sx={{ marginInline: -2 }}
      >
        {parts.map(({ name }) => (
          <Tab
            key={name}
            id={`tab-${name}`}
            aria-controls="tab-panel"
            value={name}
            label={translate(`areas.players.part.${name}`)}
          />
        ))}
      </Tabs>
      <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${chosen}`}>
        {parts.find(({ name }) => name === chosen)?.show}
      </div>
    </Card>
  )
}

function keyOf({ id }: { id: number | string }): number | string {
  return id
}

/** The accounts that share a card, wallet, device or network with the player. */
function PlayerLinks({ playerId }: { playerId: number }) {
  const translate = useTranslate()
  const answer = useReply(wire.playerLinks, { user_id: playerId })
  return (
    <Loaded answer={answer}>
      {({ list, crowded }) => (
        <Stack sx={{ gap: 1, paddingTop: 2 }}>
          <FactTable
            part="links"
            rows={list}
            columns={columns.LINKS}
            keyOf={({ by, user_id: id }) => `${by} ${id}`}
          />
          {crowded.map(({ by, count }) => (
            <Typography key={by} variant="body2" color="textSecondary">
              {translate(`areas.players.crowded.${by}`, { count, most: wire.LINKED_MAX })}
            </Typography>
          ))}
        </Stack>
      )}
    </Loaded>
  )
}

/** Limits, pay methods, sessions and devices. */
function Account({ player }: { player: wire.PlayerPage }) {
  return (
    <Stack sx={{ gap: 2, paddingTop: 2 }}>
      <PartHeading part="limits" />
      <FactTable
        part="limits"
        rows={player.limits}
        columns={columns.LIMITS}
        keyOf={({ kind, period }) => `${kind} ${period}`}
      />
      <PartHeading part="payMethods" />
      <FactTable
        part="payMethods"
        rows={player.pay_methods}
        columns={columns.PAY_METHODS}
        keyOf={keyOf}
      />
      <PartHeading part="sessions" />
      <FactTable
        part="sessions"
        rows={player.sessions.map((session, id) => ({ ...session, id }))}
        columns={columns.SESSIONS}
        keyOf={keyOf}
      />
      <PartHeading part="devices" />
      <FactTable
        part="devices"
        rows={player.devices.map((device, id) => ({ ...device, id }))}
        columns={columns.DEVICES}
        keyOf={keyOf}
      />
    </Stack>
  )
}

function FactsCard({ facts }: { facts: readonly Fact[] }) {
  return (
    <Card sx={{ padding: 2 }}>
      <Facts texts="areas.players.fact" facts={facts} width="15rem" />
    </Card>
  )
}

/** The player's identity, and the state of his account. */
function PlayerProfile({ player }: { player: PlayerPage }) {
  const translate = useTranslate()
  const {
    freeze,
    exclusion,
    invited_by: inviter,
    security_code: code,
    second_factor: factor,
  } = player
  const seldom: readonly Fact[] = [
    ['codeLocked', moment(code.locked_until)],
    ['factorSince', moment(factor?.since ?? null)],
    ['passwordRequired', moment(player.password_required_at)],
    ['frozen', freeze && `${freeze.reason} (${freeze.by})`],
    ['frozenSince', moment(freeze?.at ?? null)],
    ['exclusion', exclusion && translate(`areas.players.exclusion.${exclusion.kind}`)],
    ['excludedUntil', moment(exclusion?.until ?? null)],
  ]
  return (
    <FactsCard
      facts={[
        ['number', player.id],
        ['email', player.email],
        ['group', translate(`areas.players.group.${player.group_id}`)],
        ['lang', languageName(player.lang)],
        ['registered', moment(player.registered_at)],
        ['address', player.deposit_address],
        ['inviter', inviter && <Link to={`/players/${inviter.id}/show`}>{inviter.username}</Link>],
        ['changed', moment(player.sensitive_changed_at)],
        ['code', translate(code.is_set ? 'areas.players.codeSet' : 'areas.players.codeNotSet')],
        ['passkeys', player.passkeys],
        [
          'factor',
          translate(`areas.players.factor.${factor ? (factor.app ? 'app' : 'passkeys') : 'off'}`, {
            codes: factor?.recovery_codes ?? 0,
          }),
        ],
        ...seldom.filter(([, value]) => value !== null),
      ]}
    />
  )
}

const FIGURES = ['cash', 'held', 'deposited', 'withdrawn', 'staked', 'paid', 'net'] as const

/** The player's money. */
function PlayerFigures({ player: { figures } }: { player: PlayerPage }) {
  return (
    <FactsCard
      facts={FIGURES.map((name) => [name, <MoneyText key={name} value={figures[name]} />])}
    />
  )
}
