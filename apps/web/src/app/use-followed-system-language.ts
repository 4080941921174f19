import { useEffect } from 'react'
import { currentLanguageChoice, speakStoredChoice } from '#src/i18n/speak-choice.ts'

/** Who chose 'follow system' hears the system's language as soon as that changes. */
export function useFollowedSystemLanguage(): void {
  useEffect(() => {
    const follow = () => {
      if (currentLanguageChoice().type === 0) speakStoredChoice()
    }
    window.addEventListener('languagechange', follow)
    return () => window.removeEventListener('languagechange', follow)
  }, [])
}
