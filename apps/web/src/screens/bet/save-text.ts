/** Long enough for the browser to take the file over before its address is given up. */
const KEEP_MS = 60_000

/** Hands a JSON text to the browser as a file to keep. */
export function saveText({ name, text }: { name: string; text: string }): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), KEEP_MS)
}
