import { PROTECTION_KINDS, type ProtectionEntry } from '@sum28/contract/staff-protection-routes.ts'
import { useTranslate } from 'react-admin'
import { Col, MomentCol, PlayerCol, StateCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { choiceFilter, searchFilter } from '#src/parts/filters.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { MomentText, MoneyText } from '#src/parts/values.tsx'

const FILTERS = [
  searchFilter('areas.players.searchPlayer'),
  choiceFilter('kind', PROTECTION_KINDS, 'areas.players.protectionKind', 'areas.players.kindLabel'),
]

const TONES = { time_out: 'error', self_exclusion: 'error', return: 'warning' } as const

/** The register of protection: breaks, returns, own limits and contacts of all players, the latest first. */
export function ProtectionList() {
  return (
    <DataList filters={FILTERS} sort={{ field: 'at', order: 'DESC' }}>
      <Rows>
        <MomentCol source="at" sorts />
        <PlayerCol />
        <StateCol source="kind" texts="areas.players.protectionKind" tones={TONES} />
        <Col source="ends_at" render={(entry: ProtectionEntry) => <End entry={entry} />} />
        <Col source="text" render={(entry: ProtectionEntry) => <Content entry={entry} />} />
      </Rows>
    </DataList>
  )
}

/** When the player may bet again, or may ask for it. */
function End({ entry }: { entry: ProtectionEntry }) {
  const translate = useTranslate()
  if (entry.ends_at !== null) return <MomentText at={entry.ends_at} />
  if (entry.may_return_at === null) return '—'
  return (
    <>
      {translate('areas.players.mayReturn')} <MomentText at={entry.may_return_at} />
    </>
  )
}

function Limit({ amount }: { amount: string | null }) {
  const translate = useTranslate()
  return amount === null ? translate('areas.players.noLimit') : <MoneyText value={amount} />
}

/** A change of a limit in words, or what was said. */
function Content({ entry }: { entry: ProtectionEntry }) {
  const translate = useTranslate()
  const { limit_change: change, limit_kind: kind, limit_period: period, channel, by, text } = entry
  if (change && kind && period) {
    return (
      <>
        {translate(`areas.players.limitOf.${kind}`)} {translate(`areas.players.aPeriod.${period}`)},{' '}
        {translate(`areas.players.limitChange.${change}`)}: <Limit amount={entry.limit_before} /> →{' '}
        <Limit amount={entry.quantity} />
      </>
    )
  }
  return channel ? `${translate(`areas.players.channel.${channel}`)} · ${by}: ${text}` : '—'
}
