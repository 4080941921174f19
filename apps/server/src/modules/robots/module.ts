/** The house's robots: how many each room has. jobs/robot-driver.ts lets them bet. */
import type { Catalog } from '#src/modules/games/catalog.ts'
import type { Resources } from '#src/resources.ts'
import { seatDemoRobots } from './robot-store.ts'
import { robotStaffRoutes } from './routes.ts'

/** How many robots the demo's rooms have at first: basic, senior, master, expert. */
const DEMO_ROBOTS = [6, 4, 3, 2]

export async function robotsModule(
  deps: Pick<Resources, 'db' | 'config' | 'roundChanged'> & { catalog: () => Promise<Catalog> },
) {
  const { db, config, catalog, roundChanged } = deps
  if (config.profile === 'demo' && config.robots) await seatDemoRobots(db, DEMO_ROBOTS)
  return {
    routes: robotStaffRoutes({ db, catalog, on: config.robots, roundChanged }),
  }
}
