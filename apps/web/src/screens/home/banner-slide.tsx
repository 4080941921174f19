import type { ReactNode } from 'react'
import { pictureAddress } from '#src/data/lines.ts'
import { useText } from '#src/i18n/text.ts'
import { Link } from '#src/navigation/navigation.tsx'
import { bannerWords, linkOf } from '#src/screens/home/banner-words.ts'
import styles from '#src/screens/home/banners.module.css'
import type { Banner } from '#src/screens/home/home.ts'

/** One banner: its picture, with words over it if it is one of the app's own. */
export function BannerSlide({ banner, number }: { banner: Banner; number: number }) {
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
