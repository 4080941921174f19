/** Sets the mark that the server sets beside its remember-me cookie. */
export function markDevice(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: as the server does
  document.cookie = 'remember_device=1; Path=/; SameSite=Strict'
}

/** As a refusal of the server does. */
export function dropDeviceMark(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: as the server does
  document.cookie = 'remember_device=; Max-Age=0; Path=/; SameSite=Strict'
}
