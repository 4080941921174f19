/** A file with all stored data of the player: requested, made by the server, and downloaded. */
import { askOwnData, ownData, ownDataFile } from '@sum28/contract/own-routes.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { downloadOwnFile } from '#src/data/player-download.ts'
import type { DownloadedFile, DownloadWatch } from '#src/data/read-download.ts'

export type OwnDataState = {
  readonly state: 'none' | 'waiting' | 'ready'
  /** The end of the time in which it can be downloaded, in milliseconds since 1970. */
  readonly until: number | null
  readonly bytes: number | null
}

/** While a file is being made. */
const POLL_MS = 3_000

export const ownDataQuery = queryOptions<OwnDataState>({
  queryKey: ['own-data'],
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? POLL_MS : false),
  queryFn: async ({ signal }): Promise<OwnDataState> => {
    const { state, until, bytes } = await call(ownData, {}, { signal })
    return { state, until: until === null ? null : until * 1_000, bytes }
  },
})

/** Requests the file. Rejects with password_wrong or own_data_asked. */
export async function requestOwnData({ password }: { password: string }): Promise<void> {
  await call(askOwnData, { password })
}

/** Downloads the file. Rejects as {@link downloadOwnFile} does. */
export function fetchOwnData(watch: DownloadWatch): Promise<DownloadedFile> {
  const { path, mediaType } = ownDataFile
  return downloadOwnFile({ path, mediaType, name: 'sum28-data.zip' }, watch)
}
