import { expect } from 'vitest'
import type { Queryable } from '#src/db/database.ts'
import { ALWAYS_TRUE } from '#src/jobs/always-true.ts'

/** Expects what is always true of the books, as the owner sees the database. */
export async function expectAlwaysTrue(owner: Queryable): Promise<void> {
  for (const { name, sql } of ALWAYS_TRUE) {
    expect(await owner.query(sql), name).toEqual([])
  }
}
