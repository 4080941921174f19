import type { ReactElement, ReactNode } from 'react'
import { FilterButton, List, Pagination, type SortPayload, TopToolbar } from 'react-admin'

const SIZES = [25, 50, 100]

type DataListProps = {
  /** The filter fields above the list; the address contains their values. */
  filters?: ReactElement[]
  sort?: SortPayload
  /** Buttons above the list, such as one that creates a record. */
  actions?: ReactElement
  /** The refresh interval in milliseconds, for lists of pending records. */
  refreshMs?: number
  children: ReactNode
}

/** The list of all areas: filters, pages by keyset, and a text for an empty list. */
export function DataList({ filters, sort, actions, refreshMs, children }: DataListProps) {
  return (
    <List
      {...(filters && { filters })}
      {...(sort && { sort })}
      // Only the address stores the filter, so that a shared link shows the same list to another person.
      storeKey={false}
      {...(refreshMs && { queryOptions: { refetchInterval: refreshMs } })}
      actions={filters ? <Above>{actions}</Above> : (actions ?? false)}
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

/** The filters that are not always shown, filters that this browser has saved, and the list's own buttons. */
function Above({ children }: { children: ReactNode }) {
  return (
    <>
      <TopToolbar>
        <FilterButton />
      </TopToolbar>
      {children}
    </>
  )
}
