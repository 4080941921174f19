/**
 * The roles that the product works under. They own nothing. Each SECRET_KEY has one of its own, so that processes
 * with an earlier and a later key work beside each other while the key is changed.
 */
import type pg from 'pg'
import { deriveKey, keyIdOf } from '#src/secrets/sealer.ts'

/** The name of a database's application role for a key. */
export function applicationRole(database: string, secretKey: string): string {
  return `${database}_app_${keyIdOf(secretKey)}`
}

/** Its password, derived from SECRET_KEY and stored nowhere. */
export function applicationPassword(secretKey: string): string {
  return deriveKey(secretKey, 'application role').toString('hex')
}

/**
 * Drops a database's application roles: those of all keys but one, or all. Releases before had one role, whose
 * name had no key.
 *
 * @param but the key whose role stays
 * @returns the names of roles that stay because somebody is connected by them
 */
export async function dropApplicationRoles(
  client: pg.Client,
  database: string,
  but: string | null = null,
): Promise<string[]> {
  const { rows } = await client.query<{ role: string; used: boolean }>(
    `select rolname as role, exists (select from pg_stat_activity where usesysid = pg_roles.oid) as used
     from pg_roles where rolname ~ ('^' || $1 || '_app(_[0-9a-f]{8})?$') and rolname is distinct from $2`,
    [database.replace(/[^a-zA-Z0-9_]/g, '\\$&'), but && applicationRole(database, but)],
  )
  for (const { role, used } of rows) {
    if (!used) await client.query(`drop role ${client.escapeIdentifier(role)}`)
  }
  return rows.filter(({ used }) => used).map(({ role }) => role)
}
