/** Staff: signing in, the list of members, the audit log. */
import type { Resources } from '#src/resources.ts'
import { deriveKey } from '#src/secrets/secret-cipher.ts'
import { auditHeads } from './audit-heads.ts'
import { ensureDemoStaff } from './demo-staff.ts'
import { staffGuard } from './log-in-staff.ts'
import { staffRoutes } from './routes.ts'
import { staffFinder } from './staff-session.ts'

export async function staffModule(deps: Pick<Resources, 'db' | 'config' | 'secretKey' | 'cipher'>) {
  const { db, config, secretKey, cipher } = deps
  const { dataDir } = config
  if (config.profile === 'demo') await ensureDemoStaff({ db, cipher, dataDir })
  const heads = auditHeads(dataDir)
  return {
    findStaff: staffFinder(db),
    /** Where the audit log's end is recorded. */
    heads,
    routes: staffRoutes({
      db,
      cipher,
      heads,
      guard: staffGuard({
        db,
        key: deriveKey(secretKey, 'sign-ins of staff'),
        on: config.rateLimits,
      }),
      zone: config.schedule.timeZone,
    }),
  }
}
