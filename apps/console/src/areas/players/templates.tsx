import { Stack, Typography } from '@mui/material'
import { TEXT_LANGUAGES } from '@sum28/contract/staff-content-routes.ts'
import {
  type MessageTemplate,
  removeTemplate,
  saveTemplate,
} from '@sum28/contract/staff-players-routes.ts'
import { TopToolbar, useTranslate } from 'react-admin'
import { ActionButton, type ActionField } from '#src/parts/action-button.tsx'
import { Col, MissingCol, MomentCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { languageName } from '#src/parts/values.tsx'

type Draft = Pick<MessageTemplate, 'name' | 'texts'>

/** The name, and the text in all seven languages, one field below the other. */
function useFields() {
  const translate = useTranslate()
  return ({ name, texts }: Draft): readonly ActionField[] => [
    { name: 'name', label: 'areas.players.templateName', initial: name },
    ...TEXT_LANGUAGES.map((lang) => ({
      name: `text_${lang}`,
      label: translate('areas.players.templateText', { language: languageName(lang) }),
      ...(lang === 'en' && { hint: 'areas.players.templateHint' }),
      optional: lang !== 'en',
      long: true,
      initial: texts.find((text) => text.lang === lang)?.text ?? '',
    })),
  ]
}

/** Templates of messages to players, with the languages that each lacks. */
export function TemplateList() {
  return (
    <DataList actions={<Add />}>
      <Rows>
        <Col source="name" />
        <Col
          source="text"
          sx={{ minWidth: '12rem' }}
          render={(row: MessageTemplate) => <EnglishText row={row} />}
        />
        <MissingCol />
        <Col source="changed_by" />
        <MomentCol source="changed_at" />
        <Col
          label="console.actions"
          sx={{ minWidth: { lg: '13rem' } }}
          render={(template: MessageTemplate) => <Change template={template} />}
        />
      </Rows>
    </DataList>
  )
}

function Add() {
  const fieldsOf = useFields()
  return (
    <TopToolbar>
      <ActionButton
        route={saveTemplate}
        request={{}}
        label="areas.players.addTemplate"
        done="areas.players.templateSaved"
        fields={fieldsOf({ name: '', texts: [] })}
      />
    </TopToolbar>
  )
}

function EnglishText({ row }: { row: MessageTemplate }) {
  const text = row.texts.find(({ lang }) => lang === 'en')?.text
  return (
    <Typography variant="body2" sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {text}
    </Typography>
  )
}

function Change({ template }: { template: MessageTemplate }) {
  const fieldsOf = useFields()
  const { id, version, name } = template
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
      <ActionButton
        route={saveTemplate}
        request={{ id, version }}
        label="areas.players.changeTemplate"
        done="areas.players.templateSaved"
        fields={fieldsOf(template)}
      />
      <ActionButton
        route={removeTemplate}
        request={{ id, version }}
        label="areas.players.removeTemplate"
        done="areas.players.templateRemoved"
        tone="error"
      >
        {name}
      </ActionButton>
    </Stack>
  )
}
