import { useInfiniteQuery } from '@tanstack/react-query'
import { inviteesQuery } from '#src/data/invitees.ts'
import { useText } from '#src/i18n/text.ts'
import { InvitationCard, InvitationSkeleton } from '#src/screens/share-friend/invitation-card.tsx'
import { InviteeList } from '#src/screens/share-friend/invitee-list.tsx'
import { Loaded } from '#src/ui/loaded.tsx'
import { Page } from '#src/ui/page.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { PullToRefresh } from '#src/ui/pull-to-refresh.tsx'

/** The player's registration link, to show and to send; and who came by it. */
export function ShareFriendScreen() {
  const t = useText()
  const invited = useInfiniteQuery(inviteesQuery)
  return (
    <PullToRefresh onRefresh={() => invited.refetch({ throwOnError: true })}>
      <Page header={<PageHeader title={t('share.title')} back />}>
        <Loaded query={invited} skeleton={<InvitationSkeleton />}>
          {({ pages }) => (
            <>
              {pages[0] && <InvitationCard link={pages[0].link} />}
              <InviteeList query={invited} pages={pages} />
            </>
          )}
        </Loaded>
      </Page>
    </PullToRefresh>
  )
}
