import { aboutUs } from '@sum28/contract/index-routes.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { configQuery } from '#src/data/config.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { SafeHtml, SkeletonText } from '#src/features/safe-html.tsx'
import { Screen } from '#src/features/screen.tsx'
import { Brand, PageFoot } from '#src/features/sign-in-frame.tsx'
import { useText } from '#src/i18n/text.ts'
import { Card } from '#src/parts/card.tsx'

/** The operator's page about himself, and the build of the app. */
export function AboutScreen() {
  const t = useText()
  const about = useQuery(aboutQuery)
  const config = useQuery(configQuery)
  return (
    <Screen title={t('me.about')} back refreshes={about}>
      <Brand>
        <img src="/icon.svg" alt="" width={64} height={64} />
      </Brand>
      <Loaded
        query={about}
        skeleton={<SkeletonText />}
        empty={({ content }) => content.trim() === '' && { title: t('about.none') }}
      >
        {({ content, lang }) => (
          <Card>
            <SafeHtml html={content} lang={lang} />
          </Card>
        )}
      </Loaded>
      <PageFoot>
        {t('about.build')} {config.data?.build ?? '–'}
      </PageFoot>
    </Screen>
  )
}

const FRESH_MS = 60_000

const aboutQuery = queryOptions({
  queryKey: ['about'],
  staleTime: FRESH_MS,
  queryFn: async ({ signal }) => (await call(aboutUs, {}, { signal })).about,
})
