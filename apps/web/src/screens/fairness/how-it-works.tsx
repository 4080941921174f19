import { useText } from '#src/i18n/text.ts'
import { Card } from '#src/parts/card.tsx'
import styles from '#src/screens/fairness/fairness.module.css'

/** An explanation of the draw, with a picture. */
export function HowItWorks({ local }: { local: boolean }) {
  const t = useText()
  const steps = [
    { title: t('fairness.seedTitle'), text: t('fairness.seedText') },
    { title: t('fairness.bookTitle'), text: t('fairness.bookText') },
    {
      title: t('fairness.beaconTitle'),
      text: t(local ? 'fairness.beaconLocalText' : 'fairness.beaconText'),
    },
    { title: t('fairness.digitsTitle'), text: t('fairness.digitsText') },
  ]
  return (
    <Card>
      <h2 className={styles.stepsHeading}>{t('fairness.how')}</h2>
      <DrawPicture />
      <ol className="stack-4">
        {steps.map(({ title, text }, at) => (
          <li key={title} className="marked">
            <span className={styles.stepNumber} aria-hidden="true">
              {at + 1}
            </span>
            <div>
              <h3 className={styles.stepTitle}>{title}</h3>
              <p className={styles.stepText}>{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </Card>
  )
}

/** A picture: a locked seed and a beacon, with lines to three tiles. */
function DrawPicture() {
  const t = useText()
  return (
    <div className={styles.picture} role="img" aria-label={t('fairness.art')}>
      <div className={styles.sources}>
        <div className={styles.source} data-of="seed">
          <svg viewBox="0 0 48 48" width="48" height="48" aria-hidden="true" focusable="false">
            <rect x="9" y="21" width="30" height="21" rx="7" className={styles.body} />
            <path d="M16 21v-5a8 8 0 0 1 16 0v5" />
            <path d="M24 29v5" />
          </svg>
          <span>{t('fairness.artSeed')}</span>
        </div>
        <div className={styles.source} data-of="beacon">
          <svg viewBox="0 0 48 48" width="48" height="48" aria-hidden="true" focusable="false">
            <path d="M19 42l3-21h4l3 21z" className={styles.body} />
            <circle cx="24" cy="14" r="4" className={styles.lamp} />
            <path d="M15 20a10.5 10.5 0 0 1 0-12M33 20a10.5 10.5 0 0 0 0-12M9.5 24a17 17 0 0 1 0-20M38.5 24a17 17 0 0 0 0-20" />
            <path d="M15 42h18" />
          </svg>
          <span>{t('fairness.artBeacon')}</span>
        </div>
      </div>
      <svg
        className={styles.lines}
        viewBox="0 0 240 48"
        width="240"
        height="48"
        aria-hidden="true"
        focusable="false"
      >
        <path data-of="seed" d="M44 2v6c0 20 76 8 76 34" />
        <path data-of="beacon" d="M196 2v6c0 20-76 8-76 34" />
        <circle cx="120" cy="42" r="4" />
      </svg>
      <div className={styles.tiles}>
        {[4, 7, 9].map((digit) => (
          <span key={digit} className="num">
            {digit}
          </span>
        ))}
      </div>
    </div>
  )
}
