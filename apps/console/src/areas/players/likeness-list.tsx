import { Chip, Stack } from '@mui/material'
import {
  confirmLikeness,
  type Likeness,
  releaseLikeness,
} from '@sum28/contract/staff-protection-routes.ts'
import { useTranslate } from 'react-admin'
import { Link } from 'react-router'
import { ActionButton, REASON } from '#src/parts/action-button.tsx'
import { Col, MomentCol, PlayerCol, WordCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { searchFilter, stateFilter } from '#src/parts/filters.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { StateChip } from '#src/parts/values.tsx'

const FILTERS = [
  searchFilter('areas.players.searchPlayer'),
  stateFilter(['open', 'released', 'confirmed'], 'areas.players.likenessState'),
]

/** Accounts that look like an excluded player’s or a child’s. */
export function LikenessList() {
  const translate = useTranslate()
  return (
    <DataList filters={FILTERS} refreshMs={30_000}>
      <Rows>
        <PlayerCol />
        <Col
          source="like_username"
          render={({ like_user_id: id, like_username: username }: Likeness) => (
            <Link to={`/players/${id}/show`}>{username}</Link>
          )}
        />
        <WordCol source="like_in" texts="areas.players.likeIn" />
        <MomentCol source="found_at" />
        <Col
          source="state"
          render={({ holds }: Likeness) => (
            <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
              <StateChip
                source="state"
                texts="areas.players.likenessState"
                tones={{ open: 'warning', confirmed: 'error', released: 'success' }}
              />
              {holds && (
                <Chip variant="filled" color="warning" label={translate('areas.players.holds')} />
              )}
            </Stack>
          )}
        />
        <Col
          source="reason"
          className="actions"
          render={(likeness: Likeness) => <Decision likeness={likeness} />}
        />
      </Rows>
    </DataList>
  )
}

/** The decision and its author, and the buttons to decide, also otherwise than before. */
function Decision({ likeness }: { likeness: Likeness }) {
  const translate = useTranslate()
  const { id, state, username, like_username: other, decided_by: by, reason } = likeness
  const request = state === 'open' ? { id } : ({ id, again: 1 } as const)
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
      {state !== 'open' && <span>{[reason, by].filter(Boolean).join(' · ')}</span>}
      {state !== 'released' && (
        <ActionButton
          route={releaseLikeness}
          request={request}
          label={state === 'open' ? 'areas.players.release' : 'areas.players.releaseAfterAll'}
          done="areas.players.isReleased"
          fields={[REASON]}
        >
          {translate('areas.players.releaseText', { username, other })}
          {state !== 'open' && <p>{translate('areas.players.releaseAfterAllText')}</p>}
        </ActionButton>
      )}
      {state !== 'confirmed' && likeness.like_excluded && (
        <ActionButton
          route={confirmLikeness}
          request={request}
          label={
            state === 'open' ? 'areas.players.confirmLikeness' : 'areas.players.confirmAfterAll'
          }
          done="areas.players.isConfirmed"
          tone="error"
          fields={[REASON]}
        >
          {translate('areas.players.confirmText', { username, other })}
        </ActionButton>
      )}
    </Stack>
  )
}
