/**
 * The text of a foreign answer, read up to a limit.
 *
 * @returns null when the body has more than `bytesMax` bytes; the rest is not fetched
 */
export async function readLimitedText(
  { body }: Response,
  bytesMax: number,
): Promise<string | null> {
  if (!body) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop cancels the stream.
  for await (const chunk of body) {
    size += chunk.length
    if (size > bytesMax) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
