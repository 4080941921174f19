import { Screen } from '#src/features/screen.tsx'
import { useLocale, useText } from '#src/i18n/text.ts'
import { href } from '#src/navigation/routes.ts'
import { Card, Section } from '#src/parts/card.tsx'
import { Icon } from '#src/parts/icon.tsx'
import { ListRow } from '#src/parts/list-row.tsx'
import {
  HELP_LINES_AS_OF,
  type HelpLine,
  helpLinesFor,
} from '#src/screens/safer-play/help-lines.ts'
import styles from '#src/screens/safer-play/safer-play.module.css'

const SIGNS = [1, 2, 3, 4, 5, 6] as const

/** The settings for safer play, signs of harm, and organisations that help. Public. */
export function SaferPlayScreen() {
  const t = useText()
  return (
    <Screen title={t('home.saferPlay')} back>
      <p className="lead">{t('saferPlay.lead')}</p>
      <Section title={t('saferPlay.toolsTitle')}>
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
      </Section>
      <Section title={t('saferPlay.signsTitle')}>
        <Card className={styles.signs}>
          <p>{t('saferPlay.signsLead')}</p>
          <ul>
            {SIGNS.map((sign) => (
              <li key={sign}>{t(`saferPlay.sign${sign}`)}</li>
            ))}
          </ul>
          <p className="medium ink">{t('saferPlay.signsText')}</p>
        </Card>
      </Section>
      <HelpLines />
    </Screen>
  )
}

/** Organisations that help: first those that answer in the present language, then the others. */
function HelpLines() {
  const t = useText()
  const { locale } = useLocale()
  const { own, elsewhere } = helpLinesFor(locale)
  return (
    <Section title={t('saferPlay.helpTitle')}>
      <Card kind="rows">
        <p className="quiet row-text">{t('saferPlay.helpText')}</p>
        <Lines lines={own} />
        {elsewhere.length > 0 && (
          <details>
            <summary className="tap-row row-space medium">
              {t('saferPlay.elsewhere')}
              <Icon name="down" size={20} />
            </summary>
            <Lines lines={elsewhere} />
          </details>
        )}
        <p className="caption row-text">
          {t('saferPlay.asOf', { year: String(HELP_LINES_AS_OF) })}
        </p>
      </Card>
    </Section>
  )
}

function Lines({ lines }: { lines: readonly HelpLine[] }) {
  return (
    <ul>
      {lines.map((line) => (
        <li key={`${line.country} ${line.organisation}`} className="lines row-text">
          <Line line={line} />
        </li>
      ))}
    </ul>
  )
}

function Line({ line: { country, organisation, phone, web } }: { line: HelpLine }) {
  const t = useText()
  const { tag } = useLocale()
  const regions = new Intl.DisplayNames(tag, { type: 'region' })
  return (
    <>
      <b className="strong">{organisation}</b>
      <span className="hint">
        {country === null ? t('saferPlay.worldwide') : regions.of(country)}
      </span>
      <span className="row-3 wrap num">
        {phone && (
          <a
            className="row tap strong"
            href={`tel:${phone.replace(' ext. ', ',').replace(/[ -]/g, '')}`}
          >
            {phone}
          </a>
        )}
        <a className="row tap strong anywhere" href={web} target="_blank" rel="noreferrer">
          {new URL(web).hostname.replace(/^www\./, '')}
          <Icon name="external" size={16} />
        </a>
      </span>
    </>
  )
}
