/** The data provider of react-admin: lists, loaded by the calls that the areas name. */
import { type DataProvider, HttpError } from 'react-admin'
import { RESOURCES } from '#src/areas/all.ts'
import { isSessionEnd } from '#src/data/call.ts'
import { failureOf } from '#src/data/failure.ts'
import { loadList } from '#src/data/lists.ts'

/**
 * It loads no single record and makes no changes: a page loads its record with `useReply`, and each change is an action
 * with its own call and key, made by `useAction`.
 */
export const dataProvider = {
  supportAbortSignal: true,
  getList: async (name, params) => {
    const resource = RESOURCES.find((each) => each.name === name)
    if (!resource) throw new Error(`no area has the resource ${name}`)
    return (await withLibraryErrors(() => loadList(resource, params))) as never
  },
} satisfies Partial<DataProvider> as unknown as DataProvider

/** Converts failures to the errors of react-admin: a text, and 401 for a session that has ended. */
async function withLibraryErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    const { text, fields, reason } = failureOf(error)
    const [[field, sentence] = [undefined, text]] = Object.entries(fields)
    throw new HttpError(sentence, isSessionEnd(error) ? 401 : statusOf(reason), { reason, field })
  }
}

function statusOf(reason: string): number {
  return { forbidden: 403, not_found: 404, unreachable: 0 }[reason] ?? 400
}
