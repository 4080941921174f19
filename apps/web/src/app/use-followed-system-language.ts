import { useEffect } from 'react'
import { currentLanguageChoice, speakStoredChoice } from '#src/i18n/speak-choice.ts'

/** Changes the language with the system's, if 'follow system' is chosen. */
export function useFollowedSystemLanguage(): void {
  useEffect(() => {
    const follow = () => {
      if (currentLanguageChoice().type === 0) speakStoredChoice()
    }
    window.addEventListener('languagechange', follow)
    return () => window.removeEventListener('languagechange', follow)
  }, [])
}
