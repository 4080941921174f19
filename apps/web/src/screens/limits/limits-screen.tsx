import { Card, CardHeading } from '@sum28/ui/card.tsx'
import { ListRow } from '@sum28/ui/list-row.tsx'
import { Skeletons } from '@sum28/ui/skeleton.tsx'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { href } from '#src/app/routes.ts'
import {
  LIMIT_KINDS,
  type LimitName,
  type Protection,
  protectionQuery,
} from '#src/data/protection.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import { CheckInterval } from '#src/screens/limits/check-interval.tsx'
import { LimitRow } from '#src/screens/limits/limit-row.tsx'
import { LimitSheet } from '#src/screens/limits/limit-sheet.tsx'
import styles from '#src/screens/limits/limits-screen.module.css'

/** The nine limits, the reality check, and links to breaks and to help. */
export function LimitsScreen() {
  const t = useText()
  const protection = useQuery(protectionQuery)
  return (
    <Screen title={t('limits.title')} back>
      <p className={styles.lead}>{t('limits.lead')}</p>
      <Loaded query={protection} skeleton={<Skeletons heights={[268, 268, 268]} />}>
        {(found) => <Limits protection={found} />}
      </Loaded>
      <Card kind="rows">
        <ListRow
          icon="pause"
          title={t('break.title')}
          note={t('break.note')}
          to={href('takeBreak')}
        />
        <ListRow
          icon="shield"
          title={t('home.saferPlay')}
          note={t('home.saferPlayNote')}
          to={href('saferPlay')}
        />
      </Card>
    </Screen>
  )
}

function Limits({ protection: { limits, checkMinutes } }: { protection: Protection }) {
  const t = useText()
  const [chosen, choose] = useState<LimitName | null>(null)
  const [open, setOpen] = useState(false)
  const shown = limits.find(({ kind, period }) => kind === chosen?.kind && period === chosen.period)
  return (
    <>
      {LIMIT_KINDS.map((kind) => (
        <section key={kind} className="stack-2 shrink">
          <CardHeading>{t(`limits.kind.${kind}`)}</CardHeading>
          <Card kind="rows">
            <p className="quiet row-text">{t(`limits.about.${kind}`)}</p>
            {limits
              .filter((limit) => limit.kind === kind)
              .map((limit) => (
                <LimitRow
                  key={limit.period}
                  limit={limit}
                  onPress={() => {
                    choose(limit)
                    setOpen(true)
                  }}
                />
              ))}
          </Card>
        </section>
      ))}
      <CheckInterval minutes={checkMinutes} />
      {shown && <LimitSheet limit={shown} open={open} onClose={() => setOpen(false)} />}
    </>
  )
}
