import { useMemo } from 'react'
import { encode } from 'uqr'
import styles from '#src/qr-code.module.css'

type QrCodeProps = {
  value: string
  /** For who cannot see it. */
  label: string
  /** Pixels of each side; 200 unless told. */
  size?: number
}

/** A QR code, dark on white whatever the theme: cameras read it so. */
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

/** The dark modules as one path, a stroke for each run of a row. */
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
