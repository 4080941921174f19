import { Card, CardHeading } from '@sum28/ui/card.tsx'
import { dateText } from '@sum28/ui/date-text.ts'
import { EmptyState } from '@sum28/ui/empty-state.tsx'
import { RecordList, RecordRow, RecordSign } from '@sum28/ui/record-row.tsx'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { InviteePage } from '#src/data/invitees.ts'
import { itemsOf } from '#src/data/list-page.ts'
import { EndlessList } from '#src/features/endless-list.tsx'
import { useTimeFormat } from '#src/features/use-time-format.ts'
import { useText } from '#src/i18n/text.ts'

type InviteeListProps = {
  query: UseInfiniteQueryResult<InfiniteData<InviteePage>, Error>
  pages: readonly InviteePage[]
}

/** The players invited by the link, newest first. */
export function InviteeList({ query, pages }: InviteeListProps) {
  const t = useText()
  const when = useTimeFormat()
  const total = pages[0]?.total ?? 0
  const invitees = itemsOf(pages, keyOf)
  const count = t('invite.count', { count: total })
  return (
    <>
      <CardHeading end={total > 0 && count}>{t('invite.invited')}</CardHeading>
      {total === 0 ? (
        <Card>
          <EmptyState
            icon="people"
            title={t('invite.none')}
            hint={t('invite.noneHint')}
            onReload={() => query.refetch()}
          />
        </Card>
      ) : (
        <EndlessList query={query} end="">
          <Card kind="rows">
            <RecordList>
              {invitees.map((invitee) => (
                <li key={keyOf(invitee)}>
                  <RecordRow
                    sign={<RecordSign icon="person" tone="accent" />}
                    title={invitee.username}
                    note={dateText(invitee.createtime * 1_000, when)}
                  />
                </li>
              ))}
            </RecordList>
          </Card>
        </EndlessList>
      )}
    </>
  )
}

/** Masked names may be equal. */
function keyOf({ username, createtime }: InviteePage['list'][number]): string {
  return `${username} ${createtime}`
}
