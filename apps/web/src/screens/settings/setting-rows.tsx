import { Card } from '@sum28/ui/card.tsx'
import { Dialog } from '@sum28/ui/dialog.tsx'
import { languageOf } from '@sum28/ui/languages.ts'
import { ListRow } from '@sum28/ui/list-row.tsx'
import { useLocale } from '@sum28/ui/text.ts'
import { useState } from 'react'
import { useNavigate } from '#src/app/navigation.tsx'
import { href } from '#src/app/routes.ts'
import { activeLine } from '#src/data/lines.ts'
import { signOut } from '#src/data/session.ts'
import { useText } from '#src/i18n/text.ts'

/** The rows for line, language and logging out. */
export function SettingRows() {
  const t = useText()
  const navigate = useNavigate()
  const { locale } = useLocale()
  const [confirming, setConfirming] = useState(false)

  function logOut() {
    // Leave first: a screen that needs a session would open the login.
    navigate(href('home'), { replace: true })
    signOut()
  }

  return (
    <>
      <Card kind="rows">
        <ListRow
          icon="line"
          title={t('line.title')}
          end={t('line.name', { number: activeLine() + 1 })}
          to={href('lines')}
        />
        <ListRow
          icon="globe"
          title={t('language.title')}
          end={languageOf(locale)?.name}
          to={href('language')}
        />
        <ListRow icon="gear" title={t('settings.system')} to={href('system')} />
        <ListRow icon="info" title={t('me.about')} to={href('about')} />
      </Card>
      <Card kind="rows">
        <ListRow
          icon="logout"
          title={t('settings.logout')}
          danger
          onPress={() => setConfirming(true)}
        />
      </Card>
      <Dialog
        open={confirming}
        onClose={() => setConfirming(false)}
        title={t('settings.logoutAsk')}
        tone="warn"
        confirm={{ label: t('settings.logout'), onConfirm: logOut, danger: true }}
      >
        {t('settings.logoutHint')}
      </Dialog>
    </>
  )
}
