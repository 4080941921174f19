import { Box } from '@mui/material'
import type { ReactNode } from 'react'
import { DataTable } from 'react-admin'
import { EmptyList } from '#src/parts/empty-list.tsx'

/**
 * The table of a list, with `DataTable.Col` for its columns. A row opens its page if the resource has one.
 */
export function Rows({ children, opens = false }: { children: ReactNode; opens?: boolean }) {
  return (
    <Box sx={{ overflowX: 'auto' }} tabIndex={0}>
      <DataTable bulkActionButtons={false} rowClick={opens ? 'show' : false} empty={<EmptyList />}>
        {children}
      </DataTable>
    </Box>
  )
}
