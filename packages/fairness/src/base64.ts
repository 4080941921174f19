/** The standard base64 of RFC 4648 §4, in which the public log writes its hashes and signatures. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** The bytes of a text; null unless it is their one base64, padded and without blanks. */
export function fromBase64(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return null
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  // Another last character could stand for the same bytes.
  return toBase64(bytes) === text ? bytes : null
}
