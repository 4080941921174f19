import { Box } from '@mui/material'
import { type ShiftNote, writeShiftNote } from '@sum28/contract/staff-start-routes.ts'
import { TopToolbar } from 'react-admin'
import { ActionButton } from '#src/parts/action-button.tsx'
import { ActorAndTime, Col } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { Rows } from '#src/parts/rows.tsx'

/** What one shift leaves to the next, newest first. */
export function ShiftNotes() {
  return (
    <DataList actions={<Write />} refreshMs={30_000}>
      <Rows>
        <Col source="by">
          <ActorAndTime by="by" at="at" />
        </Col>
        <Col
          source="text"
          sx={{ width: '100%' }}
          render={({ text }: ShiftNote) => (
            <Box sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{text}</Box>
          )}
        />
      </Rows>
    </DataList>
  )
}

function Write() {
  return (
    <TopToolbar>
      <ActionButton
        route={writeShiftNote}
        request={{}}
        label="areas.start.writeNote"
        done="areas.start.noteWritten"
        fields={[{ name: 'text', label: 'areas.start.note', long: true }]}
      />
    </TopToolbar>
  )
}
