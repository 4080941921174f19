/** The columns of the tables on a player's page. */

import type { ReplyOf, Route } from '@sum28/contract/route.ts'
import type * as wire from '@sum28/contract/staff-players-routes.ts'
import { amountFromWire } from '@sum28/domain/money.ts'
import { useTranslate } from 'react-admin'
import { Link } from 'react-router'
import type { Column } from '#src/areas/players/player-table.tsx'
import { AuditDetails, AuditSubject } from '#src/areas/staff/audit-list.tsx'
import { MoneyText, moment } from '#src/parts/values.tsx'

type RowOf<R extends Route> = ReplyOf<R> extends { list: (infer Row)[] } ? Row : never

const amount = (value: string) => <MoneyText value={value} />
const amountIfAny = (value: string) => (amountFromWire(value) > 0n ? amount(value) : null)

/** A word of the database in people's words, by the key below which these are; itself if the catalog lacks it. */
function Word({ of, value }: { of: string; value: string }) {
  return useTranslate()(`${of}.${value}`, { _: value })
}

export const STATEMENT: Column<RowOf<typeof wire.playerStatement>>[] = [
  { name: 'at', show: ({ at }) => moment(at) },
  { name: 'kind', show: ({ kind }) => <Word of="areas.players.movement" value={kind} /> },
  {
    name: 'way',
    show: ({ source, destination }) => (
      <>
        <Word of="areas.players.ledgerAccount" value={source} /> →{' '}
        <Word of="areas.players.ledgerAccount" value={destination} />
      </>
    ),
  },
  { name: 'quantity', right: true, show: ({ quantity }) => amount(quantity) },
  { name: 'cashAfter', right: true, show: ({ cash_after: after }) => amount(after) },
  { name: 'heldAfter', right: true, show: ({ held_after: after }) => amount(after) },
  { name: 'reference', show: ({ reference }) => reference },
]

export const BETS: Column<RowOf<typeof wire.playerBets>>[] = [
  { name: 'order', show: ({ order_no: orderNo }) => orderNo },
  { name: 'at', show: ({ at }) => moment(at) },
  { name: 'game', show: ({ game, room }) => `${game} · ${room}` },
  { name: 'issue', show: ({ issue }) => issue },
  { name: 'outcomes', show: ({ outcomes }) => outcomes.join(', ') },
  { name: 'total', right: true, show: ({ total }) => amount(total) },
  { name: 'state', show: ({ status }) => <Word of="areas.players.betState" value={status} /> },
  { name: 'payout', right: true, show: ({ payout }) => amount(payout) },
]

export const DEPOSITS: Column<RowOf<typeof wire.playerDeposits>>[] = [
  { name: 'at', show: ({ at }) => moment(at) },
  { name: 'by', show: ({ by }) => <Word of="areas.players.way" value={by} /> },
  { name: 'quantity', right: true, show: ({ quantity }) => amount(quantity) },
  { name: 'takenBack', right: true, show: ({ taken_back: back }) => amountIfAny(back) },
  { name: 'state', show: ({ state }) => <Word of="areas.players.depositState" value={state} /> },
  { name: 'reference', show: ({ reference }) => reference },
]

export const WITHDRAWALS: Column<RowOf<typeof wire.playerWithdrawals>>[] = [
  { name: 'number', show: ({ id }) => <Link to={`/withdrawals/${id}/show`}>{id}</Link> },
  { name: 'at', show: ({ requested_at: at }) => moment(at) },
  { name: 'quantity', right: true, show: ({ quantity }) => amount(quantity) },
  { name: 'paidPart', right: true, show: ({ paid_part: part }) => amountIfAny(part) },
  { name: 'payee', show: ({ payee }) => payee },
  { name: 'state', show: ({ state }) => <Word of="areas.money.state" value={state} /> },
  { name: 'decidedAt', show: ({ decided_at: at }) => moment(at) },
  { name: 'paidAt', show: ({ paid_at: at }) => moment(at) },
  { name: 'reason', show: ({ reject_reason: reason }) => reason },
]

export const INVITEES: Column<RowOf<typeof wire.playerInvitees>>[] = [
  { name: 'number', show: ({ id }) => <Link to={`/players/${id}/show`}>{id}</Link> },
  { name: 'name', show: ({ username }) => username },
  { name: 'state', show: ({ state }) => <Word of="areas.players.state" value={state} /> },
  { name: 'at', show: ({ registered_at: at }) => moment(at) },
]

export const ACTIONS: Column<RowOf<typeof wire.playerActions>>[] = [
  { name: 'at', show: ({ at }) => moment(at) },
  { name: 'staff', show: ({ staff }) => staff },
  { name: 'action', show: ({ action }) => action.replaceAll('_', ' ') },
  { name: 'subject', show: ({ subject }) => <AuditSubject subject={subject} /> },
  { name: 'details', show: ({ details }) => <AuditDetails details={details} /> },
]

export const NOTES: Column<RowOf<typeof wire.playerNotes>>[] = [
  { name: 'at', show: ({ at }) => moment(at) },
  { name: 'staff', show: ({ by }) => by },
  { name: 'note', show: ({ text }) => text },
]

export const MESSAGES: Column<RowOf<typeof wire.playerMessages>>[] = [
  { name: 'at', show: ({ at }) => moment(at) },
  { name: 'title', show: ({ title }) => title },
  { name: 'text', show: ({ text }) => text },
  { name: 'read', show: ({ read }) => (read ? '✓' : '—') },
]

type Page = wire.PlayerPage

export const LIMITS: Column<Page['limits'][number]>[] = [
  { name: 'kind', show: ({ kind }) => <Word of="areas.players.limitOf" value={kind} /> },
  { name: 'period', show: ({ period }) => <Word of="areas.players.aPeriod" value={period} /> },
  { name: 'own', right: true, show: ({ own }) => own && amount(own) },
  { name: 'limit', right: true, show: ({ amount: limit }) => limit && amount(limit) },
  { name: 'by', show: ({ by }) => by && <Word of="areas.players.limitBy" value={by} /> },
  { name: 'used', right: true, show: ({ used }) => amount(used) },
]

export const PAY_METHODS: Column<Page['pay_methods'][number]>[] = [
  { name: 'kind', show: ({ kind }) => <Word of="areas.players.payeeKind" value={kind} /> },
  { name: 'payee', show: ({ number }) => number },
  { name: 'name', show: ({ label }) => label },
  { name: 'bank', show: ({ bank_name: bank }) => bank || null },
  { name: 'since', show: ({ created_at: at }) => moment(at) },
]

export const SESSIONS: Column<Page['sessions'][number]>[] = [
  { name: 'began', show: ({ created_at: at }) => moment(at) },
  { name: 'seen', show: ({ seen_at: at }) => moment(at) },
  { name: 'ended', show: ({ ended_at: at }) => moment(at) },
  {
    name: 'endedBy',
    show: ({ ended_by: by }) => by && <Word of="areas.players.sessionEnd" value={by} />,
  },
  { name: 'network', show: ({ network }) => network || null },
  { name: 'device', show: ({ device }) => device || null },
]

export const LINKS: Column<ReplyOf<typeof wire.playerLinks>['list'][number]>[] = [
  { name: 'shares', show: ({ by }) => <Word of="areas.players.link" value={by} /> },
  {
    name: 'account',
    show: ({ user_id: id, username }) => <Link to={`/players/${id}/show`}>{username}</Link>,
  },
  { name: 'state', show: ({ state }) => <Word of="areas.players.state" value={state} /> },
  { name: 'seen', show: ({ at }) => moment(at) },
]

export const DEVICES: Column<Page['devices'][number]>[] = [
  { name: 'since', show: ({ created_at: at }) => moment(at) },
  { name: 'until', show: ({ expires_at: at }) => moment(at) },
]
