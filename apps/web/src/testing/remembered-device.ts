import { USERINFO } from '#src/testing/usual-replies.ts'

/** Sets the mark that the server sets beside its remember-me cookie. @param player whose device it is */
export function markDevice(player = USERINFO.user_id): void {
  // biome-ignore lint/suspicious/noDocumentCookie: as the server does
  document.cookie = `remember_device=${player}; Path=/; SameSite=Strict`
}

/** As a refusal of the server does. */
export function dropDeviceMark(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: as the server does
  document.cookie = 'remember_device=; Max-Age=0; Path=/; SameSite=Strict'
}
