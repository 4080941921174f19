import { Icon } from '@sum28/ui/icon.tsx'
import type { ReactNode } from 'react'
import { pictureAddress } from '#src/data/lines.ts'
import { useSnapStrip } from '#src/features/use-snap-strip.ts'
import { useText } from '#src/i18n/text.ts'
import { Link } from '#src/navigation/navigation.tsx'
import { useAutoAdvance } from '#src/screens/home/auto-advance.ts'
import { bannerWords, linkOf } from '#src/screens/home/banner-words.ts'
import styles from '#src/screens/home/banners.module.css'
import type { Banner } from '#src/screens/home/home.ts'

const EVERY_MS = 3_000

/** The banners of the home screen: they advance by themselves until paused; a single one does not move. */
export function Banners({ banners }: { banners: readonly Banner[] }) {
  const t = useText()
  const { strip, current, show } = useSnapStrip(banners.length)
  const { playing, setPlaying, hold } = useAutoAdvance(EVERY_MS, () =>
    show((current + 1) % banners.length),
  )

  return (
    <section className={styles.carousel} aria-label={t('banner.label')}>
      <ul ref={strip} className={styles.strip} {...hold}>
        {banners.map((banner, at) => (
          <li key={banner.id} className={styles.slide} inert={at !== current}>
            <BannerSlide banner={banner} number={at + 1} />
          </li>
        ))}
      </ul>
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

/** One banner: its picture, with words over it if it is one of the app's own. */
function BannerSlide({ banner, number }: { banner: Banner; number: number }) {
  const t = useText()
  const words = bannerWords(banner.image)
  const content = (
    <>
      <img
        className={styles.art}
        src={pictureAddress(banner.image)}
        alt={words ? '' : t('banner.position', { number })}
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
