import { lazyComponent } from '@sum28/ui/lazy-component.tsx'
import { type ComponentType, Suspense } from 'react'
import { useText } from '#src/i18n/text.ts'
import { BannerSlide } from '#src/screens/home/banner-slide.tsx'
import styles from '#src/screens/home/banners.module.css'
import type { Banner } from '#src/screens/home/home.ts'

type BannersProps = { banners: readonly Banner[] }

/** The first banner is shown at once; the carousel's code is loaded after it. */
const Carousel = lazyComponent(
  (): Promise<ComponentType<BannersProps>> =>
    import('#src/screens/home/banner-carousel.tsx').then(
      ({ BannerCarousel }) => BannerCarousel,
      () => StillBanner,
    ),
)

/** The banners of the home screen; a single one does not move. */
export function Banners({ banners }: BannersProps) {
  if (banners.length < 2) return <StillBanner banners={banners} />
  return (
    <Suspense fallback={<StillBanner banners={banners} />}>
      <Carousel banners={banners} />
    </Suspense>
  )
}

/** The first banner, in the carousel's place. */
function StillBanner({ banners: [first] }: BannersProps) {
  const t = useText()
  if (!first) return null
  return (
    <section className={styles.carousel} aria-label={t('banner.label')}>
      <div className={styles.view}>
        <BannerSlide banner={first} number={1} />
      </div>
    </section>
  )
}
