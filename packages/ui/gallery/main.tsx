/**
 * The page of all components, for development: `gallery.html` of the app's development server.
 * Without a query it shows four frames of itself, light and dark, wide and 320 px; `?theme=dark` is
 * one of them. `?locale=vi` chooses the language.
 */
import '../src/styles/tokens.css'
import '../src/styles/base.css'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { LANGUAGES, languageOf } from '../src/languages.ts'
import { loadUiTexts } from '../src/load-texts.ts'
import { forceTheme, isTheme } from './force-theme.ts'
import { Frames } from './frames.tsx'
import { Gallery } from './gallery.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('gallery.html has no element #root')

const query = new URLSearchParams(location.search)
const language = languageOf(query.get('locale') ?? 'en') ?? LANGUAGES[2]
const theme = query.get('theme')
if (!language) throw new Error('there is no English')

i18n.load(language.locale, await loadUiTexts(language.locale))
i18n.activate(language.locale, language.tag)
document.documentElement.lang = language.tag
if (isTheme(theme)) forceTheme(theme)

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
