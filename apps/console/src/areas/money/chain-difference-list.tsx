import type { ReplyOf } from '@sum28/contract/route.ts'
import {
  DIFFERENCE_KINDS,
  explainDifference,
  type listChainDifferences,
} from '@sum28/contract/staff-routes.ts'
import { useTranslate } from 'react-admin'
import { Link } from 'react-router'
import { Transaction } from '#src/areas/money/transaction.tsx'
import { ActionButton, REASON } from '#src/parts/action-button.tsx'
import { Col, MomentCol, StateCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { choiceFilter, dueFilter, searchFilter } from '#src/parts/filters.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { MomentText, MoneyText } from '#src/parts/values.tsx'

const FILTERS = [
  searchFilter('areas.money.searchDifferences'),
  choiceFilter(
    'kind',
    DIFFERENCE_KINDS,
    'areas.money.difference',
    'resources.chain-differences.fields.kind',
  ),
  dueFilter('areas.money.differenceDue'),
]

/** The differences that the daily comparison of chain and ledger found. */
export function ChainDifferenceList() {
  return (
    <DataList filters={FILTERS}>
      <Rows>
        <Col sorts source="id" />
        <MomentCol source="found_at" />
        <StateCol source="kind" texts="areas.money.difference" tones={{}} />
        <Col source="tx_id" render={(row: Difference) => <Transaction of={row} />} />
        <Col source="details" render={(row: Difference) => <Details row={row} />} />
        <Col source="decision" render={(row: Difference) => <Decision row={row} />} />
      </Rows>
    </DataList>
  )
}

type Difference = ReplyOf<typeof listChainDifferences>['list'][number]

const AMOUNTS = ['chain_amount', 'recorded_amount', 'booked_amount'] as const

/** The facts of a difference: the amounts on the chain and in the ledger, the block, and the player. */
function Details({ row }: { row: Difference }) {
  const translate = useTranslate()
  const { block, player_id: player, held_deposit: deposit, ...amounts } = row.details ?? {}
  const name = (key: string) => translate(`areas.money.differenceDetails.${key}`)
  return (
    <>
      {AMOUNTS.map((key) => {
        const amount = amounts[key]
        return (
          typeof amount === 'string' && (
            <div key={key}>
              {name(key)} <MoneyText value={amount} />
            </div>
          )
        )
      })}
      {typeof block === 'number' && (
        <div>
          {name('block')} <span className="num">{block}</span>
        </div>
      )}
      {typeof deposit === 'number' && (
        <div>
          <Link to={`/held-deposits/${deposit}/show`}>
            {name('refund')} {deposit}
          </Link>
        </div>
      )}
      {typeof player === 'number' && (
        <Link to={`/players/${player}/show`}>
          {name('player')} {player}
        </Link>
      )}
    </>
  )
}

/** What staff have decided, or the button to explain it. */
function Decision({ row }: { row: Difference }) {
  const translate = useTranslate()
  const { id, decision, explanation, explained_at: at } = row
  if (row.to_explain) {
    return (
      <ActionButton
        route={explainDifference}
        request={{ id }}
        label="areas.money.explain"
        done="areas.money.isExplained"
        fields={[REASON]}
      >
        {translate(`areas.money.difference.${row.kind}`)}
        <Details row={row} />
        <p>{translate('areas.money.explainText')}</p>
      </ActionButton>
    )
  }
  if (at !== null) {
    return (
      <>
        {explanation} · {row.explained_by} · <MomentText at={at} />
      </>
    )
  }
  return decision ? translate(`areas.money.state.${decision}`) : '—'
}
