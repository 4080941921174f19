import { Card } from '@sum28/ui/card.tsx'
import { RecordList } from '@sum28/ui/record-row.tsx'
import type { ReactNode } from 'react'
import styles from '#src/features/day-section.module.css'

/** One day of a list: its heading, and a card with its rows, each an `li`. */
export function DaySection({ heading, children }: { heading: ReactNode; children: ReactNode }) {
  return (
    <section className="stack-2 shrink">
      <h2 className={styles.heading}>{heading}</h2>
      <Card kind="rows">
        <RecordList>{children}</RecordList>
      </Card>
    </section>
  )
}
