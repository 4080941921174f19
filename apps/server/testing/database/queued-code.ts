import type { TestDatabase } from './test-database.ts'

/** The six digits of the latest mail in the queue, which must be to this address. */
export async function queuedCode(
  { owner }: Pick<TestDatabase, 'owner'>,
  email: string,
): Promise<string> {
  const [job] = await owner.query<{ mail: { to: string; subject: string } | null }>(
    `select payload->'mail' as mail from graphile_worker._private_jobs order by id desc limit 1`,
  )
  const { to, subject } = job?.mail ?? {}
  const code = /\d{6}/.exec(subject ?? '')?.[0]
  if (to !== email || code === undefined) throw new Error(`the latest mail is to ${to}: ${subject}`)
  return code
}
