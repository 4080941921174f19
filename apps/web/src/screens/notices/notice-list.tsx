import { Card } from '@sum28/ui/card.tsx'
import { EmptyState } from '@sum28/ui/empty-state.tsx'
import type { IconName } from '@sum28/ui/icon.tsx'
import { RecordList } from '@sum28/ui/record-row.tsx'
import type { Notice } from '#src/data/notices-wire.ts'
import { NoticeRow } from '#src/screens/notices/notice-row.tsx'

type NoticeListProps = {
  notices: readonly Notice[]
  icon: IconName
  /** Shown if there is none. */
  empty: { title: string; hint: string }
  onReload: () => void
}

/** Notices, newest first. */
export function NoticeList({ notices, icon, empty, onReload }: NoticeListProps) {
  if (notices.length === 0) {
    return <EmptyState icon={icon} title={empty.title} hint={empty.hint} onReload={onReload} />
  }
  return (
    <Card kind="rows">
      <RecordList>
        {notices.map((notice) => (
          <li key={notice.id}>
            <NoticeRow notice={notice} icon={icon} />
          </li>
        ))}
      </RecordList>
    </Card>
  )
}
