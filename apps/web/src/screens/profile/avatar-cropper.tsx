import { Button } from '@sum28/ui/button.tsx'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { showFailure } from '#src/data/failure.ts'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import {
  type CropArea,
  moved,
  SCALE_MAX,
  type Size,
  scaled,
  sideOf,
  wholeArea,
} from '#src/screens/profile/crop-area.ts'
import { cutPicture, drawArea } from '#src/screens/profile/crop-picture.ts'
import styles from '#src/screens/profile/profile.module.css'

/** Pixels of each side of the drawn square: sharp on a phone with three device pixels each. */
const DRAWN = 960

type AvatarCropperProps = {
  picture: ImageBitmap
  /** While the square is being uploaded. */
  busy: boolean
  onCut: (square: Blob) => void
  onCancel: () => void
}

/** Chooses the square of a picture: by touch, mouse, wheel, slider or keys. */
export function AvatarCropper({ picture, busy, onCut, onCancel }: AvatarCropperProps) {
  const t = useText()
  const stage = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [area, setArea] = useState(() => wholeArea(picture))
  useCropGestures(stage, { size: picture, change: setArea })
  useEffect(() => {
    if (canvas.current) drawArea(canvas.current, { picture, area })
  }, [picture, area])

  async function use() {
    try {
      onCut(await cutPicture({ picture, area }))
    } catch (error) {
      showFailure(error)
    }
  }

  return (
    <Screen
      title={t('avatar.crop')}
      back={onCancel}
      footer={
        <div className={styles.cropButtons}>
          <Button kind="soft" wide onClick={onCancel}>
            {t('action.cancel')}
          </Button>
          <Button wide busy={busy} onClick={use}>
            {t('avatar.use')}
          </Button>
        </div>
      }
    >
      <div
        ref={stage}
        className={styles.stage}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move and scale what it shows.
        tabIndex={0}
        role="application"
        aria-label={t('avatar.frame')}
      >
        <canvas ref={canvas} className={styles.picture} width={DRAWN} height={DRAWN} />
        <span className={styles.mask} />
      </div>
      <label className={styles.scale}>
        <span>{t('avatar.scale')}</span>
        <input
          type="range"
          className={styles.slider}
          min={1}
          max={SCALE_MAX}
          step={0.01}
          value={area.scale}
          onChange={(event) => {
            const scale = Number(event.target.value)
            setArea((before) => scaled(before, scale, picture))
          }}
        />
      </label>
      <p className={styles.cropHint}>{t('avatar.hint')}</p>
    </Screen>
  )
}

/** How far an arrow key moves the picture, as a share of the visible square. */
const KEY_STEP = 0.05
const KEY_SCALE = 1.1

/** Where each arrow key moves the picture itself. */
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

type ChangeArea = (change: (area: CropArea) => CropArea) => void

/** One finger or the mouse moves the picture; two fingers or the wheel scale it; keys do both. */
function useCropGestures(
  area: RefObject<HTMLElement | null>,
  { size, change }: { size: Size; change: ChangeArea },
): void {
  useEffect(() => {
    const element = area.current
    if (!element) return
    const stops = new AbortController()
    const on = { signal: stops.signal }
    const pointers = new Map<number, { x: number; y: number }>()

    /** Moves the picture by shares of the frame. */
    function push(x: number, y: number) {
      change((area) => {
        const side = sideOf(area, size)
        return moved(area, { x: -x * side, y: -y * side }, size)
      })
    }
    /** Scales around a point of the screen. */
    function scaleBy(factor: number, { x, y }: { x: number; y: number }) {
      const frame = boxOf(element)
      const at = {
        x: (x - frame.left) / frame.width - 0.5,
        y: (y - frame.top) / frame.height - 0.5,
      }
      change((area) => scaled(area, area.scale * factor, size, at))
    }

    element.addEventListener(
      'pointerdown',
      (event) => {
        pointers.set(event.pointerId, { x: event.clientX, y: event.clientY })
        element.setPointerCapture(event.pointerId)
      },
      on,
    )
    element.addEventListener(
      'pointermove',
      (event) => {
        const before = pointers.get(event.pointerId)
        if (!before) return
        const now = { x: event.clientX, y: event.clientY }
        const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1]
        pointers.set(event.pointerId, now)
        const frame = boxOf(element)
        // With two fingers, each carries half of the picture.
        const share = other ? 0.5 : 1
        push(
          ((now.x - before.x) / frame.width) * share,
          ((now.y - before.y) / frame.height) * share,
        )
        if (!other) return
        const apart = Math.hypot(now.x - other.x, now.y - other.y)
        const apartBefore = Math.hypot(before.x - other.x, before.y - other.y)
        const between = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 }
        if (apartBefore > 0 && apart > 0) scaleBy(apart / apartBefore, between)
      },
      on,
    )
    for (const end of ['pointerup', 'pointercancel'] as const) {
      element.addEventListener(end, (event) => pointers.delete(event.pointerId), on)
    }
    element.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault()
        scaleBy(Math.exp(-event.deltaY / 400), { x: event.clientX, y: event.clientY })
      },
      { ...on, passive: false },
    )
    element.addEventListener(
      'keydown',
      (event) => {
        const arrow = ARROWS[event.key]
        if (arrow) push(arrow[0] * KEY_STEP, arrow[1] * KEY_STEP)
        else if (event.key === '+' || event.key === '=') {
          change((area) => scaled(area, area.scale * KEY_SCALE, size))
        } else if (event.key === '-') {
          change((area) => scaled(area, area.scale / KEY_SCALE, size))
        } else return
        event.preventDefault()
      },
      on,
    )
    return () => stops.abort()
  }, [area, size, change])
}

function boxOf(element: Element | null): DOMRect {
  return element?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1)
}
