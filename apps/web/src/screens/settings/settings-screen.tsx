import { languageOf } from '@sum28/ui/languages.ts'
import { useQuery } from '@tanstack/react-query'
import { activeLine } from '#src/data/lines.ts'
import { profileQuery } from '#src/data/profile.ts'
import { signOut } from '#src/data/session.ts'
import { PushSettings } from '#src/features/push.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useLocale, useText } from '#src/i18n/text.ts'
import { useNavigate, useRouteQuery } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { Card } from '#src/parts/card.tsx'
import { ListRow } from '#src/parts/list-row.tsx'
import { useQuestion } from '#src/parts/use-question.tsx'

/** The settings, or with `type=2` those of the account. */
export function SettingsScreen() {
  const t = useText()
  const [{ type }] = useRouteQuery('settings')
  const account = type === '2'
  return (
    <Screen title={account ? t('me.account') : t('settings.title')} back>
      {account ? <AccountRows /> : <SettingRows />}
    </Screen>
  )
}

function AccountRows() {
  const t = useText()
  const hasCode = useQuery(profileQuery).data?.hasSecurityCode
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
      <ListRow icon="person" title={t('security.title')} to={href('security')} />
      <ListRow icon="camera" title={t('identity.title')} to={href('identity')} />
      <ListRow icon="chart" title={t('figures.title')} to={href('figures')} />
      <ListRow icon="copy" title={t('ownData.title')} to={href('ownData')} />
      <ListRow icon="logout" title={t('closing.title')} to={href('closeAccount')} />
    </Card>
  )
}

function SettingRows() {
  const t = useText()
  const navigate = useNavigate()
  const { locale } = useLocale()

  function logOut() {
    // Leave first: a screen that needs a session would open the login.
    navigate(href('home'), { replace: true })
    signOut()
  }

  const [ask, question] = useQuestion({
    title: t('settings.logoutAsk'),
    text: t('settings.logoutHint'),
    confirm: t('settings.logout'),
    danger: true,
    onConfirm: logOut,
  })
  return (
    <>
      {question}
      <Card kind="rows">
        <ListRow
          icon="line"
          title={t('line.title')}
          end={t('line.name', { number: activeLine() + 1 })}
          to={href('lines')}
        />
        <ListRow
          icon="globe"
          title={t('home.language')}
          end={languageOf(locale)?.name}
          to={href('language')}
        />
        <ListRow icon="gear" title={t('settings.system')} to={href('system')} />
        <ListRow icon="info" title={t('me.about')} to={href('about')} />
      </Card>
      <PushSettings />
      <Card kind="rows">
        <ListRow icon="logout" title={t('settings.logout')} danger onPress={ask} />
      </Card>
    </>
  )
}
