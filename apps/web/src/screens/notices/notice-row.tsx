import { Button } from '@sum28/ui/button.tsx'
import type { IconName } from '@sum28/ui/icon.tsx'
import { RecordBadge, RecordRow, RecordSign } from '@sum28/ui/record-row.tsx'
import { momentText } from '@sum28/ui/time-text.ts'
import { useMemo, useState } from 'react'
import type { Notice } from '#src/data/notices-wire.ts'
import { paragraphsOf } from '#src/features/html-paragraphs.ts'
import { SafeHtml } from '#src/features/safe-html.tsx'
import { useTimeFormat } from '#src/features/use-time-format.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/notices/notice-row.module.css'

/** A longer text is folded at first. */
const FOLD_FROM = 320

export function NoticeRow({ notice, icon }: { notice: Notice; icon: IconName }) {
  const t = useText()
  const when = useTimeFormat()
  const long = useMemo(() => isLong(notice.html), [notice.html])
  const [open, setOpen] = useState(false)
  return (
    <RecordRow
      sign={<RecordSign icon={icon} tone={notice.unread ? 'accent' : 'quiet'} />}
      title={
        <>
          {notice.title}
          {notice.unread && <RecordBadge tone="accent">{t('notices.new')}</RecordBadge>}
        </>
      }
      note={momentText(notice.sentAt, when)}
    >
      <div className={styles.text} data-folded={long && !open}>
        <SafeHtml html={notice.html} />
      </div>
      {long && (
        <Button
          kind="plain"
          size="s"
          className={styles.more}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? t('notices.less') : t('notices.more')}
        </Button>
      )}
    </RecordRow>
  )
}

function isLong(html: string): boolean {
  return paragraphsOf(html).join(' ').length > FOLD_FROM || /<(img|table)\b/i.test(html)
}
