/** What the operator writes stands in some of the seven languages; English is always among them. */
import { LANGUAGES, type Language } from '@sum28/i18n/languages.ts'
import { HTML_MAX, safeHtml } from './safe-html.ts'

export type Page = { title: string; html: string }

/** A text for some languages; `en` must be there, and is what the others fall back to. */
export type Localized<Text> = Partial<Record<Language, Text>>

const TITLE_MAX = 200

type Stored = { lang: Language; title: string; html: string }

/**
 * Reads pages as they are to be stored: titles as plain text, HTML made safe.
 *
 * @returns the pages, or what is wrong with which field, as keys of the `fault.*` texts
 */
export function readPages(
  pages: Localized<Page>,
): { ok: true; pages: Stored[] } | { ok: false; faults: Record<string, string> } {
  const faults: Record<string, string> = {}
  const read = LANGUAGES.flatMap((lang) => {
    const page = pages[lang]
    if (!page) return []
    const title = page.title.trim()
    if (title === '') faults[`${lang}.title`] = 'required'
    if (title.length > TITLE_MAX) faults[`${lang}.title`] = 'too_long'
    if (/\p{Cc}/u.test(title)) faults[`${lang}.title`] = 'invalid'
    const fault = htmlFault(page.html)
    if (fault) faults[`${lang}.html`] = fault
    return [{ lang, title, html: fault ? '' : safeHtml(page.html) }]
  })
  if (!pages.en) faults['en.title'] = 'required'
  return Object.keys(faults).length > 0 ? { ok: false, faults } : { ok: true, pages: read }
}

/** What is wrong with HTML that is to be stored, or null. */
export function htmlFault(html: string): string | null {
  if (html.length > HTML_MAX) return 'too_long'
  if (html.includes('\0')) return 'invalid'
  return safeHtml(html) === '' ? 'required' : null
}
