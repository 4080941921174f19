import { Refusal } from '@sum28/contract/client.ts'
import { safetyInfo, setSafety } from '@sum28/contract/money-routes.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { profileQuery } from '#src/data/profile.ts'
import { queryClient, refetchQuery } from '#src/data/query-client.ts'

/** Whether the player has set one. */
export const hasSecurityCodeQuery = queryOptions({
  queryKey: ['has-security-code'],
  queryFn: async ({ signal }) => (await call(safetyInfo, {}, { signal })).isTrue,
})

/** Sets the code, which was typed twice, or changes it if `oldCode` is given. Each is six digits. */
export async function saveSecurityCode(
  { newCode, oldCode }: { newCode: string; oldCode?: string | undefined },
  idempotencyKey: string,
): Promise<void> {
  const other = oldCode ? { old_code: oldCode } : { repeated_code: newCode }
  await call(setSafety, { new_code: newCode, ...other }, { idempotencyKey })
  queryClient.setQueryData(hasSecurityCodeQuery.queryKey, true)
  refetchQuery(profileQuery)
}

export type SecurityCodeFaults = {
  oldCode: string | undefined
  newCode: string | undefined
  /** Further wrong tries of the old code before withdrawals are locked. */
  triesLeft: number | undefined
}

/** The refusal's message by the form field that it is about. */
export function securityCodeFaults(error: unknown): SecurityCodeFaults {
  if (!(error instanceof Refusal)) {
    return { oldCode: undefined, newCode: undefined, triesLeft: undefined }
  }
  const { reason, fields, tries_left: triesLeft } = error.data
  const ofOld = reason === 'security_code_wrong' || reason === 'security_code_locked'
  const ofNew =
    reason === 'security_code_is_password' ||
    reason === 'security_code_same' ||
    reason === 'security_code_common'
  return {
    oldCode: ofOld ? error.message : (fields?.old_code ?? fields?.after_code),
    newCode: ofNew ? error.message : fields?.new_code,
    triesLeft: typeof triesLeft === 'number' ? triesLeft : undefined,
  }
}
