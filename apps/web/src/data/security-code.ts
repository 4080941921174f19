import { Refusal } from '@sum28/contract/client.ts'
import { safetyInfo, setSafety } from '@sum28/contract/money-routes.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { faultsBy } from '#src/data/form-faults.ts'
import { profileQuery } from '#src/data/profile.ts'
import { queryClient, refetchQuery } from '#src/data/query-client.ts'

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

const FIELD_OF = {
  security_code_wrong: 'oldCode',
  security_code_locked: 'oldCode',
  old_code: 'oldCode',
  security_code_is_password: 'newCode',
  security_code_same: 'newCode',
  security_code_common: 'newCode',
  new_code: 'newCode',
} as const

/** The refusal's message by the form field that it is about, and the further wrong tries before withdrawals are locked. */
export function securityCodeFaults(error: unknown) {
  const triesLeft = error instanceof Refusal ? error.data.tries_left : undefined
  return {
    ...faultsBy(error, FIELD_OF),
    triesLeft: typeof triesLeft === 'number' ? triesLeft : undefined,
  }
}
