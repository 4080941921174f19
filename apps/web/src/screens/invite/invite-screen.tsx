import type { ReplyOf } from '@sum28/contract/route.ts'
import { invitees } from '@sum28/contract/user-routes.ts'
import { QrCode } from '@sum28/ui/qr-code.tsx'
import {
  type InfiniteData,
  infiniteQueryOptions,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { showFailure } from '#src/data/failure.ts'
import { useTimeFormat } from '#src/data/game-zone.ts'
import { itemsOf, type ListPage, PAGE_SIZE, pageAfter } from '#src/data/list-page.ts'
import { EndlessList } from '#src/features/history-list.tsx'
import { EmptyState, Loaded, mayHaveGrown } from '#src/features/loaded.tsx'
import { Screen } from '#src/features/screen.tsx'
import { dateText } from '#src/i18n/days.ts'
import { useText } from '#src/i18n/text.ts'
import { Button } from '#src/parts/button.tsx'
import { Card, CardHeading } from '#src/parts/card.tsx'
import { CopyButton } from '#src/parts/copy-button.tsx'
import { Icon } from '#src/parts/icon.tsx'
import { RecordCard, RecordRow, RecordSign } from '#src/parts/record-row.tsx'
import { Skeleton, SkeletonRows } from '#src/parts/skeleton.tsx'
import styles from '#src/screens/invite/invite.module.css'

/** The player's registration link, and on which days players were invited by it. */
export function InviteScreen() {
  const t = useText()
  const invited = useInfiniteQuery(inviteesQuery)
  return (
    <Screen title={t('invite.title')} back refreshes={invited}>
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

/** Pixels of each side, by the specification. */
const QR_SIZE = 200

function InvitationCard({ link }: { link: string }) {
  const t = useText()
  // Browsers have it only on secure pages, unlike its type says.
  const canShare = 'share' in navigator

  async function share() {
    try {
      await navigator.share({ title: 'Sum28', url: link })
    } catch (error) {
      showFailure(error)
    }
  }

  return (
    <Card className="grid-3 middle">
      <QrCode value={link} label={t('invite.code')} size={QR_SIZE} />
      <p className="quiet narrow center balance">{t('invite.lead')}</p>
      <p className="boxed full small center anywhere">
        <span className="unseen">{t('invite.link')}: </span>
        {link}
      </p>
      <div className={styles.buttons} data-two={canShare}>
        <CopyButton value={link} label={t('invite.copy')} kind={canShare ? 'soft' : 'primary'} />
        {canShare && (
          <Button size="s" wide onClick={share}>
            <Icon name="share" size={20} />
            {t('invite.send')}
          </Button>
        )}
      </div>
    </Card>
  )
}

function InvitationSkeleton() {
  return (
    <Card className="grid-3 middle" aria-hidden="true">
      <Skeleton height={QR_SIZE + 24} width={`${QR_SIZE + 24}px`} />
      <Skeleton height={38} />
      <Skeleton height={44} />
      <Skeleton height={44} />
    </Card>
  )
}

type InviteeListProps = {
  query: UseInfiniteQueryResult<InfiniteData<InviteePage>, Error>
  pages: readonly InviteePage[]
}

function InviteeList({ query, pages }: InviteeListProps) {
  const t = useText()
  const when = useTimeFormat()
  const total = pages[0]?.total ?? 0
  const invitees = itemsOf(pages, keyOf)
  const count = t('invite.count', { count: total })
  return (
    <>
      <CardHeading end={total > 0 && count}>{t('invite.invited')}</CardHeading>
      {total === 0 && mayHaveGrown(query) ? (
        <SkeletonRows count={2} />
      ) : total === 0 ? (
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
          <RecordCard items={invitees} keyOf={keyOf}>
            {({ joinedAt }) => (
              <RecordRow
                sign={<RecordSign icon="person" tone="accent" />}
                title={dateText(joinedAt, when)}
              />
            )}
          </RecordCard>
        </EndlessList>
      )}
    </>
  )
}

/** The seconds of two people may be equal. */
function keyOf({ place }: Invitee): number {
  return place
}

type Invitee = ReturnType<typeof inviteeFromWire>

function inviteeFromWire(invitee: ReplyOf<typeof invitees>['list'][number], place: number) {
  return {
    /** From 1, the first of all. */
    place,
    /** Milliseconds since 1970. */
    joinedAt: invitee.createtime * 1_000,
  }
}

type InviteePage = ListPage<Invitee> & { readonly link: string }

const inviteesQuery = infiniteQueryOptions({
  queryKey: ['invitees'],
  initialPageParam: 1,
  queryFn: async ({ pageParam, signal }): Promise<InviteePage> => {
    const page = { page: pageParam, limit: PAGE_SIZE }
    const { list, ...reply } = await call(invitees, page, { signal })
    const newest = reply.total - (pageParam - 1) * PAGE_SIZE
    return { ...reply, list: list.map((invitee, at) => inviteeFromWire(invitee, newest - at)) }
  },
  getNextPageParam: (last: InviteePage) => pageAfter(last),
})
