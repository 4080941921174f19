import { Card } from '@sum28/ui/card.tsx'
import { ListRow } from '@sum28/ui/list-row.tsx'
import { Page } from '@sum28/ui/page.tsx'
import { Skeleton } from '@sum28/ui/skeleton.tsx'
import { useQuery } from '@tanstack/react-query'
import { href } from '#src/app/routes.ts'
import { type Exclusion, protectionQuery } from '#src/data/protection.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { PageHeader } from '#src/features/page-header.tsx'
import { useText } from '#src/i18n/text.ts'
import { BreakChoice } from '#src/screens/take-break/break-choice.tsx'
import { BreakFacts } from '#src/screens/take-break/break-facts.tsx'
import { BreakNow } from '#src/screens/take-break/break-now.tsx'
import styles from '#src/screens/take-break/take-break.module.css'

const HOURS = [24, 48, 168, 336, 672, 1008].map((hours) => ({ hours }))
const MONTHS = [6, 12, 24, 36, 60].map((months) => ({ months }))

/** A time-out or a self-exclusion: taking one, and what the present one says. */
export function TakeBreakScreen() {
  const t = useText()
  const protection = useQuery(protectionQuery)
  return (
    <Page header={<PageHeader title={t('break.title')} back />}>
      <Loaded query={protection} skeleton={<BreakSkeleton />}>
        {({ exclusion }) => (
          <>
            {exclusion ? (
              <BreakNow exclusion={exclusion} />
            ) : (
              <p className={styles.lead}>{t('break.lead')}</p>
            )}
            <Card>
              <BreakFacts />
            </Card>
            <Choices exclusion={exclusion} />
          </>
        )}
      </Loaded>
      <Card kind="rows">
        <ListRow
          icon="shield"
          title={t('home.saferPlay')}
          note={t('home.saferPlayNote')}
          to={href('saferPlay')}
        />
      </Card>
    </Page>
  )
}

/** What can still be taken: during a self-exclusion only a longer one. */
function Choices({ exclusion }: { exclusion: Exclusion | null }) {
  const t = useText()
  return (
    <>
      {exclusion && <p className={styles.lead}>{t('break.longer')}</p>}
      {(!exclusion || exclusion.kind === 'time_out') && (
        <BreakChoice kind="timeOut" lengths={HOURS} />
      )}
      {exclusion?.kind !== 'likeness' && <BreakChoice kind="selfExclusion" lengths={MONTHS} />}
    </>
  )
}

function BreakSkeleton() {
  return (
    <>
      <Skeleton height={44} />
      <Skeleton height={164} />
      <Skeleton height={236} />
      <Skeleton height={236} />
    </>
  )
}
