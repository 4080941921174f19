import { Chip, Stack } from '@mui/material'
import {
  confirmLikeness,
  type Likeness,
  releaseLikeness,
} from '@sum28/contract/staff-protection-routes.ts'
import { DataTable, useRecordContext, useTranslate } from 'react-admin'
import { Link } from 'react-router'
import { ActionButton, type ActionField } from '#src/parts/action-button.tsx'
import { MomentCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { searchFilter, stateFilter } from '#src/parts/filters.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { StateChip } from '#src/parts/values.tsx'

const REASON: ActionField = { name: 'reason', label: 'areas.players.reason', long: true }

const FILTERS = [
  searchFilter('areas.players.searchPlayer'),
  stateFilter(['open', 'released', 'confirmed'], 'areas.players.likenessState'),
]

/** Accounts that look like an excluded one. */
export function LikenessList() {
  return (
    <DataList filters={FILTERS} sort={{ field: 'id', order: 'DESC' }} refreshMs={30_000}>
      <Rows>
        <DataTable.Col source="username" disableSort>
          <Account of="username" />
        </DataTable.Col>
        <DataTable.Col source="like_username" disableSort>
          <Account of="like_username" />
        </DataTable.Col>
        <DataTable.Col source="like_in" disableSort>
          <LikeIn />
        </DataTable.Col>
        <MomentCol source="found_at" />
        <DataTable.Col source="state" disableSort>
          <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
            <StateChip
              source="state"
              texts="areas.players.likenessState"
              tones={{ open: 'warning', confirmed: 'error', released: 'success' }}
            />
            <Holds />
          </Stack>
        </DataTable.Col>
        <DataTable.Col source="reason" disableSort>
          <Decision />
        </DataTable.Col>
      </Rows>
    </DataList>
  )
}

function Account({ of }: { of: 'username' | 'like_username' }) {
  const likeness = useRecordContext<Likeness>()
  if (!likeness) return null
  const id = of === 'username' ? likeness.user_id : likeness.like_user_id
  return <Link to={`/players/${id}/show`}>{likeness[of]}</Link>
}

function LikeIn() {
  const translate = useTranslate()
  const likeIn = useRecordContext<Likeness>()?.like_in
  return likeIn ? translate(`areas.players.likeIn.${likeIn}`) : null
}

function Holds() {
  const translate = useTranslate()
  const holds = useRecordContext<Likeness>()?.holds
  return holds ? (
    <Chip size="small" color="warning" label={translate('areas.players.holds')} />
  ) : null
}

/** The decision and its author, or the buttons to decide. */
function Decision() {
  const translate = useTranslate()
  const likeness = useRecordContext<Likeness>()
  if (!likeness) return null
  const { id, username, like_username: other, decided_by: by, reason } = likeness
  if (likeness.state !== 'open') return [reason, by].filter(Boolean).join(' · ')
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
      <ActionButton
        route={releaseLikeness}
        request={{ id }}
        label="areas.players.release"
        done="areas.players.isReleased"
        fields={[REASON]}
      >
        {translate('areas.players.releaseText', { username, other })}
      </ActionButton>
      <ActionButton
        route={confirmLikeness}
        request={{ id }}
        label="areas.players.confirmLikeness"
        done="areas.players.isConfirmed"
        tone="error"
        fields={[REASON]}
      >
        {translate('areas.players.confirmText', { username, other })}
      </ActionButton>
    </Stack>
  )
}
