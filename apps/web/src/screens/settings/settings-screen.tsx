import { Card } from '@sum28/ui/card.tsx'
import { ListRow } from '@sum28/ui/list-row.tsx'
import { useQuery } from '@tanstack/react-query'
import { href } from '#src/app/routes.ts'
import { useRouteQuery } from '#src/app/use-route-query.ts'
import { profileQuery } from '#src/data/profile.ts'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import { SettingRows } from '#src/screens/settings/setting-rows.tsx'

/** The settings, or with `type=2` those of the account. */
export function SettingsScreen() {
  const t = useText()
  const { type } = useRouteQuery('settings')
  const account = type === '2'
  return (
    <Screen title={account ? t('me.account') : t('settings.title')} back>
      {account ? <AccountRows /> : <SettingRows />}
    </Screen>
  )
}

function AccountRows() {
  const t = useText()
  const hasCode = useQuery(profileQuery).data?.is_safety
  return (
    <Card kind="rows">
      <ListRow icon="card" title={t('settings.bankCard')} to={href('payMethods', { type: '0' })} />
      <ListRow icon="wallet" title={t('settings.wallet')} to={href('payMethods', { type: '1' })} />
      <ListRow
        icon="shield"
        title={t('settings.securityCode')}
        note={hasCode === false && t('settings.notSet')}
        to={href('securityCode', { isTrue: hasCode ? 'true' : 'false' })}
      />
      <ListRow icon="lock" title={t('settings.password')} to={href('changePassword')} />
      <ListRow icon="chart" title={t('figures.title')} to={href('figures')} />
      <ListRow icon="copy" title={t('ownData.title')} to={href('ownData')} />
      <ListRow icon="logout" title={t('closing.title')} to={href('closeAccount')} />
    </Card>
  )
}
