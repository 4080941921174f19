import { LANGUAGES, type Locale } from '../src/languages.ts'
import styles from './gallery.module.css'

/** A narrow phone, and the width of the app's column on a wide screen. */
const WIDTHS = [320, 480]
const THEMES = ['light', 'dark']

/** All components four times: light and dark, narrow and wide; and the choice of a language. */
export function Frames({ locale }: { locale: Locale }) {
  return (
    <div className={styles.overview}>
      <nav className={styles.languages}>
        {LANGUAGES.map((language) => (
          <a
            key={language.locale}
            href={`?locale=${language.locale}`}
            aria-current={language.locale === locale}
          >
            {language.name}
          </a>
        ))}
      </nav>
      <div className={styles.frames}>
        {THEMES.flatMap((theme) =>
          WIDTHS.map((width) => (
            <iframe
              key={`${theme}${width}`}
              className={styles.frame}
              title={`${theme}, ${width} px`}
              src={`?theme=${theme}&locale=${locale}`}
              width={width}
            />
          )),
        )}
      </div>
    </div>
  )
}
