import { Box, Button, Stack, TextField, Typography } from '@mui/material'
import { csvOf } from '@sum28/contract/staff-list.ts'
import type { StaffRoute } from '@sum28/contract/staff-route.ts'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslate } from 'react-admin'
import { useSearchParams } from 'react-router'
import { useReply } from '#src/data/use-reply.ts'
import { DownloadButton } from '#src/parts/download-button.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { PlainTable, scrolled } from '#src/parts/plain-table.tsx'

type PlayerTableProps<Row> = {
  /** A call that lists records of a player, by keyset. */
  route: StaffRoute
  playerId: number
  /** Its key of `areas.players.part`, for its name. */
  part: string
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string | number
  /** A key of the catalogs: the label of the search by the address's `q`; without it there is no search. */
  search?: string | undefined
}

/** Records of a player, newest first, page by page. */
export function PlayerTable<Row>(props: PlayerTableProps<Row>) {
  const [address, setAddress] = useSearchParams()
  const sought = (props.search && address.get('q')) || ''

  function find(text: string) {
    address.set('q', text)
    setAddress(address, { replace: true })
  }

  return (
    <Stack sx={{ gap: 1 }}>
      {props.search && <Search label={props.search} sought={sought} find={find} />}
      {/* Each search is a new list, which begins with its first page. */}
      <Pages key={sought} {...props} sought={sought} />
    </Stack>
  )
}

function Search({
  label,
  sought,
  find,
}: {
  label: string
  sought: string
  find: (text: string) => void
}) {
  const translate = useTranslate()
  const [typed, setTyped] = useState(sought)
  // The console's own search can name another record of the same player.
  useEffect(() => setTyped(sought), [sought])
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        find(typed.trim())
      }}
    >
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', paddingTop: 2 }}>
        <TextField
          label={translate(label)}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          autoComplete="off"
          sx={{ width: '16rem' }}
        />
        <Button type="submit">{translate('areas.players.find')}</Button>
      </Stack>
    </form>
  )
}

function Pages<Row>({
  route,
  playerId,
  part,
  columns,
  keyOf,
  sought,
}: PlayerTableProps<Row> & { sought: string }) {
  const translate = useTranslate()
  // The cursors of the pages up to this one; the first has none.
  const [cursors, setCursors] = useState<readonly string[]>([])
  const answer = useReply(route, {
    user_id: playerId,
    after: cursors.at(-1),
    ...(sought !== '' && { q: sought }),
  } as never)
  return (
    <Loaded answer={answer}>
      {(data) => {
        const { list, next } = data as { list: Row[]; next: string | null }
        return (
          <Stack sx={{ gap: 1 }}>
            <FactTable part={part} rows={list} columns={columns} keyOf={keyOf} />
            <Stack direction="row" sx={{ justifyContent: 'space-between' }}>
              <DownloadButton
                download={csvOf(route)}
                request={{ user_id: playerId, ...(sought !== '' && { q: sought }) }}
              />
              {(cursors.length > 0 || next !== null) && (
                <span>
                  <Button
                    disabled={cursors.length === 0}
                    onClick={() => setCursors(cursors.slice(0, -1))}
                  >
                    {translate('areas.players.newer')}
                  </Button>
                  <Button
                    disabled={next === null}
                    onClick={() => next !== null && setCursors([...cursors, next])}
                  >
                    {translate('areas.players.older')}
                  </Button>
                </span>
              )}
            </Stack>
          </Stack>
        )
      }}
    </Loaded>
  )
}

/** The heading of a part of the player's page, by its key of `areas.players.part`. */
export function PartHeading({ part }: { part: string }) {
  return (
    <Typography variant="h6" component="h2">
      {useTranslate()(`areas.players.part.${part}`)}
    </Typography>
  )
}

export type Column<Row> = {
  /** A key of `areas.players.column`. */
  readonly name: string
  readonly show: (row: Row) => ReactNode
  readonly right?: boolean
}

type FactTableProps<Row> = {
  part: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string | number
}

/** A plain table of facts; a sentence if it is empty. */
export function FactTable<Row>({ part, rows, columns, keyOf }: FactTableProps<Row>) {
  const translate = useTranslate()
  if (rows.length === 0) {
    return <Typography color="textSecondary">{translate('areas.players.none')}</Typography>
  }
  return (
    <Box sx={{ overflowX: 'auto' }} {...scrolled(translate(`areas.players.part.${part}`))}>
      <PlainTable
        rows={rows}
        columns={columns.map(({ name, ...column }) => ({
          heading: `areas.players.column.${name}`,
          ...column,
        }))}
        keyOf={keyOf}
      />
    </Box>
  )
}
