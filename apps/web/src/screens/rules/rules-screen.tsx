import { useQuery } from '@tanstack/react-query'
import { rulesQuery } from '#src/data/rules.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/rules/rules.module.css'
import { RulesBody } from '#src/screens/rules/rules-body.tsx'
import { Loaded } from '#src/ui/loaded.tsx'
import { Page } from '#src/ui/page.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { Skeleton, SkeletonRows } from '#src/ui/skeleton.tsx'

/** The rules, before one plays: open to all as /rules, and from the room as /lotteryExplain. */
export function RulesScreen() {
  const t = useText()
  const rules = useQuery(rulesQuery)
  return (
    <Page header={<PageHeader title={t('rules.title')} back />}>
      <p className={styles.lead}>{t('rules.lead')}</p>
      <div className={styles.adults}>
        <b aria-hidden="true">18+</b>
        <p>{t('rules.adults')}</p>
      </div>
      <Loaded query={rules} skeleton={<RulesSkeleton />}>
        {(found) => <RulesBody rules={found} />}
      </Loaded>
    </Page>
  )
}

function RulesSkeleton() {
  return (
    <>
      <Skeleton height={188} />
      <Skeleton height={196} />
      <SkeletonRows count={8} />
    </>
  )
}
