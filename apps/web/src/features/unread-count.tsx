import { useQuery } from '@tanstack/react-query'
import { type Player, profileQuery } from '#src/data/profile.ts'
import { useSignedIn } from '#src/data/session-watch.ts'
import { useText } from '#src/i18n/text.ts'

/** How many messages the player has not read; 0 for a stranger. */
export function useUnread(): number {
  const signedIn = useSignedIn()
  const { data = 0 } = useQuery({ ...profileQuery, enabled: signedIn, select: unreadOf })
  return data
}

const unreadOf = ({ unread }: Player) => unread

/** The number as a badge; a screen reader hears what it counts. */
export function UnreadCount({ count }: { count: number }) {
  const t = useText()
  return (
    <span className="count-badge">
      <span aria-hidden="true">{count > 98 ? '99+' : count}</span>
      <span className="unseen">{t('notices.unread', { count })}</span>
    </span>
  )
}
