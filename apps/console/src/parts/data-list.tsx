import type { ReactElement, ReactNode } from 'react'
import { List, Pagination, type SortPayload } from 'react-admin'

const SIZES = [25, 50, 100]

type DataListProps = {
  /** Fields above the list by which it is filtered; what is chosen stands in the address. */
  filters?: ReactElement[]
  sort?: SortPayload
  /** Buttons above the list, such as one that makes a new thing. */
  actions?: ReactElement
  /** How often it reads itself anew, in milliseconds; for lists of what waits. */
  refreshMs?: number
  children: ReactNode
}

/** A list as every area shows it: filters, pages by keyset, and what to say when it is empty. */
export function DataList({ filters, sort, actions, refreshMs, children }: DataListProps) {
  return (
    <List
      {...(filters && { filters })}
      {...(sort && { sort })}
      // The address alone says what is filtered: a list that is shared shows the same to another person.
      storeKey={false}
      {...(refreshMs && { queryOptions: { refetchInterval: refreshMs } })}
      actions={actions ?? false}
      exporter={false}
      perPage={SIZES[0] ?? 25}
      pagination={<Pagination rowsPerPageOptions={SIZES} />}
      empty={false}
      component="section"
    >
      {children}
    </List>
  )
}
