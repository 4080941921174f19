import { useMemo } from 'react'
import { encode } from 'uqr'
import styles from '#src/qr-code.module.css'

type QrCodeProps = {
  value: string
  /** The name for screen readers. */
  label: string
  /** Pixels of each side; 200 by default. */
  size?: number
}

/** A QR code, dark on white in both themes, as cameras expect. */
export function QrCode({ value, label, size = 200 }: QrCodeProps) {
  const { side, path } = useMemo(() => drawn(value), [value])
  return (
    <svg
      className={styles.code}
      viewBox={`0 0 ${side} ${side}`}
      width={size}
      height={size}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  )
}

/** The dark modules as one path, with a stroke for each run in a row. */
function drawn(value: string): { side: number; path: string } {
  const { data, size } = encode(value, { ecc: 'M', border: 2 })
  const runs = data.flatMap((row, y) =>
    [
      ...row
        .map((dark) => (dark ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
    ].map((run) => `M${run.index} ${y}h${run[0].length}v1h-${run[0].length}z`),
  )
  return { side: size, path: runs.join('') }
}
