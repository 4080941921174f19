import { type ReactNode, useRef } from 'react'

/** The pictures that an upload may be. */
export const PICTURES = 'image/jpeg,image/png,image/webp,image/gif'

type FilePicker = { accept: string; label: string; onFile: (file: File) => void }

/** A field for a file, to be put anywhere: it is not seen; and what opens the browser's choice, directly in a tap. */
export function useFilePicker({ accept, label, onFile }: FilePicker): [ReactNode, () => void] {
  const field = useRef<HTMLInputElement>(null)
  const input = (
    <input
      ref={field}
      type="file"
      aria-label={label}
      accept={accept}
      hidden
      onChange={({ target }) => {
        const [file] = target.files ?? []
        if (file) onFile(file)
        // So that the same file can be chosen again.
        target.value = ''
      }}
    />
  )
  return [input, () => field.current?.click()]
}
