import { NAMED_OUTCOMES } from '@sum28/domain/digits.ts'
import { namedOutcomeHits, ruleById, SUMS } from '@sum28/domain/outcomes.ts'
import type { Offer } from '#src/data/offer.ts'
import { OutcomeTags } from '#src/features/outcome-tag.tsx'
import { oddsText } from '#src/i18n/number-text.ts'
import { useLocale, useText } from '#src/i18n/text.ts'

type OddsTableProps = {
  odds: { readonly named: readonly Offer[]; readonly sums: readonly Offer[] }
}

/** All outcomes of a room, with odds, chance and return. */
export function OddsTable({ odds: { named, sums } }: OddsTableProps) {
  const t = useText()
  return (
    <table className="figures">
      <thead>
        <tr>
          <th scope="col">{t('panel.outcome')}</th>
          <th scope="col">{t('panel.odds')}</th>
          <th scope="col">{t('panel.chance')}</th>
          <th scope="col">{t('panel.return')}</th>
        </tr>
      </thead>
      <Rows title={t('rules.named')} offers={named} />
      <Rows title={t('panel.sums')} offers={sums} />
    </table>
  )
}

/** The number of possible draws, all equally likely. */
const DRAWS = 1_000

type RowsProps = { title: string; offers: readonly Offer[] }

function Rows({ title, offers }: RowsProps) {
  const t = useText()
  const { tag } = useLocale()
  const percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 2 })
  const integerFormat = new Intl.NumberFormat(tag)
  const waysText = (ways: number) =>
    t('rules.ways', { ways: integerFormat.format(ways), all: integerFormat.format(DRAWS) })
  return (
    <tbody>
      <tr>
        <th className="label" scope="rowgroup" colSpan={4}>
          {title}
        </th>
      </tr>
      {offers.map(({ ruleId, outcome, odds, chance, return: share }) => (
        <tr key={ruleId}>
          <th scope="row">
            <div className="row-2 wrap">
              <OutcomeTags outcomes={[outcome]} />
              <span className="caption">
                {sumsOf(outcome) ?? waysText(ruleById(ruleId)?.ways ?? 0)}
              </span>
            </div>
          </th>
          <td>{oddsText(odds, tag)}</td>
          <td>{percent.format(Number(chance))}</td>
          <td>{percent.format(Number(share))}</td>
        </tr>
      ))}
    </tbody>
  )
}

/** The sums of a named outcome, `14–27` if they are consecutive, else `15, 17 … 27`; null for a single sum. */
export function sumsOf(outcome: string): string | null {
  const named = NAMED_OUTCOMES.find((each) => each === outcome)
  if (!named) return null
  const sums = SUMS.filter((sum) => namedOutcomeHits(named, sum))
  const [first = 0, second = 0] = sums
  const last = sums.at(-1) ?? 0
  const inARow = sums.length === last - first + 1
  return inARow ? `${first}–${last}` : `${first}, ${second} … ${last}`
}
