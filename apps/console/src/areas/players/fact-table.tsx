import { Box, Table, TableBody, TableCell, TableHead, TableRow, Typography } from '@mui/material'
import type { ReactNode } from 'react'
import { useTranslate } from 'react-admin'

export type Column<Row> = {
  /** A key of `areas.players.column`. */
  readonly name: string
  readonly show: (row: Row) => ReactNode
  readonly right?: boolean
}

type FactTableProps<Row> = {
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string | number
}

/** A plain table of facts; a sentence if it is empty. */
export function FactTable<Row>({ rows, columns, keyOf }: FactTableProps<Row>) {
  const translate = useTranslate()
  if (rows.length === 0) {
    return <Typography color="textSecondary">{translate('areas.players.none')}</Typography>
  }
  return (
    <Box sx={{ overflowX: 'auto' }} tabIndex={0}>
      <Table size="small">
        <TableHead>
          <TableRow>
            {columns.map(({ name, right }) => (
              <TableCell key={name} align={right ? 'right' : 'left'}>
                {translate(`areas.players.column.${name}`)}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <TableRow key={keyOf(row)}>
              {columns.map(({ name, show, right }) => (
                <TableCell key={name} align={right ? 'right' : 'left'}>
                  {show(row) ?? '—'}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  )
}
