/** What a running product says of itself at /metrics. */
import type { Stack } from './stack.ts'

/** @returns the value of each metric, by its name with its labels as they are written there */
export async function readMetrics({ url }: Pick<Stack, 'url'>): Promise<Map<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ')
      return [line.slice(0, end), Number(line.slice(end + 1))]
    }),
  )
}
