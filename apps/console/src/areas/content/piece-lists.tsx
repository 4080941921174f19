import type { ReplyOf } from '@sum28/contract/route.ts'
import * as wire from '@sum28/contract/staff-content-routes.ts'
import { SelectInput, TextInput, TopToolbar } from 'react-admin'
import { STATE_TONES } from '#src/areas/content/piece-forms.ts'
import { useReply } from '#src/data/use-reply.ts'
import { ActionButton, type ActionField } from '#src/parts/action-button.tsx'
import { Col, LinkCol, MissingCol, MomentCol, StateCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { stateFilter } from '#src/parts/filters.tsx'
import { Rows } from '#src/parts/rows.tsx'

const TITLE: ActionField = { name: 'title', label: 'areas.content.englishTitle' }

const SEARCH = <TextInput key="q" source="q" label="areas.content.search" alwaysOn />

const STATE = stateFilter(wire.PIECE_STATES, 'areas.content.state')

/** Articles, newest first. */
export function ArticleList() {
  const { data = [] } = useReply(wire.listCategories, {})
  const category = (
    <SelectInput
      key="category"
      source="category_id"
      choices={data}
      translateChoice={false}
      label="areas.content.category"
      alwaysOn
    />
  )
  const choices = data.map(({ id, name }) => ({ value: String(id), label: name }))
  const fields = [TITLE, { name: 'category_id', label: 'areas.content.category', choices }]
  return (
    <DataList
      filters={[SEARCH, STATE, category]}
      actions={<Make kind="article" label="areas.content.makeArticle" fields={fields} />}
    >
      <Rows opens>
        <LinkCol source="title" />
        <Col
          source="category_id"
          render={(piece: Listed) => data.find(({ id }) => id === piece.category_id)?.name ?? '—'}
        />
        {...COMMON}
      </Rows>
    </DataList>
  )
}

/** Notices to all, newest first. */
export function AnnouncementList() {
  return (
    <DataList
      filters={[SEARCH, STATE]}
      actions={<Make kind="announcement" label="areas.content.makeAnnouncement" fields={[TITLE]} />}
    >
      <Rows opens>
        <LinkCol source="title" />
        {...COMMON}
      </Rows>
    </DataList>
  )
}

type Listed = ReplyOf<typeof wire.listPieces>['list'][number]

const COMMON = [
  <StateCol key="state" source="state" texts="areas.content.state" tones={STATE_TONES} />,
  <MissingCol key="missing" />,
  <MomentCol key="published" source="published_at" />,
  <MomentCol key="until" source="published_until" />,
  <Col key="by" source="changed_by" />,
]

type MakeProps = { kind: wire.PieceKind; label: string; fields: readonly ActionField[] }

function Make({ kind, label, fields }: MakeProps) {
  return (
    <TopToolbar>
      <ActionButton
        route={wire.makePiece}
        request={{ kind }}
        label={label}
        done="areas.content.made"
        fields={fields}
      />
    </TopToolbar>
  )
}
