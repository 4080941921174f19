import useEmblaCarousel from 'embla-carousel-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'react-router'
import type { Banner } from '#src/data/home.ts'
import { lineBase } from '#src/data/lines.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/home/banner-carousel.module.css'
import { bannerWords, linkOf } from '#src/screens/home/banner-words.ts'
import { useAutoAdvance, wantsNoMotion } from '#src/ui/auto-advance.ts'
import { Icon } from '#src/ui/icon.tsx'

const EVERY_MS = 3_000

/** The banners, one after another; goes by itself until one pauses it. */
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
              <Slide banner={banner} position={t('banner.position', { number: at + 1 })} />
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

function Slide({ banner, position }: { banner: Banner; position: string }) {
  const t = useText()
  const words = bannerWords(banner.image)
  const content = (
    <>
      <img
        className={styles.art}
        src={banner.image.startsWith('/') ? lineBase() + banner.image : banner.image}
        alt={words ? '' : position}
        draggable={false}
      />
      {words && (
        <span className={styles.words}>
          <b>{t(`banner.${words}`)}</b>
          <span>{t(`banner.${words}More`)}</span>
        </span>
      )}
    </>
  )
  return <BannerLink link={banner.link}>{content}</BannerLink>
}

function BannerLink({ link, children }: { link: string; children: ReactNode }) {
  const target = linkOf(link)
  if (!target) return <div className={styles.face}>{children}</div>
  if (target.outside) {
    return (
      <a className={styles.face} href={target.to} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
    )
  }
  return (
    <Link className={styles.face} to={target.to} draggable={false}>
      {children}
    </Link>
  )
}
