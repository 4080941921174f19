/** Stored TOTP secrets of members: encrypted, each for its member alone. */
import type { Resealing } from '#src/db/reseal.ts'
import type { Sealer } from '#src/secrets/sealer.ts'
import { membersOfOtherKeys, membersToReseal, resealMember } from './staff-store.ts'

export type SealedTotpSecret = { sealedTotpSecret: Buffer; totpKeyId: string }

/** Binds a secret to the member's name: it cannot be decrypted in another row. */
function purposeOf(name: string): string {
  return `staff totp ${name}`
}

export function sealTotpSecret(
  sealer: Sealer,
  { name, secret }: { name: string; secret: Uint8Array },
): SealedTotpSecret {
  return {
    sealedTotpSecret: sealer.seal(secret, purposeOf(name)),
    totpKeyId: sealer.keyId,
  }
}

/** @throws if the key that encrypted it is not known any more */
export function openTotpSecret(
  sealer: Sealer,
  { name, sealedTotpSecret, totpKeyId }: SealedTotpSecret & { name: string },
): Buffer {
  return sealer.open(sealedTotpSecret, purposeOf(name), totpKeyId)
}

/** Encrypts secrets of an earlier key again with the present one. */
export const resealTotpSecrets: Resealing = {
  missing: membersOfOtherKeys,
  async batch({ db, sealer }, range) {
    const members = await membersToReseal(db, range)
    return members.map((member) => ({
      id: member.id,
      async reseal() {
        const secret = openTotpSecret(sealer, member)
        const sealed = sealTotpSecret(sealer, { name: member.name, secret })
        await resealMember(db, { name: member.name, before: member.sealedTotpSecret, ...sealed })
      },
    }))
  },
}
