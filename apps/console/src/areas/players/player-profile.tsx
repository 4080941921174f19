import { Card } from '@mui/material'
import type { PlayerPage } from '@sum28/contract/staff-players-routes.ts'
import { useTranslate } from 'react-admin'
import { Link } from 'react-router'
import { type Fact, Facts } from '#src/parts/facts.tsx'
import { MomentText } from '#src/parts/moment.tsx'
import { MoneyText } from '#src/parts/money.tsx'

function FactsCard({ facts }: { facts: readonly Fact[] }) {
  return (
    <Card sx={{ padding: 2 }}>
      <Facts texts="areas.players.fact" facts={facts} width="15rem" />
    </Card>
  )
}

const moment = (at: number | null) => (at === null ? null : <MomentText at={at} />)

/** The player's identity, and the state of his account. */
export function PlayerProfile({ player }: { player: PlayerPage }) {
  const translate = useTranslate()
  const { freeze, exclusion, invited_by: inviter, security_code: code } = player
  return (
    <FactsCard
      facts={[
        ['number', player.id],
        ['email', player.email],
        ['group', translate(`areas.players.group.${player.group_id}`)],
        ['lang', player.lang],
        ['registered', moment(player.registered_at)],
        ['address', player.deposit_address],
        ['inviter', inviter && <Link to={`/players/${inviter.id}/show`}>{inviter.username}</Link>],
        ['changed', moment(player.sensitive_changed_at)],
        ['code', translate(code.is_set ? 'areas.players.codeSet' : 'areas.players.codeNotSet')],
        ['codeLocked', moment(code.locked_until)],
        ['passwordRequired', moment(player.password_required_at)],
        ['frozen', freeze && `${freeze.reason} (${freeze.by})`],
        ['frozenSince', moment(freeze?.at ?? null)],
        ['exclusion', exclusion && translate(`areas.players.exclusion.${exclusion.kind}`)],
        ['excludedUntil', moment(exclusion?.until ?? null)],
      ]}
    />
  )
}

const FIGURES = ['cash', 'held', 'deposited', 'withdrawn', 'staked', 'paid', 'net'] as const

/** The player's money. */
export function PlayerFigures({ player: { figures } }: { player: PlayerPage }) {
  return (
    <FactsCard
      facts={FIGURES.map((name) => [name, <MoneyText key={name} value={figures[name]} />])}
    />
  )
}
