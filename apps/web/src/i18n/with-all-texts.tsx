import { type ComponentType, use } from 'react'
import { hasAllTexts, loadAllTexts } from '#src/i18n/load.ts'
import { useLocale } from '#src/i18n/text.ts'

/** A screen, or a part of home, that waits, as for its code, until all texts of the language are loaded. */
export function withAllTexts<Props extends object>(
  Screen: ComponentType<Props>,
): ComponentType<Props> {
  return function ScreenWithTexts(props: Props) {
    const { locale } = useLocale()
    if (!hasAllTexts(locale)) use(loadAllTexts(locale))
    return <Screen {...props} />
  }
}
