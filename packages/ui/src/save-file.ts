/** Long enough for the browser to take the file over before its address is given up. */
const KEEP_MS = 60_000

/** Hands a file to the browser to keep. */
export function saveFile({ name, blob }: { name: string; blob: Blob }): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), KEEP_MS)
}
