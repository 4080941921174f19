import { useState } from 'react'
import type { Promo } from '#src/data/promos.ts'
import { pictureAddress } from '#src/features/picture-address.ts'
import styles from '#src/screens/promotions/promo-card.module.css'

/** A promo picture with its title as text, so that it is translated and read out. */
export function PromoCard({ promo }: { promo: Promo }) {
  const [broken, setBroken] = useState(false)
  return (
    <figure className={styles.card}>
      {!broken && (
        <img
          className={styles.picture}
          src={pictureAddress(promo.image)}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setBroken(true)}
        />
      )}
      {promo.title && <figcaption className={styles.words}>{promo.title}</figcaption>}
    </figure>
  )
}
