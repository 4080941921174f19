/** The data provider of react-admin: lists and single things, by the calls that the areas name. */
import { type DataProvider, HttpError } from 'react-admin'
import { AREAS } from '#src/areas/all.ts'
import type { AreaResource } from '#src/areas/area.ts'
import { isSessionEnd } from '#src/data/call.ts'
import { failureOf } from '#src/data/failure.ts'

const RESOURCES = new Map(
  AREAS.flatMap(({ resources }) => resources).map((resource) => [resource.name, resource]),
)

/**
 * Changes do not go through it: each is an action of its own, by `useAction`, with its own call and key.
 */
export const dataProvider: DataProvider = {
  getList: (resource, params) =>
    told(() =>
      resourceOf(resource).ask({
        resource,
        filter: params.filter ?? {},
        sort: params.sort?.field ?? 'id',
        order: params.sort?.order === 'ASC' ? 'asc' : 'desc',
        page: params.pagination?.page ?? 1,
        limit: params.pagination?.perPage ?? 25,
        signal: params.signal,
      }),
    ) as never,

  getOne: (resource, { id }) =>
    told(async () => {
      const { askOne } = resourceOf(resource)
      if (!askOne) throw new Error(`${resource} has no page of one`)
      return { data: await askOne(String(id)) }
    }) as never,

  getMany: (resource) => none(resource, 'getMany'),
  getManyReference: (resource) => none(resource, 'getManyReference'),
  create: (resource) => none(resource, 'create'),
  update: (resource) => none(resource, 'update'),
  updateMany: (resource) => none(resource, 'updateMany'),
  delete: (resource) => none(resource, 'delete'),
  deleteMany: (resource) => none(resource, 'deleteMany'),
  supportAbortSignal: true,
}

function resourceOf(name: string): AreaResource {
  const resource = RESOURCES.get(name)
  if (!resource) throw new Error(`no area has the resource ${name}`)
  return resource
}

function none(resource: string, method: string): Promise<never> {
  return Promise.reject(new Error(`${resource} is not changed by ${method}, but by an action`))
}

/** Failures as react-admin knows them: a text, and 401 for a session that has ended. */
async function told<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    const { text, reason } = failureOf(error)
    throw new HttpError(text, isSessionEnd(error) ? 401 : statusOf(reason), { reason })
  }
}

function statusOf(reason: string): number {
  return { forbidden: 403, not_found: 404, unreachable: 0 }[reason] ?? 400
}
