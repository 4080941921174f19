/** What a bench in a real browser needs: the built app, a Chromium, and a member who is signed in. */
import type { Member } from './stack.ts'

/** The commands of the project, which are plain JavaScript. */
type Tools = {
  buildApps(node: string): Promise<void>
  findChromium(): Promise<string | undefined>
}

/** Builds the apps where they are not, and finds a Chromium; ends the process with a sentence where there is none. */
export async function prepareBrowser(): Promise<string> {
  const [{ buildApps }, { findChromium }] = (await Promise.all(
    ['build-apps', 'find-chromium'].map((name) => import(`../../tools/${name}.mjs`)),
  )) as [Pick<Tools, 'buildApps'>, Pick<Tools, 'findChromium'>]
  await buildApps(process.execPath)
  return (await findChromium()) ?? process.exit(1)
}

/** What the app keeps of a session while its page is open. */
export function sessionOf({ token, user_id, id, money, group_id }: Member) {
  return { token, userId: user_id, id, money, group_id }
}
