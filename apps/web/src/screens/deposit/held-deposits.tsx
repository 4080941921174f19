import { AmountText } from '@sum28/ui/amount.tsx'
import { Card, CardHeading } from '@sum28/ui/card.tsx'
import { RecordList, RecordRow, RecordSign } from '@sum28/ui/record-row.tsx'
import { momentText } from '@sum28/ui/time-text.ts'
import { useQuery } from '@tanstack/react-query'
import { protectionQuery } from '#src/data/protection.ts'
import { useTimeFormat } from '#src/features/use-time-format.ts'
import { useText } from '#src/i18n/text.ts'

/** The poll interval, so that an arrived transfer is soon shown as held. */
const POLL_MS = 5_000

/** Held deposits, each with its reason; empty if there are none. */
export function HeldDeposits() {
  const t = useText()
  const when = useTimeFormat()
  const held = useQuery({ ...protectionQuery, refetchInterval: POLL_MS }).data?.held ?? []
  if (held.length === 0) return null
  return (
    <section className="stack-2 shrink">
      <CardHeading>{t('held.title')}</CardHeading>
      <Card kind="rows">
        <p className="quiet row-text">{t('held.text')}</p>
        <RecordList>
          {held.map(({ id, amount, because, createdAt }) => (
            <li key={id}>
              <RecordRow
                sign={<RecordSign icon="pause" tone="warn" />}
                title={t(`held.${because}`)}
                value={<AmountText value={amount} decimals="all" />}
                note={momentText(createdAt, when)}
              />
            </li>
          ))}
        </RecordList>
      </Card>
    </section>
  )
}
