import { quantityLogList } from '@sum28/contract/money-routes.ts'
import { orderTotals } from '@sum28/contract/user-routes.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#src/data/client.ts'
import { daysAgo } from '#src/data/game-day.ts'
import { pageOfReply } from '#src/data/list-page.ts'
import { firstStepsPutAway, tappedGame } from '#src/data/newcomer.ts'
import { protectionQuery } from '#src/data/protection.ts'
import { useText } from '#src/i18n/text.ts'
import { href } from '#src/navigation/routes.ts'
import { Card } from '#src/parts/card.tsx'
import { IconButton } from '#src/parts/icon.tsx'
import { ListRow } from '#src/parts/list-row.tsx'

/** How long ago the first deposit and bet may be. */
const DAYS = 360

/** The number of the ledger's rows for deposits. */
const DEPOSIT = 0

const beganQuery = queryOptions({
  // Fetched again as money moves.
  queryKey: ['bet-totals', 'first-steps'],
  queryFn: async ({ signal }) => {
    const days = { begin_date: daysAgo(DAYS) }
    const [deposits, { count }] = await Promise.all([
      call(quantityLogList, { ...days, type: DEPOSIT, page: 1, limit: 1 }, { signal }),
      call(orderTotals, days, { signal }),
    ])
    return { deposited: pageOfReply(deposits).total > 0, bet: count > 0 }
  },
})

/** What there is to do after registering: limits, a deposit, a first bet. Each is ticked by itself when it is done. */
export function FirstSteps() {
  const t = useText()
  const [hidden, setHidden] = useState(false)
  const { data: protection } = useQuery(protectionQuery)
  const { data: began } = useQuery(beganQuery)
  // During a break nobody is asked to deposit or bet.
  if (!protection || protection.exclusion || !began || hidden) return null
  const hasLimits = protection.limits.some(({ own }) => own !== null)
  const steps = [
    { name: 'limits', done: hasLimits, to: href('limits') },
    { name: 'deposit', done: began.deposited, to: href('deposit', { group_id: '1' }) },
    { name: 'bet', done: began.bet, to: href('hall', tappedGame()) },
  ] as const
  const done = steps.every((step) => step.done)

  function putAway() {
    firstStepsPutAway()
    setHidden(true)
  }

  return (
    <Card kind="rows" role="region" aria-label={t('steps.title')}>
      <div className="spread row-text">
        <h2>{t(done ? 'steps.done' : 'steps.title')}</h2>
        <IconButton icon="close" label={t('steps.hide')} onPress={putAway} />
      </div>
      {steps.map(({ name, done: isDone, to }, at) => (
        <ListRow
          key={name}
          title={
            <>
              {`${at + 1}. ${t(`steps.${name}`)}`}
              {isDone && <span className="unseen">. {t('steps.ticked')}</span>}
            </>
          }
          note={t(`steps.${name}Note`)}
          chosen={isDone}
          arrow={!isDone}
          {...(isDone ? {} : { to })}
        />
      ))}
    </Card>
  )
}
