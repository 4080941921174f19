import { Card, CardHeading } from '@sum28/ui/card.tsx'
import { Icon } from '@sum28/ui/icon.tsx'
import { useLocale } from '@sum28/ui/text.ts'
import { HELP_LINES_AS_OF, type HelpLine, helpLinesFor } from '#src/data/help-lines.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/safer-play/safer-play.module.css'

/** Organisations that help: first those that answer in the present language, then the others. */
export function HelpLines() {
  const t = useText()
  const { locale } = useLocale()
  const { own, elsewhere } = helpLinesFor(locale)
  return (
    <section className="stack-2 shrink">
      <CardHeading>{t('saferPlay.helpTitle')}</CardHeading>
      <Card kind="rows">
        <p className="quiet row-text">{t('saferPlay.helpText')}</p>
        <Lines lines={own} />
        {elsewhere.length > 0 && (
          <details className={styles.others}>
            <summary className={styles.summary}>
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
    </section>
  )
}

function Lines({ lines }: { lines: readonly HelpLine[] }) {
  return (
    <ul>
      {lines.map((line) => (
        <li key={`${line.country} ${line.organisation}`} className={styles.line}>
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
      <b>{organisation}</b>
      <span className="hint">
        {country === null ? t('saferPlay.worldwide') : regions.of(country)}
      </span>
      <span className={styles.ways}>
        {phone && <a href={`tel:${phone.replace(' ext. ', ',').replace(/[ -]/g, '')}`}>{phone}</a>}
        <a href={web} target="_blank" rel="noreferrer">
          {new URL(web).hostname.replace(/^www\./, '')}
          <Icon name="external" size={16} />
        </a>
      </span>
    </>
  )
}
