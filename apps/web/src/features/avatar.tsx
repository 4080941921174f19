import { AvatarPreset, presetNumber } from '@sum28/ui/avatar-preset.tsx'
import { useState } from 'react'
import styles from '#src/features/avatar.module.css'
import { pictureAddress } from '#src/features/picture-address.ts'

type AvatarProps = {
  /**
   * The profile's `avatar`: `preset:1` … `preset:8`, an address, or a path of the API, or empty.
   */
  src: string
  /** Pixels of each side. */
  size: number
}

/** A player's picture, or a drawn default. It has no text alternative: the name is beside it. */
export function Avatar({ src, size }: AvatarProps) {
  const [broken, setBroken] = useState('')
  const preset = presetNumber(src)
  const address = pictureAddress(src)
  const shown = address !== '' && address !== broken
  return (
    <span className={styles.avatar} style={{ width: size, height: size }}>
      {preset !== null ? (
        <AvatarPreset number={preset} />
      ) : shown ? (
        <img src={address} alt="" width={size} height={size} onError={() => setBroken(address)} />
      ) : (
        <svg viewBox="0 0 60 60" aria-hidden="true">
          <circle cx="30" cy="24" r="11" />
          <path d="M7 62c2-17 11-23 23-23s21 6 23 23z" />
        </svg>
      )}
    </span>
  )
}
