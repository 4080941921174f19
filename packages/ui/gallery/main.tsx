/**
 * The page of all components, for development: `gallery.html` of the app's development server.
 * Without a query it shows four frames of itself, light and dark, wide and 320 px; `?theme=dark` is
 * one of them. `?locale=vi` chooses the language.
 */
import '../src/styles/tokens.css'
import '../src/styles/base.css'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { LANGUAGES, type Locale, languageOf } from '../src/languages.ts'
import { loadUiTexts } from '../src/text.ts'
import { Toasts } from '../src/toasts.tsx'
import { FigureParts, ListParts } from './content-parts.tsx'
import { ActionParts, FieldParts } from './control-parts.tsx'
import styles from './gallery.module.css'
import { GalleryPart, WORDS } from './gallery-part.tsx'
import { OverlayParts } from './overlay-parts.tsx'

/** A narrow phone, and the width of the app's column on a wide screen. */
const WIDTHS = [320, 480]
const THEMES = ['light', 'dark']

const root = document.getElementById('root')
if (!root) throw new Error('gallery.html has no element #root')

const query = new URLSearchParams(location.search)
const language = languageOf(query.get('locale') ?? 'en') ?? LANGUAGES[2]
const theme = query.get('theme')
if (!language) throw new Error('there is no English')

i18n.load(language.locale, await loadUiTexts(language.locale))
i18n.activate(language.locale, language.tag)
document.documentElement.lang = language.tag
if (isTheme(theme)) document.documentElement.dataset.scheme = theme

createRoot(root).render(
  <StrictMode>
    <I18nProvider i18n={i18n}>
      {isTheme(theme) ? (
        <Gallery locale={language.locale} part={query.get('part')} />
      ) : (
        <Frames locale={language.locale} />
      )}
    </I18nProvider>
  </StrictMode>,
)

type GalleryProps = {
  locale: Locale
  /** Only one group, such as `fields`; all by default. */
  part: string | null
}

/** Every component in every state, in one theme. */
function Gallery({ locale, part }: GalleryProps) {
  const words = WORDS[locale]
  const groups: Record<string, ReactNode> = {
    actions: <ActionParts words={words} />,
    fields: <FieldParts words={words} />,
    figures: <FigureParts />,
    lists: <ListParts words={words} />,
    overlays: <OverlayParts words={words} />,
  }
  return (
    <div className={styles.page}>
      {Object.entries(groups)
        .filter(([name]) => part === null || part === name)
        .map(([name, group]) => (
          <div key={name}>{group}</div>
        ))}
      <GalleryPart name="Toasts (press a button above)">
        <Toasts />
      </GalleryPart>
    </div>
  )
}

/** All components four times: light and dark, narrow and wide; and the choice of a language. */
function Frames({ locale }: { locale: Locale }) {
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

type Theme = 'light' | 'dark'

function isTheme(value: string | null): value is Theme {
  return value === 'light' || value === 'dark'
}
