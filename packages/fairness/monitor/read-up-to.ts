/** The body, read no further than a number of bytes: null if it is longer. Counts what was compressed as it becomes. */
export async function readUpTo(longest: number, { body }: Response): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body ?? []) {
    length += (part as Uint8Array).length
    if (length > longest) return null
    parts.push(part as Uint8Array)
  }
  return Buffer.concat(parts)
}
