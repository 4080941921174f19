import type { Notice } from '#src/data/notice.ts'
import { NoticeRow } from '#src/screens/notice/notice-row.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import type { IconName } from '#src/ui/icon.tsx'
import { RecordList } from '#src/ui/record-row.tsx'

type NoticeListProps = {
  notices: readonly Notice[]
  icon: IconName
  /** Where there is none. */
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
