/** The seven languages, by the tags under which they are stored and sent. */

export const LANGUAGES = ['en', 'zh', 'zh-TW', 'ja', 'ko', 'vi', 'id'] as const

export type Language = (typeof LANGUAGES)[number]

/** The language that a request names: `tw` means zh-TW; null if it is missing or unknown. */
export function namedLanguage(requested: unknown): Language | null {
  if (typeof requested !== 'string') return null
  const tag = requested.trim().toLowerCase().replace('_', '-')
  if (tag === 'tw') return 'zh-TW'
  return LANGUAGES.find((language) => language.toLowerCase() === tag) ?? null
}

/** The same; English if it is missing or unknown. */
export function languageOf(requested: unknown): Language {
  return namedLanguage(requested) ?? 'en'
}

/**
 * The language for a browser's list of preferred languages, best first: the first one that is among
 * the seven, else English. Regions are ignored, except that Chinese is chosen by script or region.
 */
export function languageForBrowser(preferred: readonly string[]): Language {
  for (const tag of preferred) {
    const [primary = '', ...rest] = tag.toLowerCase().split(/[-_]/)
    if (primary === 'zh') {
      if (rest.includes('hans')) return 'zh'
      return rest.some((part) => ['hant', 'tw', 'hk', 'mo'].includes(part)) ? 'zh-TW' : 'zh'
    }
    // 'in' is the old code of Indonesian, which some systems still send.
    const supported = LANGUAGES.find((language) => language === (primary === 'in' ? 'id' : primary))
    if (supported) return supported
  }
  return 'en'
}
