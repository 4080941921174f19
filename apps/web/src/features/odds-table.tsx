import { NAMED_OUTCOMES } from '@sum28/domain/digits.ts'
import { type NamedOutcome, namedOutcomeHits, ruleById, SUMS } from '@sum28/domain/outcomes.ts'
import type { Offer } from '#src/data/offer.ts'
import { OutcomeTags } from '#src/features/outcome-tag.tsx'
import { oddsText } from '#src/i18n/number-text.ts'
import { useLocale, useText } from '#src/i18n/text.ts'

type OddsTableProps = {
  odds: { readonly named: readonly Offer[]; readonly sums: readonly Offer[] }
  /** Without what hits each outcome, so that a row is one line. */
  brief?: boolean
}

/** All outcomes of a room, with odds, chance and return. */
export function OddsTable({ odds: { named, sums }, brief = false }: OddsTableProps) {
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
      <Rows title={t('rules.named')} offers={named} brief={brief} />
      <Rows title={t('panel.sums')} offers={sums} brief={brief} />
    </table>
  )
}

/** The number of possible draws, all equally likely. */
const DRAWS = 1_000

type RowsProps = { title: string; offers: readonly Offer[]; brief: boolean }

function Rows({ title, offers, brief }: RowsProps) {
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
              {!brief && (
                <span className="caption">
                  {sumsOf(outcome) ?? waysText(ruleById(ruleId)?.ways ?? 0)}
                </span>
              )}
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

/** The sums of a named outcome; null for a single sum. */
function sumsOf(outcome: string): string | null {
  const named = NAMED_OUTCOMES.find((each) => each === outcome)
  return named ? sumsText(named) : null
}

/** The sums of a named outcome: `14–27` if they are consecutive, else `15, 17 … 27`. */
export function sumsText(outcome: NamedOutcome): string {
  const sums = SUMS.filter((sum) => namedOutcomeHits(outcome, sum))
  const [first = 0, second = 0] = sums
  const last = sums.at(-1) ?? 0
  const inARow = sums.length === last - first + 1
  return inARow ? `${first}–${last}` : `${first}, ${second} … ${last}`
}
