/** The data provider of react-admin: lists, loaded by the calls that the areas name. */
import { type DataProvider, HttpError } from 'react-admin'
import { RESOURCES } from '#src/areas/all.ts'
import type { AreaResource } from '#src/areas/area.ts'
import { isSessionEnd } from '#src/data/call.ts'
import { failureOf } from '#src/data/failure.ts'

/**
 * It makes no changes: each change is an action with its own call and key, made by `useAction`. A page loads its
 * record itself, with `useReply`.
 */
export const dataProvider: DataProvider = {
  getList: (resource, params) =>
    withLibraryErrors(() =>
      resourceOf(resource).loadList({
        resource,
        filter: params.filter ?? {},
        sort: params.sort?.field ?? 'id',
        order: params.sort?.order === 'ASC' ? 'asc' : 'desc',
        page: params.pagination?.page ?? 1,
        limit: params.pagination?.perPage ?? 25,
        signal: params.signal,
      }),
    ) as never,

  getOne: (resource) => unsupported(resource, 'getOne'),
  getMany: (resource) => unsupported(resource, 'getMany'),
  getManyReference: (resource) => unsupported(resource, 'getManyReference'),
  create: (resource) => unsupported(resource, 'create'),
  update: (resource) => unsupported(resource, 'update'),
  updateMany: (resource) => unsupported(resource, 'updateMany'),
  delete: (resource) => unsupported(resource, 'delete'),
  deleteMany: (resource) => unsupported(resource, 'deleteMany'),
  supportAbortSignal: true,
}

function resourceOf(name: string): AreaResource {
  const resource = RESOURCES.find((each) => each.name === name)
  if (!resource) throw new Error(`no area has the resource ${name}`)
  return resource
}

function unsupported(resource: string, method: string): Promise<never> {
  return Promise.reject(new Error(`${resource} has no ${method}`))
}

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
