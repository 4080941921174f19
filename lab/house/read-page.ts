/** The commands of a page: its code blocks that say on which machine they are run. */
export type Block = { on: string; script: string }

/** The blocks that begin with ```sh and a word, in their order. */
export function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```sh (\S+)\n([\s\S]*?)^```$/gm)].map(([, on = '', script = '']) => ({
    on,
    script,
  }))
}
