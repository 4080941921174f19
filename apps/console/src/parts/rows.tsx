import { Box, Stack, Typography } from '@mui/material'
import { type ReactElement, type ReactNode, useEffect } from 'react'
import {
  BulkActionsToolbar,
  DataTable,
  type RaRecord,
  useListContext,
  useResourceContext,
  useTranslate,
} from 'react-admin'
import { rememberList } from '#src/data/opened-list.ts'
import { scrolled } from '#src/parts/plain-table.tsx'

/**
 * The table of a list, with `Col` for its columns. With `opens`, a row opens the page of its
 * record, and that page links to the next row.
 */
export function Rows({
  children,
  opens = false,
  bulk,
  selectable,
}: {
  children: ReactNode
  opens?: boolean
  /** What can be done with several rows at once; without it none can be chosen. */
  bulk?: ReactElement
  selectable?: (record: never) => boolean
}) {
  const translate = useTranslate()
  const { data, resource } = useListContext()
  useEffect(() => {
    if (opens && data)
      rememberList(
        resource,
        data.map(({ id }) => id),
      )
  }, [opens, data, resource])
  useChosenShown(selectable as Selectable)
  return (
    <Box
      sx={{
        overflowX: 'auto',
        backgroundColor: 'background.paper',
        border: 1,
        borderColor: 'divider',
        borderRadius: 'var(--radius-field)',
      }}
      {...(data?.length && scrolled(translate(`resources.${resource}.name`, { smart_count: 2 })))}
      onKeyDown={({ key, target }) => {
        if (key === 'Enter' && target instanceof HTMLTableRowElement) target.click()
      }}
    >
      {/* Not in the table, which an empty list has not: a dialog that is open stays. */}
      {bulk && <BulkActionsToolbar selectAllButton={false}>{bulk}</BulkActionsToolbar>}
      <DataTable
        bulkActionButtons={bulk ?? false}
        bulkActionsToolbar={false}
        {...(selectable && { isRowSelectable: selectable as Selectable })}
        rowClick={opens ? 'show' : false}
        empty={<EmptyList />}
      >
        {children}
      </DataTable>
    </Box>
  )
}

type Selectable = (record: RaRecord) => boolean

/** What is chosen is what the page shows and can be chosen: not rows of an earlier page, or that another has decided. */
function useChosenShown(selectable: Selectable = () => true) {
  const { data, selectedIds, onSelect } = useListContext()
  useEffect(() => {
    if (!data) return
    const shown = data.filter(selectable).map(({ id }) => id)
    const chosen = selectedIds.filter((id) => shown.includes(id))
    if (chosen.length < selectedIds.length) onSelect(chosen)
  }, [data, selectedIds, onSelect, selectable])
}

/**
 * The text of an empty list: `resources.<name>.empty` or a common sentence; with a filter, that nothing was found. None
 * if the list could not be loaded.
 */
function EmptyList() {
  const translate = useTranslate()
  const resource = useResourceContext()
  const { filterValues, error } = useListContext()
  if (error) return null
  const searched = Object.values(filterValues ?? {}).some((value) => (value ?? '') !== '')
  return (
    <Stack sx={{ padding: 6, alignItems: 'center', gap: 1 }}>
      <Typography color="textSecondary">
        {searched
          ? translate('console.nothingFound')
          : translate(`resources.${resource}.empty`, { _: translate('console.empty') })}
      </Typography>
    </Stack>
  )
}
