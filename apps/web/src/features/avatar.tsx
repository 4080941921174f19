import { type ReactNode, useState } from 'react'
import { pictureAddress } from '#src/data/lines.ts'
import styles from '#src/features/avatar.module.css'

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
          <circle cx="30" cy="24" r="11" fill="var(--long)" />
          <path d="M7 62c2-17 11-23 23-23s21 6 23 23z" fill="var(--accent)" />
        </svg>
      )}
    </span>
  )
}

/** How many preset pictures there are; their numbers are 1 … 8. */
const PRESET_COUNT = 8

type Preset = {
  ground: string
  head: string
  clothes: string
  /** Behind the head, such as long hair. */
  behind?: ReactNode
  /** Over the head. */
  over?: ReactNode
}

/** Colours are fixed: a picture looks the same in light and dark. */
const PRESETS: readonly Preset[] = [
  {
    ground: '#d9efec',
    head: '#0b7f76',
    clothes: '#0b5d53',
    over: <circle cx="43" cy="15" r="5" fill="#f0ac4a" />,
  },
  {
    ground: '#e8e1f8',
    head: '#7d5bd6',
    clothes: '#4b2f9c',
    over: (
      <g fill="none" stroke="#fff" strokeWidth="2">
        <circle cx="25" cy="25" r="4.5" />
        <circle cx="35" cy="25" r="4.5" />
        <path d="M29.5 25h1" />
      </g>
    ),
  },
  {
    ground: '#fdf0dc',
    head: '#d98a1f',
    clothes: '#8f560d',
    over: <path d="M18 21c0-8 5-12 12-12s12 4 12 12h7c1.5 0 1.5 3 0 3H18z" fill="#5e3706" />,
  },
  {
    ground: '#f8e3ed',
    head: '#d4548c',
    clothes: '#8d1a50',
    behind: <path d="M16 42V25c0-9 6-14 14-14s14 5 14 14v17z" fill="#6d0f3a" />,
  },
  {
    ground: '#e5e8fa',
    head: '#5b70e8',
    clothes: '#2b3a9e',
    over: <path d="M19 27c0 8 4 12 11 12s11-4 11-12c-3 3-7 4-11 4s-8-1-11-4z" fill="#1c276f" />,
  },
  {
    ground: '#dff0e5',
    head: '#2f9e5e',
    clothes: '#14613a',
    over: (
      <g>
        <path d="M17 25c0-8 5-13 13-13s13 5 13 13" fill="none" stroke="#0c4125" strokeWidth="3" />
        <rect x="14" y="23" width="6" height="10" rx="3" fill="#0c4125" />
        <rect x="40" y="23" width="6" height="10" rx="3" fill="#0c4125" />
      </g>
    ),
  },
  {
    ground: '#e6eaed',
    head: '#64737e',
    clothes: '#313c45',
    behind: <circle cx="30" cy="9.5" r="6" fill="#20282e" />,
    over: <path d="M19 22c1-6 5-9 11-9s10 3 11 9c-5 0-8-1-11-4-3 3-6 4-11 4z" fill="#20282e" />,
  },
  {
    ground: '#f9ecd8',
    head: '#c4713d',
    clothes: '#7c3a14',
    behind: <path d="M19 22l-1-13 9 6zM41 22l1-13-9 6z" fill="#7c3a14" />,
    over: (
      <path
        d="M26 31c2 2 6 2 8 0M30 28v3"
        fill="none"
        stroke="#fff"
        strokeWidth="1.8"
        strokeLinecap="round"
      />
    ),
  },
]

/** The number of a preset from the profile's `avatar` (`preset:3`), or null. */
export function presetNumber(avatar: string): number | null {
  const number = Number(/^preset:(\d)$/.exec(avatar)?.[1])
  return number >= 1 && number <= PRESET_COUNT ? number : null
}

export function AvatarPreset({ number }: { number: number }) {
  const preset = PRESETS[number - 1]
  if (!preset) return null
  return (
    <svg viewBox="0 0 60 60" aria-hidden="true">
      <rect width="60" height="60" fill={preset.ground} />
      {preset.behind}
      <path d="M7 62c2-17 11-23 23-23s21 6 23 23z" fill={preset.clothes} />
      <circle cx="30" cy="25" r="11" fill={preset.head} />
      {preset.over}
    </svg>
  )
}
