/**
 * Reads an answer's body as text, up to a limit.
 * @returns null when the body has more than `bytesMax` bytes; the rest is not fetched
 */
export async function readLimitedText(
  response: Response,
  bytesMax: number,
): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop cancels the stream.
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > bytesMax) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
