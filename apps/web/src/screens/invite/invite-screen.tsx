import { useInfiniteQuery } from '@tanstack/react-query'
import { inviteesQuery } from '#src/data/invitees.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import { InvitationCard, InvitationSkeleton } from '#src/screens/invite/invitation-card.tsx'
import { InviteeList } from '#src/screens/invite/invitee-list.tsx'

/** The player's registration link, and the players invited by it. */
export function InviteScreen() {
  const t = useText()
  const invited = useInfiniteQuery(inviteesQuery)
  return (
    <Screen
      title={t('invite.title')}
      back
      onRefresh={() => invited.refetch({ throwOnError: true })}
    >
      <Loaded query={invited} skeleton={<InvitationSkeleton />}>
        {({ pages }) => (
          <>
            {pages[0] && <InvitationCard link={pages[0].link} />}
            <InviteeList query={invited} pages={pages} />
          </>
        )}
      </Loaded>
    </Screen>
  )
}
