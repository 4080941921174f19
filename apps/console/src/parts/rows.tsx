import { Box } from '@mui/material'
import { type ReactNode, useEffect } from 'react'
import { DataTable, useListContext } from 'react-admin'
import { rememberList } from '#src/data/opened-list.ts'
import { EmptyList } from '#src/parts/empty-list.tsx'

/**
 * The table of a list, with `DataTable.Col` for its columns. With `opens`, a row opens the page of its
 * record, and that page links to the next row.
 */
export function Rows({ children, opens = false }: { children: ReactNode; opens?: boolean }) {
  const { data, resource } = useListContext()
  useEffect(() => {
    if (opens && data)
      rememberList(
        resource,
        data.map(({ id }) => id),
      )
  }, [opens, data, resource])
  return (
    <Box
      sx={{ overflowX: 'auto' }}
      tabIndex={0}
      onKeyDown={({ key, target }) => {
        if (key === 'Enter' && target instanceof HTMLTableRowElement) target.click()
      }}
    >
      <DataTable bulkActionButtons={false} rowClick={opens ? 'show' : false} empty={<EmptyList />}>
        {children}
      </DataTable>
    </Box>
  )
}
