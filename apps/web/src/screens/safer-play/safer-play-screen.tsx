import { Card, CardHeading } from '@sum28/ui/card.tsx'
import { ListRow } from '@sum28/ui/list-row.tsx'
import { href } from '#src/app/routes.ts'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import { HelpLines } from '#src/screens/safer-play/help-lines.tsx'
import styles from '#src/screens/safer-play/safer-play.module.css'

const SIGNS = [1, 2, 3, 4, 5, 6] as const

/** The settings for safer play, signs of harm, and organisations that help. Public. */
export function SaferPlayScreen() {
  const t = useText()
  return (
    <Screen title={t('home.saferPlay')} back>
      <p className="lead">{t('saferPlay.lead')}</p>
      <section className="stack-2 shrink">
        <CardHeading>{t('saferPlay.toolsTitle')}</CardHeading>
        <Card kind="rows">
          <ListRow
            icon="shield"
            title={t('limits.title')}
            note={t('saferPlay.limits')}
            to={href('limits')}
          />
          <ListRow
            icon="clock"
            title={t('interval.title')}
            note={t('saferPlay.check')}
            to={href('limits')}
          />
          <ListRow
            icon="pause"
            title={t('break.title')}
            note={t('saferPlay.break')}
            to={href('takeBreak')}
          />
          <ListRow
            icon="list"
            title={t('betHistory.title')}
            note={t('saferPlay.history')}
            to={href('betHistory')}
          />
        </Card>
      </section>
      <section className="stack-2 shrink">
        <CardHeading>{t('saferPlay.signsTitle')}</CardHeading>
        <Card className={styles.signs}>
          <p>{t('saferPlay.signsLead')}</p>
          <ul>
            {SIGNS.map((sign) => (
              <li key={sign}>{t(`saferPlay.sign${sign}`)}</li>
            ))}
          </ul>
          <p className={styles.strong}>{t('saferPlay.signsText')}</p>
        </Card>
      </section>
      <HelpLines />
    </Screen>
  )
}
