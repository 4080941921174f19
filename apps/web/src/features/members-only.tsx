import type { ReactNode } from 'react'
import { useSession } from '#src/data/session-watch.ts'
import { useText } from '#src/i18n/text.ts'
import { useGoBack } from '#src/navigation/navigation.tsx'
import { Dialog } from '#src/parts/overlays.tsx'

const MEMBER = '1'

/** Whether the player's group is that of members; with a group of the address, whether both are. */
export function useIsMember(requestedGroup = MEMBER): boolean {
  return useSession('groupId') === MEMBER && requestedGroup === MEMBER
}

/** Asks a visitor to become a member, and goes back. */
export function MembersOnly({ children }: { children: ReactNode }) {
  const t = useText()
  const goBack = useGoBack()
  return (
    <Dialog open onClose={goBack} title={t('deposit.visitorTitle')} tone="warn">
      {children}
    </Dialog>
  )
}
