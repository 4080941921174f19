import { Button } from '@sum28/ui/button.tsx'
import { useEffect, useRef, useState } from 'react'
import { Screen } from '#src/features/screen.tsx'
import { showFailure } from '#src/features/show-failure.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/profile/avatar-cropper.module.css'
import { SCALE_MAX, scaled, wholeArea } from '#src/screens/profile/crop-area.ts'
import { cutPicture, drawArea } from '#src/screens/profile/crop-picture.ts'
import { useCropGestures } from '#src/screens/profile/use-crop-gestures.ts'

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
        <div className={styles.buttons}>
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
      <p className={styles.hint}>{t('avatar.hint')}</p>
    </Screen>
  )
}
