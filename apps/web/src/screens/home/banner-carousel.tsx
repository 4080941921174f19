import { Icon } from '@sum28/ui/icon.tsx'
import useEmblaCarousel from 'embla-carousel-react'
import { useEffect, useState } from 'react'
import { useText } from '#src/i18n/text.ts'
import { useAutoAdvance, wantsNoMotion } from '#src/screens/home/auto-advance.ts'
import { BannerSlide } from '#src/screens/home/banner-slide.tsx'
import styles from '#src/screens/home/banners.module.css'
import type { Banner } from '#src/screens/home/home.ts'

const EVERY_MS = 3_000

/** The banners in turn; advances by itself until paused. */
export function BannerCarousel({ banners }: { banners: readonly Banner[] }) {
  const t = useText()
  const [view, embla] = useEmblaCarousel({ loop: true })
  const [current, setCurrent] = useState(0)
  const { playing, setPlaying, hold } = useAutoAdvance(EVERY_MS, () =>
    embla?.scrollNext(wantsNoMotion()),
  )
  useEffect(() => {
    if (!embla) return
    const follow = () => setCurrent(embla.selectedScrollSnap())
    embla.on('select', follow).on('reInit', follow)
    return () => {
      embla.off('select', follow).off('reInit', follow)
    }
  }, [embla])

  return (
    <section className={styles.carousel} aria-label={t('banner.label')}>
      <div ref={view} className={styles.view} {...hold}>
        <ul className={styles.strip}>
          {banners.map((banner, at) => (
            <li key={banner.id} className={styles.slide} inert={at !== current}>
              <BannerSlide banner={banner} number={at + 1} />
            </li>
          ))}
        </ul>
      </div>
      {banners.length > 1 && (
        <div className={styles.controls}>
          <span className={styles.dots} aria-hidden="true">
            {banners.map((banner, at) => (
              <i key={banner.id} data-current={at === current} />
            ))}
          </span>
          <button
            type="button"
            className={styles.pause}
            aria-label={playing ? t('banner.pause') : t('banner.play')}
            onClick={() => setPlaying(!playing)}
          >
            <span>
              <Icon name={playing ? 'pause' : 'resume'} size={16} />
            </span>
          </button>
        </div>
      )}
    </section>
  )
}
