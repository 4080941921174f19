/** The seven languages, by the tags under which they are stored and sent. */

export const LANGUAGES = ['en', 'zh', 'zh-TW', 'ja', 'ko', 'vi', 'id'] as const

export type Language = (typeof LANGUAGES)[number]

/** The language that a request asked for: `tw` means zh-TW, an unknown or missing one is English. */
export function languageOf(asked: unknown): Language {
  if (typeof asked !== 'string') return 'en'
  const tag = asked.trim().toLowerCase().replace('_', '-')
  if (tag === 'tw') return 'zh-TW'
  return LANGUAGES.find((language) => language.toLowerCase() === tag) ?? 'en'
}

/**
 * The language for a reader whose browser prefers these, best first: the first of them that is one
 * of the seven, else English. Regions are looked through; Chinese is told apart by script or region.
 */
export function languageForBrowser(preferred: readonly string[]): Language {
  for (const tag of preferred) {
    const [primary = '', ...rest] = tag.toLowerCase().split('-')
    if (primary === 'zh') {
      if (rest.includes('hans')) return 'zh'
      return rest.some((part) => ['hant', 'tw', 'hk', 'mo'].includes(part)) ? 'zh-TW' : 'zh'
    }
    // 'in' is Indonesian's old code, which some systems still send.
    const found = LANGUAGES.find((language) => language === (primary === 'in' ? 'id' : primary))
    if (found) return found
  }
  return 'en'
}
