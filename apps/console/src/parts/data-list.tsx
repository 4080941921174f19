import { Alert, Box, Button, Stack } from '@mui/material'
import { csvOf, isList } from '@sum28/contract/staff-list.ts'
import type { ReactElement, ReactNode } from 'react'
import {
  FilterButton,
  HttpError,
  List,
  Pagination,
  type SortPayload,
  TopToolbar,
  useListContext,
  useResourceDefinition,
  useTranslate,
} from 'react-admin'
import type { Listed } from '#src/data/lists.ts'
import { DownloadButton } from '#src/parts/download-button.tsx'
import { NotRefreshed } from '#src/parts/loaded.tsx'

const SIZES = [25, 50, 100]

const NEWEST_FIRST = { field: 'id', order: 'DESC' } as const

/** A filter's field; its label is a key of the console's texts. */
export type FilterField = ReactElement<{ source?: string; label?: string }>

type DataListProps = {
  /** The filter fields above the list; the address contains their values. */
  filters?: FilterField[]
  /** The newest first by default. */
  sort?: SortPayload
  /** Buttons above the list, such as one that creates a record. */
  actions?: ReactElement
  /** The refresh interval in milliseconds, for lists of pending records. */
  refreshMs?: number
  children: ReactNode
}

/** The list of all areas: filters, pages by keyset, and a text for an empty list. */
export function DataList({
  filters,
  sort = NEWEST_FIRST,
  actions,
  refreshMs,
  children,
}: DataListProps) {
  return (
    <List
      {...(filters && { filters })}
      sort={sort}
      // Only the address stores the filter, so that a shared link shows the same list to another person.
      storeKey={false}
      // The list shows a failure itself.
      queryOptions={{ onError: () => {}, ...(refreshMs && { refetchInterval: refreshMs }) }}
      actions={filters ? <Above>{actions}</Above> : (actions ?? false)}
      exporter={false}
      perPage={SIZES[0] ?? 25}
      pagination={<Foot />}
      empty={false}
      component="section"
    >
      <ListFailure filters={filters ?? []} />
      {children}
    </List>
  )
}

/** Says why there are no rows, of which filter, or that they are those of an earlier answer. */
function ListFailure({ filters }: { filters: FilterField[] }) {
  const translate = useTranslate()
  const { data, error, refetch } = useListContext()
  if (!error) return null
  if (data) return <NotRefreshed refetch={refetch} />
  const field = error instanceof HttpError ? error.body?.field : undefined
  const label = filters.find(({ props }) => props.source === field)?.props.label
  return (
    <Alert
      severity="error"
      action={<Button onClick={() => void refetch()}>{translate('console.again')}</Button>}
    >
      {label && `${translate(label)}: `}
      {translate(error.message, { _: error.message })}
    </Alert>
  )
}

/** The file of the whole list, and its pages. */
function Foot() {
  const { data, error, filterValues, sort } = useListContext()
  const { options } = useResourceDefinition()
  const { route, always } = options as Pick<Listed, 'route' | 'always'>
  const order = sort.order === 'ASC' ? 'asc' : 'desc'
  return (
    <Stack direction="row" sx={{ alignItems: 'center', flexWrap: 'wrap', paddingBlock: 1 }}>
      {isList(route) && (
        <DownloadButton
          download={csvOf(route)}
          request={{ ...filterValues, ...always, sort: sort.field, order }}
        />
      )}
      {(data || !error) && (
        <Box sx={{ marginInlineStart: 'auto' }}>
          <Pagination rowsPerPageOptions={SIZES} />
        </Box>
      )}
    </Stack>
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
