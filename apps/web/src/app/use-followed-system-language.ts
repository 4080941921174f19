import { useEffect } from 'react'
import { activateStoredLanguage, currentLanguageChoice } from '#src/i18n/activate-language.ts'

/** Changes the language with the system's, if 'follow system' is chosen. */
export function useFollowedSystemLanguage(): void {
  useEffect(() => {
    const follow = () => {
      if (currentLanguageChoice().type === 0) activateStoredLanguage()
    }
    window.addEventListener('languagechange', follow)
    return () => window.removeEventListener('languagechange', follow)
  }, [])
}
