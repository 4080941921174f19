import { Table, TableBody, TableCell, TableHead, TableRow } from '@mui/material'
import type { ReactNode } from 'react'
import { useTranslate } from 'react-admin'

/** Of the box around a table that may be too wide: it can be scrolled by keys, and has a name. */
export function scrolled(name: string) {
  return { role: 'region', 'aria-label': name, tabIndex: 0 }
}

export type PlainColumn<Row> = {
  /** A key of the catalogs. */
  readonly heading: string
  /** The cell; null: a dash. */
  readonly show: (row: Row) => ReactNode
  readonly right?: boolean
}

type PlainTableProps<Row> = {
  /** A key of the catalogs: its name for screen readers, where no heading is above it. */
  label?: string
  rows: readonly Row[]
  columns: readonly PlainColumn<Row>[]
  keyOf: (row: Row) => string | number
}

/** A table of rows that are all there: without pages, filters or another order. */
export function PlainTable<Row>({ label, rows, columns, keyOf }: PlainTableProps<Row>) {
  const translate = useTranslate()
  return (
    <Table size="small" {...(label && { 'aria-label': translate(label) })}>
      <TableHead>
        <TableRow>
          {columns.map(({ heading, right }) => (
            <TableCell key={heading} align={right ? 'right' : 'left'}>
              {translate(heading)}
            </TableCell>
          ))}
        </TableRow>
      </TableHead>
      <TableBody>
        {rows.map((row) => (
          <TableRow key={keyOf(row)}>
            {columns.map(({ heading, show, right }) => (
              <TableCell key={heading} align={right ? 'right' : 'left'}>
                {show(row) ?? '—'}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  )
}
