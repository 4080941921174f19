import type { Amount } from '@sum28/domain/money.ts'
import { amountText } from '@sum28/ui/amount-format.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Player, profileQuery } from '#src/data/profile.ts'
import { Avatar } from '#src/features/avatar.tsx'
import { Loaded } from '#src/features/loaded.tsx'
import { Screen } from '#src/features/screen.tsx'
import { UnreadCount, useUnread } from '#src/features/unread-count.tsx'
import { useCountingAmount } from '#src/features/use-counting-amount.ts'
import { useSupport } from '#src/features/use-support.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import { Link, useNavigate } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { AmountText } from '#src/parts/amount.tsx'
import { Card } from '#src/parts/card.tsx'
import { IconButton } from '#src/parts/icon.tsx'
import { lazyOverlay } from '#src/parts/lazy-overlay.tsx'
import { ListRow } from '#src/parts/list-row.tsx'
import { Skeleton } from '#src/parts/skeleton.tsx'
import styles from '#src/screens/me/me.module.css'

const DepositSheet = lazyOverlay(
  async () => (await import('#src/features/deposit-sheet.tsx')).DepositSheet,
)

const OwedSheet = lazyOverlay(
  async () => (await import('#src/screens/me/owed-sheet.tsx')).OwedSheet,
)

/** The player's page: identity, balance, and links to his other pages. */
export function MeScreen() {
  const t = useText()
  const navigate = useNavigate()
  const profile = useQuery(profileQuery)
  const unread = useUnread()
  const { openSupport } = useSupport()
  const [recharging, setRecharging] = useState(false)
  const [owedShown, setOwedShown] = useState(false)
  const settings = (
    <IconButton
      icon="gear"
      label={t('settings.title')}
      onPress={() => navigate(href('settings', { type: '1' }))}
    />
  )
  return (
    <Screen title={t('tab.me')} action={settings} refreshes={profile}>
      <Loaded query={profile} skeleton={<ProfileSkeleton />}>
        {(me) => (
          <>
            <Identity profile={me} />
            <AssetsCard profile={me} onRecharge={() => setRecharging(true)} />
            <div className="row-2 wrap">
              <Profit label={t('me.today')} amount={me.profitToday} />
              <Profit label={t('me.yesterday')} amount={me.profitYesterday} />
            </div>
          </>
        )}
      </Loaded>
      <Card kind="rows">
        <ListRow icon="person" title={t('me.account')} to={href('settings', { type: '2' })} />
        <ListRow icon="list" title={t('betHistory.title')} to={href('betHistory')} />
        <ListRow icon="card" title={t('statement.title')} to={href('statement')} />
        <ListRow icon="shield" title={t('owed.title')} onPress={() => setOwedShown(true)} />
        <ListRow icon="chat" title={t('support.title')} onPress={openSupport} />
        <ListRow
          icon="bell"
          title={t('me.notices')}
          end={unread > 0 && <UnreadCount count={unread} />}
          to={href('notices', unread > 0 ? { tab: 'messages' } : {})}
        />
        <ListRow icon="info" title={t('me.about')} to={href('about')} />
      </Card>
      <Card kind="rows">
        <ListRow icon="shield" title={t('limits.title')} to={href('limits')} />
        <ListRow icon="pause" title={t('break.title')} to={href('takeBreak')} />
        <ListRow icon="info" title={t('home.saferPlay')} to={href('saferPlay')} />
      </Card>
      <Card kind="rows">
        <ListRow icon="share" title={t('invite.title')} to={href('invite')} />
        <ListRow icon="star" title={t('promotions.title')} to={href('promotions')} />
      </Card>
      {profile.data && (
        <OwedSheet
          open={owedShown}
          onClose={() => setOwedShown(false)}
          playerId={profile.data.id}
        />
      )}
      <DepositSheet
        open={recharging}
        onClose={() => setRecharging(false)}
        onSupport={openSupport}
      />
    </Screen>
  )
}

function Profit({ label, amount }: { label: string; amount: Amount }) {
  return (
    <div className={styles.profit}>
      <span>{label}</span>
      <AmountText value={amount} signed />
    </div>
  )
}

function ProfileSkeleton() {
  return (
    <>
      <Skeleton height={68} />
      <Skeleton height={156} />
      <div className="halves">
        <Skeleton height={72} />
        <Skeleton height={72} />
      </div>
    </>
  )
}

function Identity({ profile }: { profile: Player }) {
  const t = useText()
  return (
    <Link to={href('profile')} className={styles.identity}>
      <Avatar src={profile.avatar} size={60} />
      <div className="grow">
        <b className="title anywhere">{profile.name}</b>
        <p className="num hint">{t('me.id', { id: String(profile.id) })}</p>
      </div>
      <span className="row chip fixed small">
        {t(profile.isMember ? 'me.member' : 'me.visitor')}
      </span>
    </Link>
  )
}

type AssetsCardProps = { profile: Player; onRecharge: () => void }

function AssetsCard({ profile, onRecharge }: AssetsCardProps) {
  const t = useText()
  const { tag } = useLocale()
  const { held } = profile
  const money = useCountingAmount(profile.balance + held)
  return (
    <div className={styles.assets}>
      <span className="small dim">{t('me.assets')}</span>
      <span className={styles.total}>
        <AmountText value={money} unit={false} />
        <small>u</small>
      </span>
      {held > 0n && (
        <span className={`small dim ${styles.aside}`}>
          {t('me.setAside', { amount: amountText(held, { tag }) })}
        </span>
      )}
      <div className={styles.ways}>
        <button type="button" className={styles.firstWay} onClick={onRecharge}>
          {t('deposit.title')}
        </button>
        <Link
          className={styles.secondWay}
          to={href('withdrawal', { group_id: String(profile.groupId) })}
        >
          {t('withdrawal.title')}
        </Link>
      </div>
    </div>
  )
}
