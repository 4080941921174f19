import { roundNumber } from '@sum28/domain/issues.ts'
import { TREND_COLUMNS, type Trend, type TrendRow, type TrendTally } from '@sum28/domain/trends.ts'
import { memo, type ReactNode } from 'react'
import { rowBlocks } from '#src/data/rounds/trend.ts'
import { useOutcomeWord } from '#src/features/outcome-tag.tsx'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/trend/trend.module.css'

/** Rows in a block, which the browser lays out only while it is visible. */
const BLOCK = 40

/* The rows are grids, so that blocks of them can be skipped in the layout. Grids are no table rows
   for a browser, so each part names its role. */

/** The trend table, newest round first: hits filled, misses counted, tallies at the bottom. */
export function TrendTable({ trend, caption }: { trend: Trend; caption: string }) {
  const t = useText()
  const word = useOutcomeWord()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: users without a pointer must be able to scroll it
    <section className={styles.box} aria-label={caption} tabIndex={0}>
      {/* biome-ignore-start lint/a11y: see above */}
      <table role="table" className={styles.table} aria-label={caption}>
        <thead role="rowgroup" className={styles.head}>
          <tr role="row" className={styles.row}>
            <th role="columnheader" scope="col" className={styles.round}>
              {t('trend.round')}
            </th>
            <th role="columnheader" scope="col">
              {t('trend.sum')}
            </th>
            {TREND_COLUMNS.map((column) => (
              <th role="columnheader" scope="col" key={column}>
                {/* In a narrow column a space breaks better than a hyphen. */}
                <span>{word(column).replace('-', ' ')}</span>
              </th>
            ))}
          </tr>
        </thead>
        {rowBlocks(trend.rows, BLOCK).map((rows) => (
          <Block key={rows.at(-1)?.roundId} rows={rows} />
        ))}
        <tfoot role="rowgroup" className={styles.foot}>
          <Tally trend={trend} of={({ hits }) => hits}>
            {t('trend.hits', { count: trend.drawn })}
          </Tally>
          <Tally trend={trend} of={({ longestRun }) => longestRun}>
            {t('trend.longestRun')}
          </Tally>
          <Tally trend={trend} of={({ longestAbsence }) => longestAbsence}>
            {t('trend.longestAbsence')}
          </Tally>
          <Tally trend={trend} of={({ absence }) => absence}>
            {t('trend.absence')}
          </Tally>
        </tfoot>
      </table>
      {/* biome-ignore-end lint/a11y: see above */}
    </section>
  )
}

type TallyProps = { trend: Trend; of: (tally: TrendTally) => number; children: ReactNode }

function Tally({ trend, of, children }: TallyProps) {
  return (
    // biome-ignore-start lint/a11y: see above
    <tr role="row" className={styles.row}>
      <th role="rowheader" scope="row" className={styles.tally}>
        {children}
      </th>
      {trend.foot.map((tally, at) => (
        <td role="cell" key={TREND_COLUMNS[at]}>
          {of(tally)}
        </td>
      ))}
    </tr>
    // biome-ignore-end lint/a11y: see above
  )
}

const Block = memo(
  function Block({ rows }: { rows: readonly TrendRow[] }) {
    return (
      // biome-ignore lint/a11y: see above
      <tbody role="rowgroup" className={styles.block} style={{ '--rows': rows.length } as object}>
        {rows.map((row) => (
          <Row key={row.roundId} row={row} />
        ))}
      </tbody>
    )
  },
  // The table is computed again for each round; unchanged blocks do not rerender.
  ({ rows: before }, { rows }) =>
    before.length === rows.length && rows.every((row, at) => same(row, before[at])),
)

function same(row: TrendRow, other: TrendRow | undefined): boolean {
  return (
    row.roundId === other?.roundId &&
    row.sum === other.sum &&
    String(row.cells) === String(other.cells)
  )
}

function Row({ row }: { row: TrendRow }) {
  const t = useText()
  return (
    // biome-ignore-start lint/a11y: see above
    <tr role="row" className={styles.row} data-voided={row.cells === null}>
      <th role="rowheader" scope="row" className={styles.round}>
        {roundNumber(row.roundId)}
      </th>
      {row.cells === null ? (
        <td role="cell" className={styles.voided} colSpan={TREND_COLUMNS.length + 1}>
          {t('room.voided')}
        </td>
      ) : (
        <>
          <td role="cell" className={styles.sum}>
            {row.sum}
          </td>
          {row.cells.map((away, at) => (
            <Cell key={TREND_COLUMNS[at]} column={TREND_COLUMNS[at] ?? ''} away={away} />
          ))}
        </>
      )}
    </tr>
    // biome-ignore-end lint/a11y: see above
  )
}

function Cell({ column, away }: { column: string; away: number }) {
  const t = useText()
  const look = column.startsWith('long') ? 'long' : column.startsWith('short') ? 'short' : 'parity'
  if (away > 0) {
    return (
      // biome-ignore lint/a11y: see above
      <td role="cell" className={styles.miss}>
        {away}
      </td>
    )
  }
  return (
    // biome-ignore lint/a11y: see above
    <td role="cell" className={styles.hit} data-look={look}>
      <span className="unseen">{t('trend.hit')}</span>
    </td>
  )
}
