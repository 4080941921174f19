import { languageOf } from '@sum28/ui/languages.ts'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { configQuery } from '#src/data/config.ts'
import { lineSpeedQuery, speedText } from '#src/data/line-speed.ts'
import { activeLine } from '#src/data/lines.ts'
import { useSupport } from '#src/features/use-support.ts'
import { withAllTexts } from '#src/i18n/load.tsx'
import { useLocale, useText } from '#src/i18n/text.ts'
import { useArrival } from '#src/navigation/arrival.ts'
import { Link } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { classNames } from '#src/parts/class-names.ts'
import { IconButton } from '#src/parts/icon.tsx'
import { lazySheet } from '#src/parts/lazy-sheet.tsx'
import styles from '#src/screens/home/home.module.css'

const LineSheet = lazySheet(async () =>
  withAllTexts((await import('#src/features/line-sheet.tsx')).LineSheet),
)

/** The top of the home screen: the line with its round trip, support, and the language. */
export function HomeBar() {
  const t = useText()
  const { locale } = useLocale()
  const { openSupport } = useSupport()
  const heading = useRef<HTMLHeadingElement>(null)
  useArrival(t('home.title'), heading)
  const [open, setOpen] = useState(false)
  useQuery(configQuery)
  const line = activeLine()
  const speed = useQuery(lineSpeedQuery(line))
  const state = speed.isError ? 'away' : speed.data === undefined ? 'asking' : 'there'

  return (
    <header className={styles.bar}>
      <h1 className="unseen" ref={heading} tabIndex={-1}>
        {t('home.title')}
      </h1>
      <button type="button" className={styles.press} onClick={() => setOpen(true)}>
        <span className={styles.lineChip}>
          <i className={styles.lineDot} data-state={state} />
          <span className={classNames(styles.lineWords, 'num')}>
            <span>{t('line.name', { number: line + 1 })}</span>{' '}
            {state !== 'asking' && (
              <span className={styles.lineSpeed}>
                {`· ${state === 'there' ? speedText(t, speed.data ?? 0) : t('line.away')}`}
              </span>
            )}
          </span>
        </span>
      </button>
      <span className={styles.barGap} />
      <IconButton icon="chat" label={t('support.title')} onPress={openSupport} />
      <Link className={classNames(styles.press, styles.languageButton)} to={href('language')}>
        <span className="unseen">{t('home.language')}: </span>
        <span className={styles.lineChip}>{languageOf(locale)?.name}</span>
      </Link>
      <LineSheet open={open} onClose={() => setOpen(false)} />
    </header>
  )
}
