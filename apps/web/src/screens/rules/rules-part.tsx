import { Card } from '@sum28/ui/card.tsx'
import { type ReactNode, useId } from 'react'
import styles from '#src/screens/rules/rules.module.css'

export function RulesPart({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Card className={styles.part}>
        <h2 id={id}>{title}</h2>
        {children}
      </Card>
    </section>
  )
}
