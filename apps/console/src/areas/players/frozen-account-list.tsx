import {
  type FrozenAccount,
  freezeAccount,
  unfreezeAccount,
} from '@sum28/contract/staff-house-routes.ts'
import { TopToolbar } from 'react-admin'
import { PLAYER } from '#src/areas/money/record-bank-deposit.tsx'
import { ActionButton, REASON } from '#src/parts/action-button.tsx'
import { Col, PlayerCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { searchFilter } from '#src/parts/filters.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { Moment } from '#src/parts/values.tsx'

const FILTERS = [searchFilter('areas.players.searchPlayer')]

/** Frozen accounts, latest first. */
export function FrozenAccountList() {
  return (
    <DataList
      filters={FILTERS}
      sort={{ field: 'frozen', order: 'DESC' }}
      actions={<Freeze />}
      refreshMs={15_000}
    >
      <Rows>
        <Col source="user_id" />
        <PlayerCol />
        <Col source="reason" sx={{ minWidth: '10rem' }} />
        <Col source="frozen_by" />
        <Col sorts source="frozen" label="resources.frozen-accounts.fields.frozen_at">
          <Moment source="frozen_at" />
        </Col>
        <Col
          label="console.actions"
          render={(record: FrozenAccount) => <Unfreeze record={record} />}
        />
      </Rows>
    </DataList>
  )
}

function Freeze() {
  return (
    <TopToolbar>
      <ActionButton
        route={freezeAccount}
        request={{}}
        label="areas.players.freeze"
        done="areas.players.isFrozen"
        tone="error"
        fields={[PLAYER, REASON]}
      />
    </TopToolbar>
  )
}

function Unfreeze({ record }: { record: FrozenAccount }) {
  return (
    <ActionButton
      route={unfreezeAccount}
      request={{ user_id: record.user_id, frozen_at: record.frozen_at }}
      label="areas.players.unfreeze"
      done="areas.players.isOpen"
      fields={[REASON]}
    >
      {record.username}: {record.reason} ({record.frozen_by})
    </ActionButton>
  )
}
